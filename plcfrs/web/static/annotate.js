// The tab of annotation: the trees of a project are corrected, with the parser at hand.

import { get, isStop, post } from "./api.js";
import { html, PAGE, render } from "./components.js";
import { byId, on } from "./dom.js";
import { isNull } from "./drawing.js";
import { Editor } from "./editor.js";
import { askInMenu, menu } from "./label-menu.js";
import { listed, SentenceList } from "./sentence-list.js";
import { activeTab, Tab, withoutHistory } from "./tab.js";
import { dressed, Keys, Work } from "./work.js";

const PAUSE = 200; // milliseconds on a part, after which its choices are shown

export const tab = new Tab("annotate", {
  first: { sentence: "" }, open, visit, clear: () => {}, keys: {}, hasModel: false,
  place: "annotate-result",
});
const { fields } = tab;
export const project = await get("project");
let view = null; // the sentence in sight
let begun = 0; // when the person saw it
let ahead = null; // the sentence that is probably next, and the promise of it
let from = 0; // the first sentence of the list in sight
let saved = ""; // whether the last operation was saved
let unsaved = null; // an operation that was perhaps not saved
let asked = null; // choices of a part that is not doubtful: the view, the part, the choices
let found = null; // the findings in the whole project, by sentence
let acts = 1e9; // larger than all numbers of earlier actions
let acting = null; // the promise of what is done now
const typed = []; // keys since then

const editor = new Editor("annotate-picture", {
  draw, act, say: tab.say, open: () => KEYS.r.act(), actOf: (key) => KEYS[key] && (() => type(key)),
});

/** What keys do: the text for people, and the function; keys without a text are second ones. */
export const KEYS = {
  Enter: { text: "accept, next", act: accept },
  l: { text: "later", act: () => decide({ do: "status", status: "later" }) },
  a: { text: "attach to …", act: () => attach() },
  r: { text: "relabel", act: relabel },
  f: { text: "function", act: setFunction },
  t: { text: "tag", act: () => toTag(relabel) },
  w: { text: "node above", act: addNode },
  d: { text: "delete", act: () => act({ do: "delete", parts: editor.parts() }) },
  x: { text: "not this", act: () => act({ do: "forbid", parts: editor.parts() }) },
  "!": { text: "keep", act: () => act({ do: "keep", parts: editor.parts() }) },
  z: { text: "undo", act: () => view.can_undo && act({ do: "undo" }) },
  Z: { text: "redo", act: () => view.can_redo && act({ do: "redo" }) },
  0: { text: "null element", act: addNull },
  i: { text: "index", act: coindex },
  e: { text: "secondary edge", act: addEdge },
  g: { text: "go to …", act: () => editor.pick([], go, others()) },
  s: { text: "split word", act: () => toTag(splitWord) },
  m: { text: "join words", act: joinWords },
  S: { text: "split sentence here", act: () => act({ do: "split-sentence", before: firstToken() }) },
  M: { text: "join next sentence", act: () => act({ do: "join-sentence" }) },
  D: { text: "discard edits", act: () => act({ do: "discard" }) },
  c: { text: "note", act: writeNote },
  L: { text: "lemma", act: () => toTag(() => write("lemma")) },
  O: { text: "morphology", act: () => toTag(() => write("morph")) },
  W: { text: "spelling", act: () => toTag(() => write("form")) },
  C: { text: "note on a node", act: () => editor.isNode(editor.at) && write("note") },
  n: { text: "next", act: () => step(1) },
  p: { text: "previous", act: () => step(-1) },
  "]": { text: "next doubt", act: () => go(doubt(1)) },
  "[": { text: "previous doubt", act: () => go(doubt(-1)) },
  j: { text: "next finding", act: nextFinding },
  Delete: { act: () => KEYS.d.act() },
  ".": { act: () => KEYS["]"].act() },
  ",": { act: () => KEYS["["].act() },
};
for (const number of [1, 2, 3, 4, 5]) KEYS[number] = { act: () => choose(number - 1) };
for (const key of Object.keys(KEYS).filter((one) => one !== "Enter")) {
  tab.keys[key] = () => view && type(key); // Enter outside the picture presses buttons
}

render(html`<${Keys} keys=${KEYS} />`, byId("annotate-keys"));
on("annotate-form", "submit", () => openFirst());
on("annotate-form", "input", () => showList({ from: 0 }));
on("annotate", "keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || !view) return;
  event.preventDefault();
  type(event.shiftKey ? "Z" : "z");
});
window.addEventListener("serverback", (event) => {
  if (activeTab !== tab && !unsaved) return;
  event.preventDefault(); // what is in sight stays
  tab.attempt(resume);
});
window.addEventListener("beforeunload", (event) => unsaved && event.preventDefault());

