// Letters beside the labels of a tree: to type them chooses a part.

import { middle } from "./zoom.js";

const LETTERS = [..."asdfghjklqwertyuiopzxcvbnm"];

export class Letters {
  /** The nearest of the parts `names` get one letter each, and if there are many, others two. */
  constructor(editor, names, take) {
    Object.assign(this, { take, typed: "" });
    const from = middle(editor.element(editor.at ?? names[0]).querySelector("text"));
    const far = (name) => {
      const { x, y } = middle(editor.element(name).querySelector("text"));
      return Math.hypot(x - from.x, y - from.y);
    };
    const near = names.map((name) => [far(name), name]).sort(([one], [other]) => one - other);
    const codes = codesFor(names.length);
    this.codes = new Map(near.map(([, name], i) => [codes[i], name]));
    this.shown = [...this.codes].map(([code, name]) => shown(code, editor.element(name)));
  }

  /** Type a key; return whether it is a letter. */
  type(key) {
    if (!LETTERS.includes(key)) return false;
    const isStart = (typed) => [...this.codes.keys()].some((code) => code.startsWith(typed));
    this.typed = isStart(this.typed + key) ? this.typed + key : isStart(key) ? key : "";
    const name = this.codes.get(this.typed);
    if (name) this.take(name);
    return true;
  }

  remove() {
    for (const one of this.shown) one.remove();
    return null;
  }
}

/** Return a code of one or two letters for each of some parts; none starts with another one. */
function codesFor(number) {
  const first = Math.max(0, Math.ceil((number - LETTERS.length) / (LETTERS.length - 1)));
  const single = LETTERS.slice(0, LETTERS.length - first);
  const double = LETTERS.slice(LETTERS.length - first).flatMap(
    (one) => LETTERS.map((other) => one + other));
  return [...single, ...double];
}

/** Show letters at the upper left corner of a label. */
function shown(code, element) {
  const { x, y } = element.querySelector("text").getBBox();
  const group = document.createElementNS("http://www.w3.org/2000/svg", "g");
  group.setAttribute("class", "letters");
  group.setAttribute("transform", `translate(${x} ${y})`);
  const width = 8 * code.length + 5;
  group.innerHTML = `<rect x="${-width + 1}" y="-4" width="${width}" height="17" rx="3" />
    <text x="${1 - width / 2}" y="8.5">${code}</text>`;
  element.ownerSVGElement.append(group); // above everything else
  return group;
}
