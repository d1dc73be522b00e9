// The drawing of a tree, as the server has made it: its parts take the focus, light up, and act.

import { detailsOf } from "./details.js";
import { roving } from "./dom.js";

const KEYS = {
  ArrowUp: (part) => part.mother,
  ArrowDown: (part) => part.children[0],
  ArrowLeft: (part) => sister(part, -1),
  ArrowRight: (part) => sister(part, 1),
};

/** Return the element of a picture that the server has made. */
export function elementOf(svg) {
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml");
  return document.importNode(parsed.documentElement, true);
}

/** `drawn` has the `svg`, and the `nodes` and `parts` of the tree that it shows; `shut` are the
 * collapsed constituents; `acts` are `toggle` (gets a node), `edit` (gets a position, or null if
 * tags cannot be changed) and `point` (gets what the pointer or the focus is on, in words). */
export class Drawing {
  constructor(tree, drawn, shut, acts) {
    Object.assign(this, { tree, shut, acts });
    this.svg = elementOf(drawn.svg);
    this.svg.setAttribute("role", "group");
    this.parts = partsOf(this.svg, drawn);
    for (const part of this.parts) this.prepare(part);
    const partOf = new Map(this.parts.map((part) => [part.element, part]));
    roving(this.parts.map((part) => part.element),
      (one, key) => KEYS[key]?.(partOf.get(one))?.element);
    this.lit = { tokens: [], nodes: [] };
  }

  prepare(part) {
    const { element } = part;
    const isTag = part.node === undefined;
    if (isTag) element.querySelector("text").after(" "); // readers must not join tag and word
    const act = this.actOf(part);
    element.setAttribute("role", act ? "button" : "img");
    if (!isTag) element.setAttribute("aria-expanded", String(!this.shut.has(part.node)));
    element.setAttribute("aria-label", this.name(part));
    for (const event of ["pointerenter", "focus"]) {
      element.addEventListener(event, () => this.point(part));
    }
    for (const event of ["pointerleave", "blur"]) {
      element.addEventListener(event, () => this.point(null));
    }
    if (!act) return;
    element.addEventListener("click", act);
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      act();
    });
  }

  actOf({ node, positions: [position, ...others] }) {
    if (node !== undefined) return () => this.acts.toggle(node);
    return this.acts.edit && !others.length && (() => this.acts.edit(position));
  }

  /** Return the label and the words of a part, and what else is known of it. */
  name(part, words = this.words(part.positions)) {
    const { tokens, labels } = this.tree;
    const label = part.node === undefined ? tokens[part.positions[0]].tag : labels[part.node];
    return [`${label}: ${words}`, ...detailsOf(this.tree, part)].join(", ");
  }

  /** Return the words of some tokens, with dots for gaps. */
  words(positions) {
    return positions.map((position, i) => {
      const gap = i > 0 && positions[i - 1] + 1 < position ? "… " : "";
      return gap + this.tree.tokens[position].form;
    }).join(" ");
  }

  /** Light up what the pointer or the focus is on; without it, what was lit before. */
  point(part) {
    if (part) this.mark(part.positions, (one) => one === part);
    else this.light(this.lit);
    this.acts.point(part ? this.name(part, shortened(this.words(part.positions))) : "");
  }

  /** Light up tokens and constituents, by their numbers. */
  light(lit) {
    this.lit = lit;
    this.mark(lit.tokens, ({ node }) => lit.nodes.includes(node));
  }

  mark(positions, isLit) {
    const chosen = new Set(positions);
    for (const part of this.parts) {
      const isChosen = part.node === undefined && part.positions.some((one) => chosen.has(one));
      part.element.classList.toggle("lit", isChosen || isLit(part));
    }
  }

  focus(node) {
    this.parts.find((part) => part.node === node)?.element.focus();
  }
}

/** Return constituents (mothers before children) and tokens, each with its mother and children.
 * Their positions are those in the sentence. */
function partsOf(svg, drawn) {
  const nodes = [...svg.querySelectorAll("[data-node]")].map((element) => ({
    element,
    node: drawn.nodes[Number(element.dataset.node)],
    positions: element.dataset.yield.split(" ").flatMap((token) => drawn.parts[token]),
    children: [],
  }));
  const tokens = [...svg.querySelectorAll("[data-token]")].map((element) => ({
    element, positions: drawn.parts[element.dataset.token], children: [],
  }));
  const found = [...nodes, ...tokens];
  found.forEach((part, i) => {
    // Constituents are nested or disjoint: the last one around it is the mother.
    const before = nodes.slice(0, Math.min(i, nodes.length));
    part.mother = before.findLast((one) => one.positions.includes(part.positions[0]));
    part.mother?.children.push(part);
  });
  for (const part of found) part.children.sort((one, other) => one.positions[0] - other.positions[0]);
  return found;
}

/** Shorten a long text in the middle, so that what follows it stays in sight. */
const shortened = (text) => (text.length > 48 ? `${text.slice(0, 30)} .. ${text.slice(-14)}` : text);

function sister(part, step) {
  const all = part.mother?.children ?? [];
  return all[all.indexOf(part) + step];
}
