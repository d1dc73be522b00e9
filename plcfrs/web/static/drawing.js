// The drawing of a tree by the server, with parts that take the focus, light up, and act.

import { roving } from "./dom.js";

const DOUBLE_CLICK = 250; // milliseconds between two clicks

export function elementOf(svg) {
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml");
  return document.importNode(parsed.documentElement, true);
}

/** `drawn` has the `svg`, and the `nodes` and `parts` of the tree that it shows; `closed` are the
 * collapsed constituents; `acts` are `toggle` (gets a node), `edit` (gets a position, or null if
 * tags cannot be changed), `point` (gets what the pointer or the focus is on, in words) and `fitTo`
 * (gets the elements of a subtree). */
export class Drawing {
  constructor(tree, drawn, closed, acts) {
    Object.assign(this, { tree, closed, acts });
    this.svg = elementOf(drawn.svg);
    this.svg.setAttribute("role", "group");
    this.parts = partsOf(this.svg, drawn);
    for (const part of this.parts) this.prepare(part);
    const partOf = new Map(this.parts.map((part) => [part.element, part]));
    roving([...partOf.keys()], (element) => {
      const { mother, children } = partOf.get(element);
      const sisters = mother?.children ?? [];
      const place = sisters.indexOf(partOf.get(element));
      return {
        ArrowUp: mother?.element, ArrowDown: children[0]?.element,
        ArrowLeft: sisters[place - 1]?.element, ArrowRight: sisters[place + 1]?.element,
      };
    });
    this.lit = { tokens: [], nodes: [] };
  }

  prepare(part) {
    const { element, node, positions } = part;
    const isTag = node === undefined;
    if (isTag) element.querySelector("text").after(" "); // readers must not join tag and word
    else element.setAttribute("aria-expanded", String(!this.closed.includes(node)));
    element.setAttribute("aria-label", this.name(part));
    element.dataset.place = isTag ? positions[0] : node;
    const name = this.tree.named?.findIndex((one) => hasName(one, part)) ?? -1;
    if (name >= 0) element.dataset.named = name % 5; // its colour
    element.onpointerenter = element.onfocus = () => this.point(part);
    element.onpointerleave = element.onblur = () => this.point(null);
    const canEdit = this.acts.edit && positions.length === 1;
    const isButton = !isTag || (canEdit && !isNull(this.tree.tokens[positions[0]]));
    element.setAttribute("role", isButton ? "button" : "img");
    if (!isButton) return;
    const act = () => (isTag ? this.acts.edit(positions[0]) : this.acts.toggle(node));
    let waiting = 0; // for a second click, which fits the subtree
    const fit = () => this.acts.fitTo(this.below(part));
    element.addEventListener("click", ({ detail: clicks }) => {
      clearTimeout(waiting);
      if (isTag) act();
      else if (clicks > 1) fit();
      else waiting = setTimeout(act, DOUBLE_CLICK);
    });
    element.addEventListener("keydown", (event) => {
      const acts = { Enter: act, " ": act, z: fit };
      if (event.ctrlKey || event.metaKey || !acts[event.key]) return;
      event.preventDefault();
      acts[event.key]();
    });
  }

  /** Return the texts of a part and of the parts below it. */
  below({ element, positions }) {
    const isBelow = (one) => one.positions.every((each) => positions.includes(each));
    return [element, ...this.parts.filter(isBelow).map((one) => one.element)].flatMap(
      (one) => [...one.querySelectorAll("text")]);
  }

  /** Return the label, the words and the annotation of a part. */
  name(part, words = this.words(part.positions)) {
    const { tokens, labels, details = [], posteriors, named = [] } = this.tree;
    const { node, positions: [first, ...others] } = part;
    const label = labels[node] ?? tokens[first].tag;
    // Details of constituents come first; a collapsed one has none.
    const known = node !== undefined || !others.length ? details[node ?? labels.length + first] : "";
    const names = named.filter((one) => hasName(one, part)).map((one) => `named ${one.name}`);
    return [`${label}: ${words}`, ...names, known, posteriors?.[node] !== undefined
      && `probability ${posteriors[node].toFixed(3)}`].filter(Boolean).join(", ");
  }

  /** Return the words of some tokens, with dots for gaps. */
  words(positions) {
    const isAfterGap = (i) => i > 0 && positions[i - 1] + 1 < positions[i];
    return positions.map((position, i) => (
      `${isAfterGap(i) ? "… " : ""}${this.tree.tokens[position].form}`)).join(" ");
  }

  /** Light up a part; without one, light up what was lit before. */
  point(part) {
    if (part) this.mark(part.positions, (one) => one === part);
    else this.light(this.lit);
    this.acts.point(part ? this.name(part, shortened(this.words(part.positions))) : "");
  }

  /** Hatch the paper behind some words. */
  hatch(positions) {
    for (const { element, node, positions: [position, ...others] } of this.parts) {
      if (node !== undefined || others.length || !positions.includes(position)) continue;
      const { x, y, width, height } = element.querySelectorAll("text")[1].getBBox();
      element.insertAdjacentHTML("afterbegin", `<rect class="hatched" fill="url(#hatch)"
        x="${x - 2}" y="${y}" width="${width + 4}" height="${height}" />`);
      element.setAttribute("aria-label", `${element.getAttribute("aria-label")}, unknown word`);
    }
  }

  light(lit) {
    this.lit = lit;
    this.mark(lit.tokens, ({ node }) => lit.nodes.includes(node));
    // While the user chooses, parts are toggle buttons, pressed if lit.
    for (const { element } of lit.isChoice ? this.parts : []) {
      element.setAttribute("role", "button");
      element.removeAttribute("aria-expanded");
      element.setAttribute("aria-pressed", String(element.classList.contains("lit")));
    }
  }

  mark(positions, isLit) {
    for (const part of this.parts) {
      const isChosen = part.node === undefined
        && part.positions.some((one) => positions.includes(one));
      part.element.classList.toggle("lit", isChosen || isLit(part));
    }
  }
}

/** Return constituents (mothers before children) and tokens, each with its mother and children.
 * Their positions are those in the sentence. */
function partsOf(svg, drawn) {
  const all = (name) => [...svg.querySelectorAll(`[data-${name}]`)];
  const parts = [...all("node"), ...all("token")].map((element) => {
    const { node, token, yield: tokens = token } = element.dataset;
    const positions = tokens.split(" ").flatMap((one) => drawn.parts[one]);
    return { element, node: drawn.nodes[node], positions, children: [] };
  });
  parts.forEach((part, i) => {
    // Constituents are nested or disjoint: the last one around it is the mother.
    part.mother = parts.slice(0, i).findLast(
      (one) => one.node !== undefined && one.positions.includes(part.positions[0]));
    part.mother?.children.push(part);
  });
  const inOrder = (one, other) => one.positions[0] - other.positions[0];
  for (const part of parts) part.children.sort(inOrder);
  return parts;
}

export const isNull = ({ tag }) => tag === "-NONE-";

const hasName = ({ nodes, tokens }, { node, positions }) => (
  node === undefined ? tokens.includes(positions[0]) : nodes.includes(node));

/** Leave out words in the middle of a long text, so that what follows it stays in sight. */
const shortened = (text) => (text.length > 48
  ? `${text.slice(0, 30).replace(/ \S*$/, "")} .. ${text.slice(-14).replace(/^\S* /, "")}` : text);

/** Whether a tree has annotation that its picture does not show. */
export const hasDetails = ({ posteriors, details = [] }) => Boolean(posteriors)
  || details.some(Boolean);
