// The tab of annotation: the trees of a project are corrected, with the parser at hand.

import { get, isStop, post } from "./api.js";
import { html, PAGE, render } from "./components.js";
import { byId, on } from "./dom.js";
import { isNull } from "./drawing.js";
import { menu } from "./label-menu.js";
import { session } from "./model.js";
import { PartEditor } from "./part-editor.js";
import { listed, nextOpen, SentenceList } from "./sentence-list.js";
import { activeTab, Tab, withoutHistory } from "./tab.js";
import { dressed, Keys, Work } from "./work.js";

const PAUSE = 200; // milliseconds on a part, after which its choices are shown

export const tab = new Tab("annotate", {
  first: { sentence: "" }, open, visit, clear: () => {}, keys: {}, hasModel: false,
  place: "annotate-result",
});
const project = await get("project");
session.project = project;
let view = null; // the sentence in sight
let begun = 0; // when the person saw it
let ahead = null; // the sentence that is probably next, and the promise of it
let from = 0; // the first sentence of the list in sight
let saved = ""; // whether the last operation was saved
let unsaved = null; // an operation that was perhaps not saved
let asked = {}; // choices of a part that is not doubtful: the view, the part, the choices
let warned = null; // the sentence whose words have no tags
let acts = 1e9; // larger than all numbers of earlier actions
let acting = null; // the promise of what is done now
let timer = null;
const typed = []; // keys since then

const editor = new PartEditor("annotate-picture", {
  draw, act, inTurn, say: tab.say, open: () => press("r"),
  actOf: (key) => (KEYS[key] || (acting && key.length === 1)) && (() => type(key)),
});

/** What keys do, with a text for people; keys without one have another place or name. */
export const KEYS = {
  Enter: { text: "accept, next", act: accept },
  l: { text: "later, next", act: () => decide({ do: "status", status: "later" }) },
  a: { text: "attach to …", act: () => editor.attachByLetters() },
  r: { text: "relabel", act: () => editor.relabel() },
  f: { text: "function", act: () => editor.setFunction() },
  w: { text: "node above", act: () => editor.addNode() },
  d: { text: "delete", act: () => editor.do("delete") },
  x: { text: "not this", act: () => editor.do("forbid") },
  "!": { text: "keep", act: () => editor.do("keep") },
  t: { text: "tag", act: () => editor.onWord(() => editor.relabel()) },
  z: { text: "undo", act: () => view.can_undo && act({ do: "undo" }) },
  Z: { text: "redo", act: () => view.can_redo && act({ do: "redo" }) },
  0: { text: "null element", act: () => editor.addNull() },
  i: { text: "index", act: () => editor.coindex() },
  e: { text: "secondary edge", act: () => editor.addEdge() },
  s: { text: "split word", act: () => editor.onWord(() => editor.splitWord()) },
  m: { text: "join words", act: () => editor.joinWords() },
  S: { text: "split sentence here", act: () => editor.splitSentence() },
  M: { text: "join next sentence", act: () => act({ do: "join-sentence" }) },
  u: { text: "let the parser help", act: () => act({ do: "forget" }) },
  D: { text: "discard edits", act: () => act({ do: "discard" }) },
  c: { text: "note", act: () => editor.writeNote() },
  C: { text: "note on the node", act: () => editor.label && editor.write("note") },
  W: { text: "spelling of the word", act: () => editor.onWord(() => editor.write("form")) },
  L: { text: "lemma", act: () => editor.onWord(() => editor.write("lemma")) },
  O: { text: "morphology", act: () => editor.onWord(() => editor.write("morph")) },
  g: { text: "go to …", act: () => editor.goByLetters() },
  n: { text: "next sentence", act: () => step(1) },
  p: { text: "previous sentence", act: () => step(-1) },
  "]": { text: "next doubt, or full stop", act: () => editor.go(editor.doubt(1)) },
  "[": { text: "previous doubt, or comma", act: () => editor.go(editor.doubt(-1)) },
  j: { text: "next finding", act: () => editor.nextFinding() },
};
Object.assign(KEYS, { Delete: { act: KEYS.d.act }, ".": { act: KEYS["]"].act },
  ",": { act: KEYS["["].act } });
