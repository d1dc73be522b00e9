// The tab of drawing: a tree is typed or pasted, drawn, edited in its picture, and taken away.

import { post } from "./api.js";
import { html } from "./components.js";
import { byId, on } from "./dom.js";
import { Picture } from "./picture.js";
import { quietly, Tab } from "./tab.js";
import { middle } from "./zoom.js";

const PAUSE = 400; // milliseconds without typing, after which the tree is drawn
const LONGEST = 4000; // characters in an address
const SLACK = 6; // pixels by which the pointer may move in a click
const NEAR = 40; // pixels between the pointer and a new mother
const NONE = { nodes: [], tokens: [], dims: false, isChoice: true };
const EMPTY = { text: "", number: 1, texts: [], traces: false, transform: false, chosen: NONE };

export const tab = new Tab("draw", {
  first: { text: "", tree: 1 }, visit, hasModel: false, place: "draw-result",
  // A tree whose text was changed, and cannot be read now, is in sight but cannot be edited.
  clear: () => { byId("draw-result").inert = field.value !== states[now].text; },
});
const field = byId("draw-text"); // without a name: a long text is not in the address
const states = [EMPTY]; // a text with its trees, one of which is drawn, and what is chosen there
let now = 0; // the number of the state in sight: Undo and Redo change it
let isAttaching = false; // whether the next choice is the new mother of what is chosen
let drag = null; // the part that is dragged, from where, and to which mother
let timer = null;

on("draw-form", "submit", () => read());
on("draw-transform", "change", () => read());
on("draw-example", "click", ({ target }) => {
  field.value = target.value;
  read();
});
on("draw-text", "input", () => {
  clearTimeout(timer);
  timer = setTimeout(read, PAUSE);
});
on("draw", "keydown", (event) => {
  const isTyped = event.target === field && field.value !== states[now].text;
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || isTyped) return;
  event.preventDefault(); // but what was just typed, the browser undoes
  step(event.shiftKey ? 1 : -1);
});

function visit(values) {
  tab.restore(values);
  field.value = tab.shown.text;
  read(tab.shown.tree);
}

/** Draw a tree of the text. */
function read(number = states[now].number) {
  clearTimeout(timer);
  const wanted = { ...EMPTY, text: field.value, number, ...tab.values("transform") };
  return tab.attempt(async () => {
    put({ ...wanted, ...wanted.text.trim() && await post("draw/text", wanted) });
  });
}

/** Edit `nodes` and `tokens` of the tree; they stay chosen. */
function edit(action, { nodes, tokens: positions }, more) {
  const { tree: { discbracket, tokens, secondary_edges }, number, ...state } = states[now];
  const wanted = { discbracket, tokens, secondary_edges, action, nodes, positions, ...more };
  isAttaching = false;
  return tab.attempt(async () => {
    const { tree, ...parts } = await post("edit", wanted, "draw/text"); // a text is read no more
    const texts = state.texts.with(number - 1, tree.discbracket);
    const chosen = { ...NONE, nodes: parts.nodes, tokens: parts.positions };
    field.value = texts.join("").trim();
    put({ ...EMPTY, text: field.value, number, texts, tree, chosen });
  });
}

/** Show a state; if the text is another one, Undo goes back to the tree before. */
function put(state) {
  const isStep = states[now].tree && state.text !== states[now].text;
  states.splice(isStep ? now + 1 : now, states.length, state);
  show(states.length - 1);
}

function step(by) {
  if (!states[now + by]) return;
  field.value = states[now + by].text;
  show(now + by);
}

function show(place) {
  now = place;
  const { text, number, transform } = states[now];
  isAttaching = false;
  byId("draw-result").inert = false;
  tab.fields.transform.checked = transform;
  const kept = text.length > LONGEST ? "" : text;
  quietly(() => tab.note({ text: kept, tree: number })); // Back leaves it
  draw();
}

function draw() {
  tab.fields.transform.parentElement.hidden = !states[now].traces;
  byId("draw-example").hidden = states[now].tree;
  tab.draw(states[now].tree && html`<${Editor} ...${states[now]} />`);
}

const ACTS = [
  ["Attach to …", "a", attach], ["Relabel", "F2", relabel], ["Node above", "n", add],
  ["Delete", "Delete", () => edit("delete", states[now].chosen)]];

