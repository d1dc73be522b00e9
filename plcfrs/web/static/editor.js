// Editing in the picture of a tree: its parts are chosen, dragged to a new mother, or act by keys.

import { html } from "./components.js";
import { byId, focusOn } from "./dom.js";
import { Letters } from "./letters.js";
import { Picture } from "./picture.js";
import { middle } from "./zoom.js";

const SLACK = 6; // pixels by which the pointer may move in a click
const NEAR = 40; // pixels between the pointer and a new mother
const PARTS = ":is([data-node], [data-token])";
const NOT_A_MOTHER = "A word cannot be a mother: choose a constituent.";

/** Parts have names; `names` has those of the `nodes` and of the `tokens` of the tree in sight. */
export class Editor {
  /** `id` is that of the picture. `draw` is called when what is chosen or has the focus changes;
   * `act` gets an operation, `open` a part that was clicked twice, and `actOf` returns what a key
   * does to a part. */
  constructor(id, { draw, act, open, actOf, say }) {
    Object.assign(this, { id, draw, act, open, actOf, say });
    this.chosen = []; // names of parts
    this.at = null; // the part that has, or had, the focus
    this.take = null; // what gets the part that the user chooses next
    this.letters = null; // that choose a part, too
    this.drag = null; // the dragged part, where it started, and its new mother
  }

  /** Return the picture of a tree with the properties of a `Picture`. */
  picture({ names, ...picture }) {
    this.names = names;
    const dragged = (event) => this.drag && event.preventDefault();
    return html`<div class="edited" onFocusCapture=${(event) => this.reach(event)}
      onClickCapture=${(event) => this.click(event)}
      onKeyDownCapture=${(event) => this.press(event)}
      onPointerDownCapture=${(event) => this.grab(event)}
      onPointerMove=${(event) => this.move(event)} onPointerUp=${() => this.drop()}
      onPointerCancel=${() => this.release()} onTouchMove=${dragged}>
      <${Picture} id=${this.id} lit=${this.lit()} ...${picture} /></div>`;
  }

  /** Return the chosen parts as a picture wants them. */
  lit() {
    const { chosen, names } = this;
    if (this.shown?.chosen !== chosen || this.shown.names !== names) {
      const numbers = (kind) => chosen.map((name) => names[kind].indexOf(name)).filter((i) => i >= 0);
      const lit = { nodes: numbers("nodes"), tokens: numbers("tokens"), isChoice: true };
      this.shown = { chosen, names, lit };
    }
    return this.shown.lit;
  }

  /** Return the name of the part where an event is. */
  nameAt({ target }) {
    const { node, place } = target.closest(`#${this.id} ${PARTS}`)?.dataset ?? {};
    return place && this.names[node ? "nodes" : "tokens"][place];
  }

  /** Return the element of a part. */
  element(name) {
    const [node, token] = ["nodes", "tokens"].map((kind) => this.names[kind].indexOf(name));
    const [kind, place] = node < 0 ? ["token", token] : ["node", node];
    return byId(this.id).querySelector(`[data-${kind}][data-place="${place}"]`);
  }

  isNode(name) {
    return this.names.nodes.includes(name);
  }

  /** Return the positions of the tokens of a part; none if it is not in sight. */
  positions(name) {
    const token = this.names.tokens.indexOf(name);
    const { yield: words } = (this.isNode(name) && this.element(name)?.dataset) || {};
    return words?.split(" ").map(Number) ?? (token < 0 ? [] : [token]);
  }

  /** Return a constituent with those below it. */
  below(name) {
    if (!this.isNode(name)) return [name];
    const words = new Set(this.positions(name));
    const isBelow = (one) => this.positions(one).every((each) => words.has(each));
    return this.names.nodes.slice(this.names.nodes.indexOf(name)).filter(isBelow);
  }