for (const number of [1, 2, 3, 4, 5]) KEYS[number] = { act: () => choose(number - 1) };
for (const key of Object.keys(KEYS).filter((one) => one !== "Enter")) {
  tab.keys[key] = () => view && type(key); // Enter outside the picture presses buttons
}
render(html`<${Keys} keys=${KEYS} />`, byId("annotate-keys"));

on("annotate-form", "submit", () => openFirst());
on("annotate-form", "input", () => showList(0));
on("annotate-form", "change", ({ target }) => target.matches("select") && tab.attempt(async () => {
  await load(); // doubts and findings become known in the background
  const all = tab.fields.filter.value === "findings" ? await get("project/checks") : [];
  for (const { sentence, message } of all) rowOf(sentence).finding ??= message;
  showList(0);
}));
on("annotate-form", "keydown", ({ key }) => key === "Escape" && view && editor.go(editor.at));
on("annotate", "keydown", (event) => {
  const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z";
  if (!isUndo || !view || event.target.matches("input")) return;
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
  showList();
  return tab.shown.sentence ? show(tab.shown.sentence, true) : openFirst(true);
}

function open() {
  if (!view) visit({});
}

const rows = () => listed(project.sentences, tab.values("query", "order", "filter"));
const rowOf = (id) => project.sentences.find((one) => one.id === id);
const placeOf = (all) => all.findIndex(({ id }) => id === view?.id);

/** Open the first sentence of the list without a decision, or else the first one. */
function openFirst(isAddressed) {
  const all = rows();
  const first = nextOpen(all, -1) ?? all[0];
  return first ? show(first.id, isAddressed) : tab.say("There is no such sentence.");
}

function step(by) {
  const all = rows();
  const next = all[placeOf(all) + by];
  if (next) show(next.id);
  else tab.say(`This is the ${by > 0 ? "last" : "first"} sentence of the list.`);
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
  else if (!editor.letters?.type(key)) KEYS[key]?.act();
}

const show = (id, isAddressed) => inTurn(() => fetchAndShow(id, isAddressed));

/** Show a sentence, with the focus on its first doubt; then ask for the one that is next. */
async function fetchAndShow(id, isAddressed) {
  const promised = ahead?.id === id ? ahead.promise : get("project/sentence", { id });
  ahead = null;
  const next = await promised;
  editor.at = null;
  saved = "";
  put(next);
  if (isAddressed) withoutHistory(() => tab.note({ sentence: id }));
  else tab.note({ sentence: id });
  focusDoubt();
  const after = nextOpen(rows(), placeOf(rows()));
  if (!after || after.id === id) return;
  ahead = { id: after.id, promise: get("project/sentence", { id: after.id }, "ahead") };
  ahead.promise.catch(() => { ahead = null; });
}

function focusDoubt() {
  const { nodes: [, first], tokens: [word] } = view.names;
  editor.go(editor.doubt(1) ?? editor.untagged() ?? first ?? word);
}

function put(next) {
  view = next;
  begun = performance.now();
  note(next);
  editor.show(next);
  const place = placeOf(rows());
  showList(place < 0 ? from : place - (place % PAGE));
}

/** Bring the row of a sentence up to date. */
function note(changed) {
  const row = rowOf(changed.id);
  if (row.revision !== changed.revision) {
    acts += 1;
    row.acted = acts;
  }
  const { status, note: text, revision, doubt, findings: { length: findings } } = changed;
  Object.assign(row, { status, note: text, revision, doubt, findings });
}

/** Do something to the sentence; the focus goes to what was changed, or to the next doubt. */
function act(operation, after) {
  editor.choose(...editor.chosen);
  return inTurn(async () => {
    await send(operation);
    after?.();
  });
}

/** Accept the tree; if words have no tags, only the second time. */
function accept() {
  if (!editor.untagged() || warned === view) return decide({ do: "accept" });
  warned = view;
  return tab.say("Some words have no tag: press t to choose one, or Enter again to accept the tree.");
}

/** Decide on the sentence, and open the next one without a decision. */
function decide(operation) {
  const next = nextOpen(rows(), placeOf(rows()));
  return inTurn(async () => {
    await send(operation);
    if (next && next.id !== view.id) await fetchAndShow(next.id);
    else say("saved: this was the last sentence of the list");
  });
}

async function send(operation, { id, revision } = view) {
  const seconds = (performance.now() - begun) / 1000;
  unsaved = { id, revision, operation };
  say("saving …");
  const { sentences, ids } = await post("project/act", { ...unsaved, seconds }, null).catch(failed);
  unsaved = null;
  saved = "saved";
  if (ids) await load();
  for (const one of sentences) note(one);
  const next = sentences.find((one) => one.id === view.id);
  if (next) moveOn(next, operation);
}

function moveOn(next, operation) {
  const { at } = editor;
  const words = editor.positions(at).map((place) => view.names.tokens[place]);
  const isSettled = ["choose", "keep", "forbid"].includes(operation.do);
  const doubt = isSettled && editor.doubt(1, next.doubts);
  put(next);
  const isThere = (name) => [...next.names.nodes, ...next.names.tokens].includes(name);
  editor.go([doubt, next.chosen[0], at].find(isThere) ?? editor.around(words));
}

/** Say why an operation was not saved. After another change, show the sentence as it is now. */
async function failed(error) {
  const isLost = !error.status && !isStop(error);
  if (!isLost) unsaved = null; // otherwise, it is done when the server runs again
  say(isLost || error.status >= 500 ? "not saved" : "");
  if (error.status === 409) {
    ahead = null;
    put(await get("project/sentence", { id: view.id }));
    focusDoubt();
    error.message += ": it is shown as it is now, without your last step.";
  }
  throw error;
}

/** Go on when the server runs again: what was not saved is done, unless the tree has changed. */
async function resume() {
  await load();
  const now = await get("project/sentence", { id: view.id });
  if (unsaved?.revision === now.revision) return inTurn(() => send(unsaved.operation, unsaved));
  put(now);
  editor.go(editor.at);
  say(unsaved ? "The tree has changed: look whether your last step is in it." : "");
  unsaved = null;
  return null;
}

async function load() {
  Object.assign(project, await get("project"));
}

function say(text) {
  saved = text;
  draw();
}

/** Take one of the choices of the part with the focus. */
function choose(number) {
  const { at } = editor;
  return inTurn(async () => {
    const { [number]: choice } = await findChoices(at);
    if (choice?.is_current) await send({ do: "keep", parts: [at] });
    else if (choice) await send({ do: "choose", part: at, choice: number });
  });
}

/** Return the choices of a part, if they are known. */
const choicesOf = (part) => view.choices[part]
  ?? (asked.view === view && asked.part === part ? asked.choices : null);

async function findChoices(part) {
  if (!choicesOf(part)) {
    const seen = view;
    const choices = await get("project/choices", { id: view.id, part });
    asked = { view: seen, part, choices };
    draw();
  }
  return choicesOf(part) ?? [];
}

/** Show the choices of a part when the focus stays there. */
function askChoices(part) {
  clearTimeout(timer);
  const hasNone = !part || part === view.names.nodes[0] || (editor.token && isNull(editor.token));
  if (!hasNone && !choicesOf(part)) timer = setTimeout(() => findChoices(part).catch(() => {}), PAUSE);
}

function draw() {
  if (!view) return;
  askChoices(editor.at);
  const picture = editor.picture({ tree: view.tree, names: view.names, hasFiles: false,
    dress: () => dressed(editor) });
  tab.draw(html`<${Work} ...${{ editor, picture, saved, act, keys: KEYS, type }}
    choices=${choicesOf(editor.at) ?? []} again=${unsaved && (() => tab.attempt(resume))} />`);
  editor.mark();
}

/** Show the list from a sentence on. */
function showList(place = from) {
  from = place;
  render(html`<${SentenceList} ...${{ from, project, open: show, go: showList, attempt: tab.attempt }}
    all=${rows()} current=${view?.id} />`, byId("sentence-list"));
  const box = byId("sentence-list").querySelector(".scroll");
  const row = box.querySelector(".lit"); // in sight without scrolling the page
  const isSeen = !row || (row.offsetTop >= box.scrollTop
    && row.offsetTop + row.offsetHeight <= box.scrollTop + box.clientHeight);
  if (!isSeen) box.scrollTop = row.offsetTop;
}
