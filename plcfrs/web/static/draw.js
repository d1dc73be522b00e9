// The tab of drawing: a tree is typed or pasted, drawn, edited in its picture, and taken away.

import { post } from "./api.js";
import { html } from "./components.js";
import { byId, on } from "./dom.js";
import { Picture } from "./picture.js";
import { quietly, Tab } from "./tab.js";

const EXAMPLE = "(SBARQ (SQ (VP (WHNP (WP 0=What)) (VB 3=do)) (MD 1=should) (NP (PRP 2=we))) (. 4=?))";
const PAUSE = 400; // milliseconds without typing, after which the tree is drawn
const LONGEST = 4000; // characters in an address
const SLACK = 6; // pixels by which the pointer may move in a click
const NEAR = 40; // pixels between the pointer and a new mother
const NONE = { nodes: [], tokens: [], dims: false };
const EMPTY = { text: "", number: 1, texts: [], traces: false, transform: false, chosen: NONE };

export const tab = new Tab("draw", {
  first: { text: "", tree: 1 }, open: draw, visit, clear: () => {}, hasModel: false,
  place: "draw-result",
});
const field = byId("draw-text"); // without a name: a long text is not in the address
const states = [EMPTY]; // a text with its trees, one of which is drawn, and what is chosen there
let now = 0; // the number of the state in sight: Undo and Redo change it
let isAttaching = false; // whether the next choice is the new mother of what is chosen
let drag = null; // the part that is dragged, from where, and to which mother
let timer = null;

on("draw-form", "submit", () => read());
on("draw-transform", "change", () => read());
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
    const { tree, ...parts } = await post("edit", wanted);
    const texts = state.texts.with(number - 1, tree.discbracket);
    const chosen = { ...NONE, nodes: parts.nodes, tokens: parts.positions };
    field.value = texts.join("").trim();
    put({ ...EMPTY, text: field.value, number, texts, tree, chosen });
  });
}

/** Show a state; if the text is another one, Undo goes back to the tree before. */
function put(state) {
  if (states[now].tree && state.text !== states[now].text) now += 1;
  states.splice(now, states.length, state);
  show();
}

function step(by) {
  if (!states[now + by]) return;
  now += by;
  field.value = states[now].text;
  show();
}

function show() {
  const { text, number, transform } = states[now];
  isAttaching = false;
  tab.fields.transform.checked = transform;
  quietly(() => tab.note({ text: text.length > LONGEST ? "" : text, tree: number })); // Back leaves it
  draw();
}

function draw() {
  tab.fields.transform.parentElement.hidden = !states[now].traces;
  tab.draw(states[now].tree ? html`<${Editor} ...${states[now]} />` : html`
    <div class="row examples"><button type="button" onClick=${() => {
      field.value = EXAMPLE;
      read();
    }}>What should we do ?</button></div>`);
}

function Editor({ text, tree, texts, number, chosen }) {
  const count = chosen.nodes.length + chosen.tokens.length;
  const button = (name, keys, act, isAble = count > 0) => html`
    <button type="button" title=${keys} disabled=${!isAble} onClick=${act}>${name}</button>`;
  return html`
    <div class="row tools" role="group" aria-label="Edit">
      ${texts.length > 1 && html`
        ${button("Previous", "", () => read(number - 1), number > 1)}
        <span role="status">Tree ${number} of ${texts.length}</span>
        ${button("Next", "", () => read(number + 1), number < texts.length)}`}
      ${button("Attach to …", "a", attach)}
      ${button("Relabel", "F2 or Enter", relabel, count === 1)}
      ${button("Node above", "n", add)}
      ${button("Delete", "Delete", remove)}
      ${button("Undo", "Ctrl+Z", () => step(-1), now > 0)}
      ${button("Redo", "Ctrl+Shift+Z", () => step(1), now + 1 < states.length)}
      <span class="hint" role="status">${hint(text)}</span>
    </div>
    <div onKeyDown=${press} onPointerDownCapture=${grab} onPointerMove=${move} onPointerUp=${drop}
      onPointerCancel=${release} onTouchMove=${(event) => drag && event.preventDefault()}
      onDblClickCapture=${(event) => event.stopPropagation()}>
      <${Picture} id="draw-picture" tree=${tree} lit=${chosen} choose=${choose} /></div>`;
}

