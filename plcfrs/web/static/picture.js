// The picture of a tree with its controls: size, layout, files; constituents collapse.

import { attempt, post, stop } from "./api.js";
import { html, Message, useEffect, useLayoutEffect, useRef, useState } from "./components.js";
import { Drawing, hasDetails } from "./drawing.js";
import { Files } from "./files.js";

const STEP = 1.25;
const NONE = { tokens: [], nodes: [], dims: false };
const BOXES = { fit: "Fit to width", spacious: "Spacious", gaps: "Gaps" };
const BELOW = { function: "Functions", lemma: "Lemmas", morph: "Morphology" };

/** `tree` is one of the API, perhaps with `posteriors`; without a picture (`svg`) it is drawn
 * first. `lit` says which tokens and nodes are lit, and whether that dims the others; `edit`
 * changes the tag of a token of the tree. */
export function Picture({ id, tree, lit = NONE, edit = null, hasFiles = true }) {
  const [look, setLook] = useState({ scale: 1 }); // and true for each box that is checked
  const [shut, setShut] = useState({ tree, nodes: [] });
  const [shown, setShown] = useState(null); // the drawing in the figure
  const [error, setError] = useState("");
  const [pointed, point] = useState("");
  const figure = useRef(null);
  const focused = useRef(null); // the constituent that gets the focus when it is drawn again
  const below = Object.keys(BELOW).filter((name) => tree.tokens.some((token) => token[name]));
  const boxes = [...Object.keys(BOXES), ...below];
  const changed = boxes.filter((name) => name !== "fit" && look[name]);
  const collapsed = shut.tree === tree ? shut.nodes : [];

  const kind = `draw ${id}`;
  const wanted = () => ({
    discbracket: tree.discbracket, tokens: tree.tokens, secondary_edges: tree.secondary_edges,
    marked: tree.marked, marked_tokens: tree.marked_tokens, shades: tree.posteriors ?? [],
    collapsed, below: below.filter((name) => look[name]),
    spacious: Boolean(look.spacious), gaps: Boolean(look.gaps) });
  const toggle = (node) => {
    const others = collapsed.filter((one) => one !== node);
    focused.current = node;
    setShut({ tree, nodes: others.length < collapsed.length ? others : [...others, node] });
  };
  const fit = () => shown && scale(shown.svg, look, figure.current);
  const put = (drawn) => {
    const editIt = edit && ((position) => edit(position, tree));
    const made = new Drawing(tree, drawn, collapsed, { toggle, edit: editIt, point });
    made.light(lit);
    const hadFocus = figure.current.contains(document.activeElement);
    figure.current.replaceChildren(made.svg);
    const chosen = made.svg.querySelector("[aria-pressed=true]") ?? made.svg.querySelector("g[role]");
    if (lit.isChoice && hadFocus) chosen.focus();
    setShown(made);
    scale(made.svg, look, figure.current);
    showRoot(made.svg, figure.current);
    made.parts.find(({ node }) => node === focused.current)?.element.focus(); // scrolls to it
    focused.current = null;
  };

  // As soon as the page has the figure, so that nobody sees an old picture with a new tree.
  useLayoutEffect(() => {
    setError("");
    if (tree.svg && !changed.length && !collapsed.length) {
      const [nodes, parts] = [tree.labels.map((_, i) => i), tree.tokens.map((_, i) => [i])];
      put({ svg: tree.svg, nodes, parts });
    } else {
      attempt(figure.current, setError, async () => put(await post("draw", wanted(), kind)));
    }
    return () => stop(kind);
  }, [tree, [...changed, ...collapsed].join(" ")]);
  useLayoutEffect(() => shown?.light(lit), [lit, shown]);
  useLayoutEffect(fit, [look, shown]);
  useEffect(() => {
    window.addEventListener("resize", fit);
    return () => window.removeEventListener("resize", fit);
  }, [shown, look]);

  const zoom = (name, text, factor) => html`
    <button type="button" aria-label=${name} title=${name} onClick=${() => setLook({
      ...look, fit: false, scale: Math.min(Math.max(look.scale * factor, 0.25), 4),
    })}>${text}</button>`;
  return html`<div class=${`picture${look.fit ? " fit" : ""}`}>
    <div class="row tools view">
      ${zoom("Smaller", "−", 1 / STEP)}${zoom("Larger", "+", STEP)}
      ${boxes.map((name) => html`
        <label><input type="checkbox" checked=${Boolean(look[name])}
          onChange=${(event) => setLook({ ...look, [name]: event.target.checked })} />
          ${BOXES[name] ?? BELOW[name]}</label>`)}
    </div>
    <${Message} text=${error} />
    <figure id=${id} class=${lit.dims ? "dimmed" : undefined} ref=${figure} />
    ${hasDetails(tree) && html`<p class="hint pointed" aria-hidden="true">${pointed}</p>`}
    ${hasFiles && html`<${Files} tree=${tree} wanted=${wanted} />`}
  </div>`;
}

function scale(svg, look, figure) {
  const { width, height } = svg.viewBox.baseVal;
  const { paddingLeft, borderLeftWidth } = getComputedStyle(figure);
  const frame = 2 * (parseFloat(paddingLeft) + parseFloat(borderLeftWidth));
  const factor = look.fit ? (figure.parentElement.clientWidth - frame) / width : look.scale;
  svg.setAttribute("width", width * factor);
  svg.setAttribute("height", height * factor);
}

function showRoot(svg, figure) {
  const root = svg.querySelector("[data-node]");
  if (!root) return;
  const { left, width } = root.querySelector("text").getBoundingClientRect();
  const frame = figure.getBoundingClientRect();
  figure.scrollLeft += left + width / 2 - (frame.left + frame.width / 2);
}

/** One tree, or two with titles; each has what a picture has, and a `title`. */
export const Pair = ({ trees }) => html`<div class="pair">
  ${trees.map(({ title, ...one }) => html`<section key=${one.id}>
    ${title && html`<h3>${title}</h3>`}<${Picture} ...${one} /></section>`)}</div>`;

export const Errors = ({ errors }) => html`<ul>${errors.map(({ kind, text }) => html`
  <li>${kind}: ${text}</li>`)}</ul>`;
