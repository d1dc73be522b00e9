// The picture of a tree: constituents light up and collapse, tags can be clicked.

import { attempt, draw, drawFile } from "./api.js";
import { download, roving } from "./dom.js";
import { View } from "./view.js";

const KEYS = {
  ArrowUp: (part) => part.mother,
  ArrowDown: (part) => part.children[0],
  ArrowLeft: (part) => sister(part, -1),
  ArrowRight: (part) => sister(part, 1),
};

const EXTENSIONS = { tikz: "tex" };

/** A picture in a figure, with the buttons below it that download it. */
export class Picture {
  constructor(figure, buttons, onTag = null) {
    this.figure = figure;
    this.onTag = onTag;
    this.tree = null;
    this.view = new View(figure, () => this.redraw());
    for (const button of buttons) {
      button.addEventListener("click", () => this.download(button.dataset.download));
    }
  }

  show(tree) {
    this.tree = tree;
    this.collapsed = new Set();
    if (this.view.isChanged) this.redraw();
    else {
      this.draw({
        svg: tree.svg, nodes: tree.labels.map((_, i) => i), parts: tree.tokens.map((_, i) => [i]) });
    }
  }

  /** Let the server draw the tree again. */
  async redraw() {
    await attempt(this.figure, (message) => this.view.say(message), async () => {
      this.draw(await draw(this.wanted()));
    });
  }

  /** Return what the server needs to draw the tree as it is shown. */
  wanted() {
    const { discbracket, marked, marked_tokens } = this.tree;
    return {
      discbracket, marked, marked_tokens, collapsed: [...this.collapsed],
      spacious: this.view.spacious, gaps: this.view.gaps.checked };
  }

  draw(drawn) {
    this.drawn = drawn;
    const parsed = new DOMParser().parseFromString(drawn.svg, "image/svg+xml");
    this.svg = document.importNode(parsed.documentElement, true);
    this.svg.setAttribute("role", "group");
    this.parts = parts(this.svg, drawn);
    for (const part of this.parts) this.prepare(part);
    const partOf = new Map(this.parts.map((part) => [part.element, part]));
    roving(this.parts.map((part) => part.element),
      (one, key) => KEYS[key]?.(partOf.get(one))?.element);
    this.figure.replaceChildren(this.svg);
    this.view.show(this.svg);
  }

  /** Collapse a constituent, or open it again; the focus stays on it. */
  async toggle(node) {
    if (!this.collapsed.delete(node)) this.collapsed.add(node);
    await this.redraw();
    this.parts.find((part) => part.node === node)?.element.focus();
  }

  prepare(part) {
    const { element } = part;
    const isTag = part.node === undefined;
    if (isTag) element.querySelector("text").after(" "); // readers must not join tag and word
    const words = this.words(part.positions);
    const [position, ...others] = part.positions;
    const label = isTag ? this.tree.tokens[position].tag : this.tree.labels[part.node];
    const act = isTag ? !others.length && this.onTag && (() => this.onTag(position, this.tree))
      : () => this.toggle(part.node);
    element.setAttribute("role", act ? "button" : "img");
    if (!isTag) element.setAttribute("aria-expanded", String(!this.collapsed.has(part.node)));
    element.setAttribute("aria-label", `${label}: ${words}`);
    for (const event of ["pointerenter", "focus"]) {
      element.addEventListener(event, () => this.light(part.positions, part));
    }
    for (const event of ["pointerleave", "blur"]) {
      element.addEventListener(event, () => this.light([]));
    }
    if (!act) return;
    element.addEventListener("click", act);
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      act();
    });
  }

  /** Highlight tokens, and the constituent that they belong to. */
  light(positions, constituent = null) {
    const chosen = new Set(positions);
    for (const part of this.parts) {
      const lit = part === constituent
        || (part.node === undefined && part.positions.some((one) => chosen.has(one)));
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

  /** Give the user the tree, or its picture as it is shown. */
  async download(format) {
    const name = (this.tree.id || "tree").replace(/[^\w.-]+/g, "_");
    await attempt(this.figure, (message) => this.view.say(message), async () => {
      const content = this.tree[format] && format !== "svg" ? this.tree[format]
        : await drawFile({ ...this.wanted(), format });
      download(`${name}.${EXTENSIONS[format] ?? format}`, content);
    });
  }
}

/** Return constituents (mothers before children) and tokens, each with its mother and children.
 * Nodes and positions are those of the tree, not of the picture. */
function parts(svg, drawn) {
  const found = [...svg.querySelectorAll("[data-node]")].map((element) => ({
    element,
    node: drawn.nodes[Number(element.dataset.node)],
    positions: element.dataset.yield.split(" ").flatMap((token) => drawn.parts[token]),
    children: [],
  }));
  const nodes = [...found];
  for (const element of svg.querySelectorAll("[data-token]")) {
    found.push({ element, positions: drawn.parts[element.dataset.token], children: [] });
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