function hint({ length }) {
  if (isAttaching) return "Click the new mother, or go to it and press Enter; or Esc.";
  return length > LONGEST ? "The text is too long for the address: it stays in this page only."
    : "Drag a label to its new mother. Click to choose, with Shift several; double-click to relabel.";
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

/** Choose a part; with Shift, Ctrl or the blank, besides others, or no longer. */
function choose(_, event) {
  const one = partAt(event);
  const isMore = event.shiftKey || event.ctrlKey || event.metaKey || event.key === " ";
  const toggled = (name) => states[now].chosen[name]
    .filter((each) => !one[name].includes(each)).concat(isChosen(one) ? [] : one[name]);
  if (isAttaching) {
    event.stopPropagation(); // Enter does nothing else
    moveTo(one);
  } else pick(isMore ? { ...NONE, nodes: toggled("nodes"), tokens: toggled("tokens") } : one);
  if (event.detail === 2) relabel();
}

/** Act on what is chosen, or only on the part that has the focus if it is not. */
function press(event) {
  const act = { Enter: relabel, F2: relabel, Delete: remove, a: attach, n: add, Escape: leave }[event.key];
  const one = partAt(event);
  if (!act || !one || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  if (!isChosen(one)) pick(one);
  act();
}

function leave() {
  release();
  pick(NONE);
}

const remove = () => edit("delete", states[now].chosen);

function attach() {
  isAttaching = true;
  draw();
  byId("draw-picture").querySelector("[aria-pressed=true]").focus();
}

function moveTo({ nodes: [mother] }, parts = states[now].chosen) {
  if (mother === undefined) tab.say("A word cannot be a mother: choose a constituent.");
  else edit("attach", parts, { mother });
}

const add = () => ask("", "", (found) => edit("add", states[now].chosen, found));

function relabel() {
  const { tree, chosen } = states[now];
  const { form, tag } = tree.tokens[chosen.tokens[0]] ?? {};
  ask(tag ?? tree.labels[chosen.nodes[0]], form, (found) => edit("relabel", chosen, found));
}

/** Ask for a label, and for a word if there is one. */
function ask(label, word, answer) {
  const dialog = byId("label-dialog");
  const { elements: fields } = dialog.querySelector("form");
  [fields.label.value, fields.word.value] = [label, word ?? ""];
  fields.word.parentElement.hidden = !word;
  dialog.returnValue = "cancel";
  dialog.onclose = () => dialog.returnValue === "change"
    && answer({ label: fields.label.value, word: fields.word.value });
  dialog.showModal();
  fields.label.select();
}

function grab(event) {
  const one = partAt(event);
  if (!one || event.button) return;
  event.stopPropagation(); // it is not the whole picture that is dragged
  drag = { ...one, x: event.clientX, y: event.clientY };
}

function move(event) {
  if (!drag) return;
  const { element, mother } = drag;
  const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
  if (Math.hypot(x, y) < SLACK && !element.hasAttribute("transform")) return;
  event.currentTarget.setPointerCapture(event.pointerId);
  const scale = element.getScreenCTM().a;
  element.setAttribute("transform", `translate(${x / scale} ${y / scale})`);
  mother?.classList.remove("mother");
  drag.mother = nearest(event);
  drag.mother?.classList.add("mother");
}

/** Return the constituent whose label is nearest to the pointer. */
function nearest({ clientX, clientY }) {
  const distance = (one) => {
    const { x, y, width, height } = one.querySelector("text").getBoundingClientRect();
    return Math.hypot(x + width / 2 - clientX, y + height / 2 - clientY);
  };
  const others = [...document.querySelectorAll("#draw-picture [data-node]:not([transform])")];
  const [first] = others.sort((one, other) => distance(one) - distance(other));
  return first && distance(first) < NEAR ? first : undefined;
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