function visit(values) {
  tab.restore(values);
  showList({});
  return tab.shown.sentence ? show(tab.shown.sentence, true) : openFirst(true);
}

function open() {
  if (!view) visit({});
}

/** Open the first sentence of the list without a decision, or else the first one. */
function openFirst(isAddressed) {
  const all = rows();
  const first = all.find(isOpen) ?? all[0];
  return first ? show(first.id, isAddressed) : tab.say("There is no such sentence.");
}

const isOpen = ({ status }) => status === "";
const rowOf = (id) => project.sentences.find((one) => one.id === id);
const rows = () => listed(project.sentences, tab.values("query", "order", "filter"), found);

/** Return the sentence of the list that is some steps away from the one in sight. */
function beside(by, all = rows()) {
  const place = all.findIndex(({ id }) => id === view?.id);
  return all[place + by];
}

function step(by) {
  const next = beside(by);
  if (next) show(next.id);
  else tab.say(`This is the ${by > 0 ? "last" : "first"} sentence of the list.`);
}

/** Return the next sentence of the list without a decision, after the one in sight. */
function nextOpen() {
  const all = rows();
  const place = all.findIndex(({ id }) => id === view.id);
  const isNext = fields.filter.value === "all" || fields.filter.value === "todo" ? isOpen
    : ({ status }) => status !== "accepted";
  return [...all.slice(place + 1), ...all.slice(0, Math.max(place, 0))].find(isNext);
}

/** Do one thing after the other: keys that are typed meanwhile wait. */
async function inTurn(action) {
  const done = Promise.resolve(acting).then(() => tab.attempt(action));
  acting = done;
  await done;
  if (acting === done) acting = null;
  while (typed.length && !acting) press(typed.shift());
}

function type(key) {
  if (acting) typed.push(key);
  else press(key);
}

function press(key) {
  if (menu) menu.press(key);
  else if (editor.take && key === "Enter") editor.take(editor.at);
  else if (!editor.take || !editor.letters?.type(key)) KEYS[key]?.act();
}

/** Show a sentence, with the focus on its first doubt. */
function show(id, isAddressed = false) {
  return inTurn(async () => {
    const promised = ahead?.id === id ? ahead.promise : get("project/sentence", { id });
    ahead = null;
    const next = await promised;
    editor.at = null;
    put(next);
    if (isAddressed) withoutHistory(() => tab.note({ sentence: id }));
    else tab.note({ sentence: id });
    go(doubt(1) ?? view.names.nodes[1] ?? view.names.nodes[0]);
    prepare(nextOpen());
  });
}

/** Ask for a sentence before it is opened, so that nobody waits for its parse. */
function prepare(row) {
  if (!row || row.id === view.id) return;
  ahead = { id: row.id, promise: get("project/sentence", { id: row.id }, "ahead") };
  ahead.promise.catch(() => { ahead = null; });
}

function put(next) {
  const isOther = view?.id !== next.id;
  view = next;
  if (isOther) saved = "";
  begun = performance.now();
  note(next);
  editor.choose();
  const place = rows().findIndex(({ id }) => id === view.id);
  showList(place < 0 ? {} : { from: place - (place % PAGE) });
}

/** Bring the row of a sentence up to date. */
function note({ id, status, note: text, revision, findings, is_proposal: isProposal }) {
  const row = rowOf(id);
  if (row.revision !== revision) {
    acts += 1;
    row.acted = acts;
  }
  Object.assign(row, { status, note: text, revision, findings: findings.length,
    has_tree: !isProposal });
}

/** Do something to the sentence; the focus goes to what was changed, or to the next doubt. */
function act(operation) {
  editor.choose(...editor.chosen);
  return inTurn(() => send(operation));
}

async function send(operation, { id, revision } = view) {
  const seconds = (performance.now() - begun) / 1000;
  unsaved = { id, revision, operation };
  say("saving …");
  const { sentences, ids } = await post("project/act", { ...unsaved, seconds }, null)
    .catch(failed);
  unsaved = null;
  saved = "saved";
  if (ids) await load();
  const [next] = sentences.filter((one) => one.id === view.id);
  for (const one of sentences) note(one);
  if (next) moveOn(next, operation);
}

