// The picture of a tree: constituents under the pointer are highlighted, and tags can be clicked.

import { download, roving } from "./dom.js";

const KEYS = {
  ArrowUp: (part) => part.mother,
  ArrowDown: (part) => part.children[0],
  ArrowLeft: (part) => sister(part, -1),
  ArrowRight: (part) => sister(part, 1),
};

/** A picture in a figure, with the buttons below it that download it. */
export class Picture {
  constructor(figure, buttons, onTag = null) {
    this.figure = figure;
    this.onTag = onTag;
    this.tree = null;
    for (const button of buttons) {
      button.addEventListener("click", () => this.download(button.dataset.download));
    }
  }

  show(tree) {
    this.tree = tree;
    const parsed = new DOMParser().parseFromString(tree.svg, "image/svg+xml");
    this.svg = document.importNode(parsed.documentElement, true);
    this.svg.setAttribute("role", "group");
    this.parts = parts(this.svg);
    for (const part of this.parts) this.prepare(part);
    const partOf = new Map(this.parts.map((part) => [part.element, part]));
    roving(this.parts.map((part) => part.element),
      (one, key) => KEYS[key]?.(partOf.get(one))?.element);
    this.figure.replaceChildren(this.svg);
  }

  prepare(part) {
    const { element } = part;
    const isTag = part.token !== undefined;
    const words = this.words(part.positions);
    const label = isTag ? this.tree.tokens[part.token].tag : this.tree.labels[part.node];
    element.setAttribute("role", isTag && this.onTag ? "button" : "img");
    element.setAttribute("aria-label", `${label}: ${words}`);
    for (const event of ["pointerenter", "focus"]) {
      element.addEventListener(event, () => this.light(part.positions, part));
    }
    for (const event of ["pointerleave", "blur"]) {
      element.addEventListener(event, () => this.light([]));
    }
    if (!isTag || !this.onTag) return;
    const edit = () => this.onTag(part.token, this.tree);
    element.addEventListener("click", edit);
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      edit();
    });
  }

  /** Highlight tokens, and the constituent that they belong to. */
  light(positions, constituent = null) {
    const chosen = new Set(positions);
    for (const part of this.parts) {
      const lit = part === constituent || chosen.has(part.token);
      part.element.classList.toggle("lit", lit);
    }
  }

  /** Return the words of some tokens, with dots for gaps. */
  words(positions) {
    return positions.map((position, i) => {
      const gap = i > 0 && positions[i - 1] + 1 < position ? "… " : "";
      return gap + this.tree.tokens[position].form;
    }).join(" ");
  }

  download(format) {
    const name = (this.tree.id || "tree").replace(/[^\w.-]+/g, "_");
    const type = format === "svg" ? "image/svg+xml" : "text/plain";
    download(`${name}.${format}`, this.tree[format], type);
  }
}

/** Return constituents (mothers before children) and tokens, each with its mother and children. */
function parts(svg) {
  const found = [...svg.querySelectorAll("[data-node]")].map((element) => ({
    element,
    node: Number(element.dataset.node),
    positions: element.dataset.yield.split(" ").map(Number),
    children: [],
  }));
  const nodes = [...found];
  for (const element of svg.querySelectorAll("[data-token]")) {
    const token = Number(element.dataset.token);
    found.push({ element, token, positions: [token], children: [] });
  }
  found.forEach((part, i) => {
    // Constituents are nested or disjoint: the last one around it is the mother.
    const before = nodes.slice(0, Math.min(i, nodes.length));
    part.mother = before.findLast((one) => one.positions.includes(part.positions[0]));
    part.mother?.children.push(part);
  });
  for (const part of found) part.children.sort((one, other) => one.positions[0] - other.positions[0]);
  return found;
}

function sister(part, step) {
  const all = part.mother?.children ?? [];
  return all[all.indexOf(part) + step];
}
