// The tab of drawing: a tree is typed or pasted, drawn, edited in its picture, and downloaded.

import { post } from "./api.js";
import { html } from "./components.js";
import { byId, on } from "./dom.js";
import { earlier, keepDraft, onOtherDraft, readDraft, trouble } from "./draft.js";
import { Picture } from "./picture.js";
import { Tab, withoutHistory } from "./tab.js";
import { middle } from "./zoom.js";

const PAUSE = 400; // milliseconds without typing, after which the tree is drawn
const LONGEST = 4000; // characters in an address
const SLACK = 6; // pixels by which the pointer may move in a click
const NEAR = 40; // pixels between the pointer and a new mother
const NONE = { nodes: [], tokens: [], dims: false, isChoice: true };
const EMPTY = { text: "", number: 1, trees: [], traces: false, transform: false, chosen: NONE };

export const tab = new Tab("draw", {
  first: { text: "", tree: 1 }, open, visit, hasModel: false, place: "draw-result",
  // If the text was changed and cannot be read, the tree stays in sight but cannot be edited.
  clear: () => { byId("draw-result").inert = field.value !== state.text; },
});
const field = byId("draw-text"); // without a name: a long text is not in the address
let state = EMPTY; // a text with its trees, the drawn tree, and its chosen parts
let histories = []; // of each tree: the states before and after the current one, the nearest last
let isAttaching = false; // whether the next choice is the new mother of the chosen parts
let drag = null; // the dragged part, where it started, and its new mother
let timer = null;

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

/** Edit `nodes` and `tokens` of the tree; they stay chosen. */
function edit(action, { nodes, tokens: positions }, more) {
  const { tree: { id, discbracket, tokens, secondary_edges }, number } = state;
  const wanted = { id, discbracket, tokens, secondary_edges, action, nodes, positions, ...more };
  isAttaching = false;
  return tab.attempt(async () => {
    const { tree, ...parts } = await post("edit", wanted, "draw/text"); // stops reading a text
    const next = await withVersion(tree.json_line);
    histories[number - 1] = { past: [...histories[number - 1].past, state], future: [] };
    show({ ...next, chosen: { ...NONE, nodes: parts.nodes, tokens: parts.positions } });
  });
}

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
  isAttaching = false;
  byId("draw-result").inert = false;
  field.value = state.text;
  tab.fields.transform.checked = state.transform;
  const kept = state.text.length > LONGEST ? "" : state.text;
  withoutHistory(() => tab.note({ text: kept, tree: state.number })); // Back leaves it
  keep();
  draw();
}

function draw() {
  tab.fields.transform.parentElement.hidden = !state.traces;
  byId("draw-example").hidden = state.tree;
  byId("draft-earlier").hidden = !earlier();
  tab.draw(state.tree && html`<${Editor} ...${state} />`);
}

const ACTS = [
  ["Attach to …", "a", attach], ["Relabel", "F2", relabel], ["Node above", "n", add],
  ["Delete", "Delete", () => edit("delete", state.chosen)]];