function moveOn(next, operation) {
  const { at } = editor;
  const words = editor.positions(at).map((place) => view.names.tokens[place]);
  const isSettled = ["choose", "keep", "forbid"].includes(operation.do);
  const wanted = isSettled ? doubt(1, next.doubts) : next.chosen[0];
  put(next);
  const isThere = (name) => [...next.names.nodes, ...next.names.tokens].includes(name);
  go([wanted, next.chosen[0], at].find(isThere) ?? editor.around(words));
}

/** Say why an operation was not saved. After another change, show the sentence as it is now. */
async function failed(error) {
  say("not saved");
  if (error.status === undefined && !isStop(error)) throw error; // it may be done when the server runs again
  unsaved = null;
  if (error.status === 409) {
    ahead = null;
    put(await get("project/sentence", { id: view.id }));
    go(doubt(1) ?? view.names.nodes[0]);
    error.message += ": it is shown as it is now, without your last step.";
  }
  throw error;
}

/** Go on when the server runs again: what was not saved is done, unless the tree has changed. */
async function resume() {
  await load();
  const lost = unsaved;
  const now = await get("project/sentence", { id: view.id });
  if (lost && now.revision === lost.revision) return inTurn(() => send(lost.operation, lost));
  unsaved = null;
  put(now);
  go(editor.at);
  say(lost ? "saved before the server ended" : "");
  return null;
}

async function load() {
  Object.assign(project, await get("project"));
}

function say(text) {
  saved = text;
  draw();
}

/** Decide on the sentence, and open the next one without a decision. */
function decide(operation) {
  const next = nextOpen();
  return act(operation).then(() => {
    if (unsaved || byId("annotate-error").textContent) return null;
    if (next) return show(next.id);
    say("saved: this was the last sentence of the list");
    return null;
  });
}

function accept() {
  decide({ do: "accept" });
}

/** Put the focus on a part. */
function go(name) {
  if (!name) return;
  editor.at = name;
  editor.choose();
  editor.element(name)?.focus();
}

/** Return the next doubtful part in the order of the text, or the one before. */
function doubt(by, doubts = view.doubts) {
  const names = doubts.map(({ part }) => part);
  const place = names.indexOf(editor.at);
  if (place >= 0) return names.at((place + by) % names.length);
  const start = (name) => editor.positions(name)[0] ?? -1;
  const after = names.findIndex((name) => start(name) >= start(editor.at));
  return names.at(by > 0 ? Math.max(after, 0) : after - 1);
}

function nextFinding() {
  const names = [...new Set(view.findings.flatMap(({ parts }) => parts.slice(0, 1)))];
  go(names[(names.indexOf(editor.at) + 1) % names.length]);
}

/** Return all other constituents, and the tokens if wanted. */
function others(isToken = true) {
  const { nodes, tokens } = view.names;
  return [...nodes, ...(isToken ? tokens : [])].filter((name) => name !== editor.at);
}

function attach() {
  const parts = editor.parts();
  const below = new Set(parts.flatMap((name) => editor.below(name)));
  const mothers = others(false).filter((name) => !below.has(name));
  editor.pick(parts, (mother) => editor.moveTo(mother, parts), mothers);
}

/** Ask for a label of the part with the focus. */
function ask(kind, title, take, more = []) {
  const part = editor.at;
  const labels = get("project/menu", { id: view.id, part, kind }).then((all) => [...all, ...more]);
  askInMenu({ title, labels, beside: editor.element(part), take });
}

function relabel() {
  const part = editor.at;
  const token = tokenOf(part);
  if (token && isNull(token)) return write("form");
  const kind = token ? "tag" : "category";
  const rest = token ? "" : /[-=].*$/.exec(labelOf(part))?.[0] ?? ""; // functions and indices stay
  return ask(kind, token ? "Tag" : "Label", (label) => act(
    { do: "relabel", parts: [part], label: /[-=]/.test(label) ? label : label + rest }));
}

function setFunction() {
  const part = editor.at;
  ask("function", "Function", (label) => act(
    { do: "annotate", parts: [part], values: { function: label } }), [{ label: "" }]);
}

function addNode() {
  const parts = editor.parts();
  ask("category", "Label of the new node", (label) => act({ do: "add", parts, label }));
}

/** Add a null element before the word with the focus, or at the end of the constituent. */
function addNull() {
  const part = editor.at;
  const { tokens } = view.names;
  const isNode = editor.isNode(part);
  const mother = isNode ? part : editor.around([part]);
  const before = isNode ? tokens[editor.positions(part).at(-1) + 1] : part;
  ask("null", "Null element", (form) => ask("category", `Node above ${form}`, (label) => act(
    { do: "null", mother, before, form, label }), [{ label: "" }]));
}

