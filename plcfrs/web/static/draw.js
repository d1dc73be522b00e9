// The tab of drawing: a tree is typed or pasted, drawn, edited in its picture, and downloaded.

import { post } from "./api.js";
import { html } from "./components.js";
import { byId, on } from "./dom.js";
import { earlier, keepDraft, onOtherDraft, readDraft, trouble } from "./draft.js";
import { askLabel, Editor } from "./editor.js";
import { Tab, withoutHistory } from "./tab.js";

const PAUSE = 400; // milliseconds without typing, after which the tree is drawn
const LONGEST = 4000; // characters in an address
const EMPTY = { text: "", number: 1, trees: [], traces: false, transform: false, chosen: [] };

export const tab = new Tab("draw", {
  first: { text: "", tree: 1 }, open, visit, hasModel: false, place: "draw-result",
  // If the text was changed and cannot be read, the tree stays in sight but cannot be edited.
  clear: () => { byId("draw-result").inert = field.value !== state.text; },
});
const field = byId("draw-text"); // without a name: a long text is not in the address
let state = EMPTY; // a text with its trees, the drawn tree, and the parts that its edit changed
let histories = []; // of each tree: the states before and after the current one, the nearest last
let timer = null;
const onChosen = (act) => (name) => { // or on the focused part if it is not one of them
  if (!editor.chosen.includes(name)) editor.choose(name);
  act();
};
const KEYS = { Enter: relabel, F2: relabel, a: onChosen(attach), n: onChosen(add),
  Delete: onChosen(remove) };
const editor = new Editor("draw-picture", {
  draw, act: edit, open: relabel, actOf: (key) => KEYS[key], say: tab.say });

on("draw-form", "submit", () => read());
on("draw-transform", "change", () => read());
on("draw-example", "click", ({ target }) => begin(target.value));
on("draw-text", "input", () => {
  clearTimeout(timer);
  timer = setTimeout(read, PAUSE);
  keep();
});
on("draw", "keydown", (event) => {
  const isTyped = event.target === field && field.value !== state.text;
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || isTyped) return;
  event.preventDefault(); // the browser undoes typing
  step(event.shiftKey ? 1 : -1);
});
on("draft-earlier", "click", () => {
  const { text, number } = earlier();
  begin(text, number);
});
on("draft-other", "click", () => {
  const { text, number } = readDraft();
  begin(text, number);
});
on("draft-mine", "click", () => {
  const { text, number } = readDraft();
  keep({ text, number });
});
onOtherDraft(() => field.value, showDraft);

function visit(values) {
  tab.restore(values);
  const { text, tree } = tab.shown;
  const draft = readDraft();
  // A text that is not in the address, or was typed since, is the draft.
  const isDraft = draft.text && (!text || text === draft.noted);
  begin(isDraft ? draft.text : text, tree);
}

/** Go on with the draft when the tab is first opened. */
function open() {
  const { text, number } = field.value ? {} : readDraft();
  if (text) begin(text, number);
}

/** Draw a text in place of another one, which is kept. */
function begin(text, number = 1) {
  const before = { text: field.value, number: state.number };
  const { text: old, number: place } = field.value ? before : readDraft();
  field.value = text;
  keep(old && old !== text ? { text: old, number: place } : undefined);
  return read(number, text.startsWith("{"));
}

/** Keep the text, or say that this is not possible. */
function keep(before) {
  keepDraft(field.value, { number: state.number, noted: tab.shown.text }, before);
  showDraft();
}

function showDraft() {
  byId("draft-trouble").hidden = !trouble;
  byId("draft-trouble").firstElementChild.textContent = trouble;
  for (const id of ["draft-other", "draft-mine"]) byId(id).hidden = !trouble.startsWith("Another");
}

/** Draw a tree of the text; if asked for, turn the text into a readable format. */
function read(number = state.number, isForPeople = false) {
  clearTimeout(timer);
  const wanted = { text: field.value, number, ...tab.values("transform") };
  return tab.attempt(async () => {
    const found = wanted.text.trim() && await post("draw/text", wanted);
    if (isForPeople) field.value = found.text.trim();
    const next = { ...EMPTY, ...wanted, ...found, text: field.value };
    histories = next.trees.map((one, i) => (
      one === state.trees[i] && histories[i] ? histories[i] : { past: [], future: [] }));
    show(next);
  });
}