function Editor({ text, tree, trees, number, transform, chosen }) {
  const { past, future } = histories[number - 1];
  const count = chosen.nodes.length + chosen.tokens.length;
  const button = (name, key, act, isAble = act === relabel ? count === 1 : count > 0) => html`
    <button type="button" title=${key} disabled=${!isAble} onClick=${act}>${name}</button>`;
  const hint = isAttaching ? "Click the new mother, or go to it and press Enter. Esc cancels."
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
    </div>
    <div onClickCapture=${choose} onKeyDownCapture=${press} onPointerDownCapture=${grab}
      onPointerMove=${move} onPointerUp=${drop} onPointerCancel=${release}
      onTouchMove=${(event) => drag && event.preventDefault()}>
      <${Picture} id="draw-picture" tree=${tree} lit=${chosen}
        all=${{ text, transform, count: trees.length }} /></div>`;
}

/** Return the part of the tree where an event is. */
function partAt({ target }) {
  const element = target.closest("#draw-picture :is([data-node], [data-token])");
  const { node, token } = element?.dataset ?? {};
  return element && { ...NONE, element, [node ? "nodes" : "tokens"]: [Number(node ?? token)] };
}

const isChosen = ({ element }) => element.getAttribute("aria-pressed") === "true";

function pick(chosen) {
  state = { ...state, chosen };
  isAttaching = false;
  draw();
}

/** Choose a part; with Shift, Ctrl, the space bar or a finger, add it to others or remove it. */
function choose(event) {
  const part = partAt(event);
  if (!part) return;
  event.stopPropagation(); // or it would be collapsed
  event.preventDefault();
  const isMore = event.shiftKey || event.ctrlKey || event.metaKey || event.key === " "
    || event.pointerType === "touch";
  const toggled = (name) => state.chosen[name]
    .filter((each) => !part[name].includes(each)).concat(isChosen(part) ? [] : part[name]);
  if (isAttaching) moveTo(part);
  else if (event.detail === 2 || event.key === "Enter") {
    pick(part);
    relabel();
  } else pick(isMore ? { ...NONE, nodes: toggled("nodes"), tokens: toggled("tokens") } : part);
}

/** Act on the chosen parts, or on the focused part if it is not one of them. */
function press(event) {
  const part = partAt(event);
  const [, , act] = ACTS.find(([, key]) => key === event.key) ?? [];
  if (event.key === "Enter" || event.key === " ") choose(event);
  if (event.key === "Escape") {
    release();
    pick(NONE);
  }
  if (!act || !part || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  if (act === relabel || !isChosen(part)) pick(part);
  act();
}

function attach() {
  isAttaching = true;
  draw();
  byId("draw-picture").querySelector("[aria-pressed=true]").focus();
}

function moveTo({ nodes: [mother] }, parts = state.chosen) {
  if (mother === undefined) tab.say("A word cannot be a mother: choose a constituent.");
  else edit("attach", parts, { mother });
}

function add() {
  ask("", "", (found) => edit("add", state.chosen, found));
}

function relabel() {
  const { tree, chosen } = state;
  const { form, tag } = tree.tokens[chosen.tokens[0]] ?? {};
  ask(tag ?? tree.labels[chosen.nodes[0]], form, (found) => edit("relabel", chosen, found));
}

/** Ask for a label, and for a word if the part has one. */
function ask(label, word, answer) {
  const dialog = byId("label-dialog");
  const form = dialog.querySelector("form");
  [form.label.value, form.word.value] = [label, word ?? ""];
  form.word.parentElement.hidden = !word;
  dialog.returnValue = "cancel";
  dialog.onclose = () => dialog.returnValue === "change"
    && answer(Object.fromEntries(new FormData(form)));
  dialog.showModal();
  form.label.select();
}

function grab(event) {
  const part = partAt(event);
  if (!part || event.button) return;
  event.stopPropagation(); // do not drag the whole picture
  drag = { ...part, x: event.clientX, y: event.clientY };
}

/** Let a part follow the pointer, and mark the nearest constituent as its new mother. */
function move({ currentTarget, pointerId, clientX, clientY }) {
  const [x, y] = [clientX - drag?.x, clientY - drag?.y];
  if (!drag || (Math.hypot(x, y) < SLACK && !drag.element.hasAttribute("transform"))) return;
  currentTarget.setPointerCapture(pointerId);
  const scale = drag.element.getScreenCTM().a;
  drag.element.setAttribute("transform", `translate(${x / scale} ${y / scale})`);
  drag.mother?.classList.remove("mother");
  const far = (one) => {
    const label = middle(one.querySelector("text"));
    return Math.hypot(label.x - clientX, label.y - clientY);
  };
  [drag.mother] = [...document.querySelectorAll("#draw-picture [data-node]:not([transform])")]
    .filter((one) => far(one) < NEAR).sort((one, other) => far(one) - far(other));
  drag.mother?.classList.add("mother");
}

function drop() {
  const part = drag;
  release();
  if (part?.mother) moveTo(partAt({ target: part.mother }), isChosen(part) ? undefined : part);
}

function release() {
  drag?.element.removeAttribute("transform");
  drag?.mother?.classList.remove("mother");
  drag = null;
}