function coindex() {
  const nulls = editor.positions(editor.at).filter((place) => isNull(view.tree.tokens[place]));
  const element = view.names.tokens[nulls[0]];
  if (nulls.length !== 1) return tab.say("Go to a null element to choose its antecedent.");
  return editor.pick([editor.at], (antecedent) => act(
    { do: "coindex", null: element, antecedent }), others(false));
}

function addEdge() {
  const part = editor.at;
  editor.pick([part], (mother) => {
    editor.choose();
    ask("function", "Label of the edge", (label) => act({ do: "edge", parts: [part], mother, label }));
  }, others(false));
}

/** Act on the word with the focus, or on the only word of a constituent. */
function toTag(act_) {
  const [place, ...more] = editor.positions(editor.at);
  if (more.length) return tab.say("Go to a word first.");
  go(view.names.tokens[place]);
  return act_();
}

function splitWord() {
  const token = editor.at;
  const { form } = tokenOf(token);
  askInMenu({ title: "Blanks where to split", text: form, beside: editor.element(token),
    take: (text) => act({ do: "split", token, forms: text.split(/\s+/) }) });
}

/** Join the chosen words, or the one with the focus with the next one. */
function joinWords() {
  const { tokens } = view.names;
  if (editor.parts().some((name) => editor.isNode(name))) return tab.say("Go to a word first.");
  const places = editor.parts().flatMap((name) => editor.positions(name));
  const [first, last] = [Math.min(...places), Math.max(...places)];
  return act({ do: "join", first: tokens[first], last: tokens[first === last ? last + 1 : last] });
}

const firstToken = () => view.names.tokens[editor.positions(editor.at)[0]];
const tokenOf = (name) => view.tree.tokens[view.names.tokens.indexOf(name)];
const labelOf = (name) => view.tree.labels[view.names.nodes.indexOf(name)];

function writeNote() {
  askInMenu({ title: "Note on the sentence", text: view.note, take: (note_) => act(
    { do: "note", note: note_ }) });
}

const NAMES = { form: "Word", lemma: "Lemma", morph: "Morphology", note: "Note on the node" };

/** Ask for an attribute of the part with the focus. */
function write(name) {
  const part = editor.at;
  askInMenu({ title: NAMES[name], text: tokenOf(part)?.[name] ?? "", beside: editor.element(part),
    take: (text) => act({ do: "annotate", parts: [part], values: { [name]: text } }) });
}

/** Take one of the choices of the part with the focus. */
function choose(number) {
  const choice = choicesOf(editor.at)[number];
  if (!choice) return;
  if (choice.is_current) act({ do: "keep", parts: [editor.at] });
  else act({ do: "choose", part: editor.at, choice: number });
}

const choicesOf = (part) => view.choices[part]
  ?? (asked?.view === view && asked.part === part ? asked.choices : []);

let timer = null;

/** Ask for the choices of a part when the focus stays there. */
function askChoices() {
  clearTimeout(timer);
  const part = editor.at;
  const hasNone = part === view.names.nodes[0] || isNull(tokenOf(part) ?? {});
  if (!part || hasNone || view.choices[part] || (asked?.view === view && asked.part === part)) return;
  const of = view;
  timer = setTimeout(async () => {
    const choices = await get("project/choices", { id: of.id, part }).catch(() => []);
    if (view !== of || editor.at !== part) return;
    asked = { view: of, part, choices };
    draw();
  }, PAUSE);
}

function draw() {
  if (!view) return;
  askChoices();
  const picture = editor.picture({ tree: view.tree, names: view.names, hasFiles: false,
    dress: (svg) => dressed(svg, view, editor) });
  tab.draw(html`<${Work} ...${{ view, editor, picture, saved, project, go, act, keys: KEYS, type }}
    row=${rowOf(view.id)} isUnsaved=${Boolean(unsaved)} again=${() => tab.attempt(resume)}
    choices=${choicesOf(editor.at)} labelOf=${labelOf} tokenOf=${tokenOf} />`);
  editor.mark();
}

async function showList(next) {
  from = next.from ?? from;
  if (fields.filter.value === "findings" && !found) {
    await tab.attempt(async () => { found = Map.groupBy(await get("project/checks"), (one) => one.sentence); });
  }
  const all = rows();
  render(html`<${SentenceList} ...${{ all, from, found, project }} current=${view?.id}
    go=${(place) => showList({ from: place })} open=${show} />`, byId("sentence-list"));
  byId("sentence-list").querySelector(".lit")?.scrollIntoView({ block: "nearest" });
}
