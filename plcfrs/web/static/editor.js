// Editing in the picture of a tree: its parts are chosen, dragged to a new mother, or act by keys.

import { html } from "./components.js";
import { byId } from "./dom.js";
import { Picture } from "./picture.js";
import { middle } from "./zoom.js";

const SLACK = 6; // pixels by which the pointer may move in a click
const NEAR = 40; // pixels between the pointer and a new mother
const PARTS = ":is([data-node], [data-token])";
const NOT_A_MOTHER = "A word cannot be a mother: choose a constituent.";

/** Parts have names; `names` has those of the `nodes` and of the `tokens` of the tree in sight. */
export class Editor {
  /** `id` is that of the picture. `draw` is called after a change of what is chosen; `act` gets an
   * operation, `open` a part that was clicked twice, and `keys` are what keys do to a part. */
  constructor(id, { draw, act, open, keys, say }) {
    Object.assign(this, { id, draw, act, open, keys, say });
    this.chosen = []; // names of parts
    this.take = null; // what gets the part that the user chooses next
    this.drag = null; // the dragged part, where it started, and its new mother
  }

  /** Return the picture of a tree with the properties of a `Picture`. */
  picture({ names, ...picture }) {
    this.names = names;
    const dragged = (event) => this.drag && event.preventDefault();
    return html`<div class="edited" onClickCapture=${(event) => this.click(event)}
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

  choose(...names) {
    this.chosen = names;
    this.take = null;
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
    const act = isTaken ? this.take : key === " " ? (part) => this.toggle(part) : this.keys[key];
    if (!act || !name || ctrlKey || metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    act(name);
  }

  /** Attach parts to the constituent that the user chooses next. */
  attach(...parts) {
    this.choose(...parts);
    this.take = (mother) => this.moveTo(mother, parts);
    this.draw();
    this.element(parts[0]).focus();
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