function Editor({ text, tree, texts, number, chosen }) {
  const count = chosen.nodes.length + chosen.tokens.length;
  const button = (name, key, act, isAble = act === relabel ? count === 1 : count > 0) => html`
    <button type="button" title=${key} disabled=${!isAble} onClick=${act}>${name}</button>`;
  const hint = isAttaching ? "Click the new mother, or go to it and press Enter; or Esc."
    : text.length > LONGEST ? "The text is too long for the address: it stays in this page only."
      : "Drag a label to its new mother. Click to choose, with Shift several; double-click to "
        + "relabel.";
  return html`
    <div class="row tools" role="group" aria-label="Edit">
      ${texts.length > 1 && html`
        ${button("Previous", "", () => read(number - 1), number > 1)}
        <span role="status">Tree ${number} of ${texts.length}</span>
        ${button("Next", "", () => read(number + 1), number < texts.length)}`}
      ${ACTS.map((one) => button(...one))}
      ${button("Undo", "Ctrl+Z", () => step(-1), now > 0)}
      ${button("Redo", "Ctrl+Shift+Z", () => step(1), now + 1 < states.length)}
      <span class="hint" role="status">${hint}</span>
    </div>
    <div onClickCapture=${choose} onKeyDownCapture=${press} onPointerDownCapture=${grab}
      onPointerMove=${move} onPointerUp=${drop} onPointerCancel=${release}
      onTouchMove=${(event) => drag && event.preventDefault()}>
      <${Picture} id="draw-picture" tree=${tree} lit=${chosen} /></div>`;
}

/** Return the part of the tree where an event is. */
function partAt({ target }) {
  const element = target.closest("#draw-picture :is([data-node], [data-token])");
  const { node, token } = element?.dataset ?? {};
  return element && { ...NONE, element, [node ? "nodes" : "tokens"]: [Number(node ?? token)] };
}

const isChosen = ({ element }) => element.getAttribute("aria-pressed") === "true";

function pick(chosen) {
  states[now] = { ...states[now], chosen };
  isAttaching = false;
  draw();
}

/** Choose a part; with Shift, Ctrl, the blank or a finger, besides others, or no longer. */
function choose(event) {
  const one = partAt(event);
  if (!one) return;
  event.stopPropagation(); // or it would be collapsed
  event.preventDefault();
  const isMore = event.shiftKey || event.ctrlKey || event.metaKey || event.key === " "
    || event.pointerType === "touch";
  const toggled = (name) => states[now].chosen[name]
    .filter((each) => !one[name].includes(each)).concat(isChosen(one) ? [] : one[name]);
  if (isAttaching) moveTo(one);
  else if (event.detail === 2 || event.key === "Enter") {
    pick(one);
    relabel();
  } else pick(isMore ? { ...NONE, nodes: toggled("nodes"), tokens: toggled("tokens") } : one);
}

/** Act on what is chosen, or only on the part that has the focus if it is not. */
function press(event) {
  const one = partAt(event);
  const [, , act] = ACTS.find(([, key]) => key === event.key) ?? [];
  if (event.key === "Enter" || event.key === " ") choose(event);
  if (event.key === "Escape") {
    release();
    pick(NONE);
  }
  if (!act || !one || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  if (act === relabel || !isChosen(one)) pick(one);
  act();
}

function attach() {
  isAttaching = true;
  draw();
  byId("draw-picture").querySelector("[aria-pressed=true]").focus();
}

function moveTo({ nodes: [mother] }, parts = states[now].chosen) {
  if (mother === undefined) tab.say("A word cannot be a mother: choose a constituent.");
  else edit("attach", parts, { mother });
}

function add() {
  ask("", "", (found) => edit("add", states[now].chosen, found));
}

function relabel() {
  const { tree, chosen } = states[now];
  const { form, tag } = tree.tokens[chosen.tokens[0]] ?? {};
  ask(tag ?? tree.labels[chosen.nodes[0]], form, (found) => edit("relabel", chosen, found));
}

/** Ask for a label, and for a word if there is one. */
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
  const one = partAt(event);
  if (!one || event.button) return;
  event.stopPropagation(); // it is not the whole picture that is dragged
  drag = { ...one, x: event.clientX, y: event.clientY };
}

/** Let a part follow the pointer, and mark its new mother: the nearest constituent. */
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