/** Edit the tree; the edited parts stay chosen. */
function edit(operation) {
  const { tree: { id, discbracket, tokens, secondary_edges }, number } = state;
  const wanted = { id, discbracket, tokens, secondary_edges, operation };
  const before = { ...state, chosen: editor.chosen };
  editor.choose(...editor.chosen);
  return tab.attempt(async () => {
    const { tree, chosen } = await post("edit", wanted, "draw/text"); // stops reading a text
    const next = await withVersion(tree.json_line);
    histories[number - 1] = { past: [...histories[number - 1].past, before], future: [] };
    show({ ...next, chosen });
  });
}

const numberOf = (name) => Number(name.slice(1));

/** Return the text with another version of the drawn tree. */
async function withVersion(version) {
  const { trees, number } = state;
  const lines = trees.with(number - 1, version).join("");
  const found = await post("draw/text", { text: lines, number });
  return { ...EMPTY, ...found, text: found.text.trim() };
}

/** Undo or redo the last edit of the drawn tree. */
function step(by) {
  const place = state.number - 1;
  const { past = [], future = [] } = histories[place] ?? {};
  const wanted = (by < 0 ? past : future).at(-1);
  if (!wanted) return;
  tab.attempt(async () => {
    const isSame = state.trees.every((one, i) => i === place || one === wanted.trees[i]);
    const next = isSame ? wanted : await withVersion(wanted.trees[place]);
    histories[place] = by < 0 ? { past: past.slice(0, -1), future: [...future, state] }
      : { past: [...past, state], future: future.slice(0, -1) };
    show(next);
  });
}

function show(next) {
  state = next;
  byId("draw-result").inert = false;
  field.value = state.text;
  tab.fields.transform.checked = state.transform;
  const kept = state.text.length > LONGEST ? "" : state.text;
  withoutHistory(() => tab.note({ text: kept, tree: state.number })); // Back leaves it
  keep();
  editor.choose(...state.chosen);
}

function draw() {
  tab.fields.transform.parentElement.hidden = !state.traces;
  byId("draw-example").hidden = state.tree;
  byId("draft-earlier").hidden = !earlier();
  tab.draw(state.tree && html`<${Tools} ...${state} chosen=${editor.chosen} />
    ${editor.picture({ tree: state.tree, names: namesOf(state.tree),
    all: { text: state.text, transform: state.transform, count: state.trees.length } })}`);
}

const named = new WeakMap(); // the names of the parts of trees

function namesOf(tree) {
  const { labels, tokens } = tree;
  if (!named.has(tree)) {
    named.set(tree, { nodes: labels.map((_, i) => `n${i}`), tokens: tokens.map((_, i) => `t${i}`) });
  }
  return named.get(tree);
}

const ACTS = [
  ["Attach to …", "a", attach], ["Relabel", "F2", () => relabel(editor.chosen[0])],
  ["Node above", "n", add], ["Delete", "Delete", remove]];

function Tools({ text, trees, number, chosen }) {
  const { past, future } = histories[number - 1];
  const count = chosen.length;
  const button = (name, key, act, isAble = name === "Relabel" ? count === 1 : count > 0) => html`
    <button type="button" title=${key} disabled=${!isAble} onClick=${act}>${name}</button>`;
  const hint = editor.take ? "Click the new mother, or go to it and press Enter. Esc cancels."
    : text.length > LONGEST ? "The text is too long for the address: it is kept in this browser."
      : "Drag a label to its new mother. Click to choose, Shift+click to choose several, "
        + "double-click to relabel.";
  return html`
    <div class="row tools" role="group" aria-label="Edit">
      ${trees.length > 1 && html`
        ${button("Previous", "", () => read(number - 1), number > 1)}
        <span role="status">Tree ${number} of ${trees.length}</span>
        ${button("Next", "", () => read(number + 1), number < trees.length)}`}
      ${ACTS.map((one) => button(...one))}
      ${button("Undo", "Ctrl+Z", () => step(-1), past.length > 0)}
      ${button("Redo", "Ctrl+Shift+Z", () => step(1), future.length > 0)}
      <span class="hint" role="status">${hint}</span>
    </div>`;
}

function attach() {
  editor.attach(...editor.chosen);
}

function add() {
  askLabel("", "", (found) => edit({ do: "add", parts: editor.chosen, label: found.label }));
}

function remove() {
  edit({ do: "delete", parts: editor.chosen });
}

function relabel(name) {
  const { tree } = state;
  const { form, tag } = editor.isNode(name) ? {} : tree.tokens[numberOf(name)];
  editor.choose(name);
  askLabel(tag ?? tree.labels[numberOf(name)], form,
    (found) => edit({ do: "relabel", parts: [name], ...found }));
}