  /** Return the lowest constituent around some tokens that are still there, or the root. */
  around(tokens) {
    const words = tokens.flatMap((name) => this.positions(name));
    return this.names.nodes.findLast((name) => {
      const own = this.positions(name);
      return words.every((each) => own.includes(each));
    }) ?? this.names.nodes[0];
  }

  /** Mark the part that has, or had, the focus. */
  mark() {
    byId(this.id).querySelector(".current")?.classList.remove("current");
    this.element(this.at)?.classList.add("current");
  }

  /** Return the chosen parts, or the one with the focus if it is not among them. */
  parts() {
    return this.chosen.includes(this.at) ? this.chosen : [this.at];
  }

  reach(event) {
    const name = this.nameAt(event);
    if (!name || name === this.at) return;
    this.at = name;
    this.draw();
  }

  choose(...names) {
    this.chosen = names;
    this.take = null;
    this.letters = this.letters?.remove();
    this.draw();
  }

  /** Choose a part; with Shift, Ctrl or a finger, add it to others or remove it. */
  click(event) {
    const name = this.nameAt(event);
    if (!name) return;
    event.stopPropagation(); // or it would be collapsed
    event.preventDefault();
    const isMore = event.shiftKey || event.ctrlKey || event.metaKey || event.pointerType === "touch";
    if (this.take) this.take(name);
    else if (event.detail === 2) this.open(name);
    else if (isMore) this.toggle(name);
    else this.choose(name);
  }

  toggle(name) {
    const others = this.chosen.filter((one) => one !== name);
    this.choose(...others, ...(this.chosen.includes(name) ? [] : [name]));
  }

  press(event) {
    const { key, ctrlKey, metaKey } = event;
    const name = this.nameAt(event);
    if (key === "Escape") {
      this.release();
      this.choose();
    }
    const isTaken = this.take && (key === "Enter" || key === " ");
    const act = isTaken ? this.take : key === " " ? (part) => this.toggle(part) : this.actOf(key);
    const isControl = (ctrlKey || metaKey) && !event.getModifierState("AltGraph");
    if (!act || !name || isControl) return;
    event.preventDefault();
    event.stopPropagation();
    act(name);
  }

  /** Attach parts to the constituent that the user chooses next. */
  attach(...parts) {
    this.pick(parts, (mother) => this.moveTo(mother, parts));
  }

  /** Give to a function what the user chooses next for some parts; letters choose `candidates`. */
  pick(parts, take, candidates = []) {
    this.choose(...parts);
    this.take = take;
    this.letters = candidates.length ? new Letters(this, candidates, take) : null;
    this.draw();
    if (parts.length) focusOn(this.element(parts[0]));
  }

  moveTo(mother, parts) {
    if (!this.isNode(mother)) this.say(NOT_A_MOTHER);
    else this.act({ do: "attach", parts, mother });
  }

  grab(event) {
    const name = this.nameAt(event);
    if (!name || event.button) return;
    event.stopPropagation(); // do not drag the whole picture
    this.drag = { name, element: this.element(name), x: event.clientX, y: event.clientY };
  }

  /** Let a part follow the pointer, and mark the nearest constituent as its new mother. */
  move({ currentTarget, pointerId, clientX, clientY }) {
    const { drag } = this;
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
    [drag.mother] = [...byId(this.id).querySelectorAll("[data-node]:not([transform])")]
      .filter((one) => far(one) < NEAR).sort((one, other) => far(one) - far(other));
    drag.mother?.classList.add("mother");
  }

  drop() {
    const { name, mother } = this.drag ?? {};
    this.release();
    if (!mother) return;
    const parts = this.chosen.includes(name) ? this.chosen : [name];
    this.moveTo(this.nameAt({ target: mother }), parts);
  }

  release() {
    this.drag?.element.removeAttribute("transform");
    this.drag?.mother?.classList.remove("mother");
    this.drag = null;
  }
}

/** Ask for a label, and for a word if the part has one. */
export function askLabel(label, word, answer) {
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
