// The picture of a tree with its controls: size, layout, files; constituents collapse.

import { attempt, draw } from "./api.js";
import { html, Message, useEffect, useLayoutEffect, useRef, useState } from "./components.js";
import { hasDetails } from "./details.js";
import { Drawing } from "./drawing.js";
import { Files } from "./files.js";

const STEP = 1.25;
const NONE = { tokens: [], nodes: [], dims: false };
const BELOW = ["function", "lemma", "morph"];
const TEXTS = {
  fit: "Fit to width", spacious: "Spacious", gaps: "Gaps", function: "Functions", lemma: "Lemmas",
  morph: "Morphology",
};

/** `tree` is one of the API, perhaps with `posteriors`; without a picture (`svg`) it is drawn first.
 * `lit` says which tokens and nodes are lit, and whether that dims the others; `edit` changes the
 * tag of a token of the tree. */
export function Picture({ id, tree, lit = NONE, edit = null, hasFiles = true }) {
  const [look, setLook] = useState({ scale: 1 }); // and true for each box that is checked
  const [shut, setShut] = useState({ tree, nodes: new Set() });
  const [shown, setShown] = useState(null); // the drawing in the figure
  const [error, setError] = useState("");
  const [pointed, point] = useState("");
  const figure = useRef(null);
  const focused = useRef(null); // the constituent that gets the focus when it is drawn again
  const below = BELOW.filter((name) => tree.tokens.some((token) => token[name]));
  const boxes = ["fit", "spacious", "gaps", ...below];
  const changed = boxes.filter((name) => name !== "fit" && look[name]);
  const collapsed = shut.tree === tree ? shut.nodes : new Set();

  const wanted = () => ({
    discbracket: tree.discbracket, tokens: tree.tokens, secondary_edges: tree.secondary_edges,
    marked: tree.marked, marked_tokens: tree.marked_tokens, shades: tree.posteriors ?? [],
    collapsed: [...collapsed], spacious: changed.includes("spacious"), gaps: changed.includes("gaps"),
    below: below.filter((name) => look[name]) });
  const toggle = (node) => {
    const nodes = new Set(collapsed);
    if (!nodes.delete(node)) nodes.add(node);
    focused.current = node;
    setShut({ tree, nodes });
  };
  const put = (drawn) => {
    const made = new Drawing(
      tree, drawn, collapsed, { toggle, edit: edit && ((position) => edit(position, tree)), point });
    made.light(lit);
    figure.current.replaceChildren(made.svg);
    setShown(made);
    scale(made.svg, look, figure.current);
    showRoot(made.svg, figure.current);
    made.focus(focused.current); // scrolls to it
    focused.current = null;
  };

  // As soon as the page has the figure, so that nobody sees an old picture with a new tree.
  useLayoutEffect(() => {
    let isOld = false;
    setError("");
    if (tree.svg && !changed.length && !collapsed.size) {
      put({ svg: tree.svg, nodes: tree.labels.map((_, i) => i), parts: tree.tokens.map((_, i) => [i]) });
    } else {
      attempt(figure.current, (message) => isOld || setError(message), async () => {
        const drawn = await draw(wanted(), id);
        if (!isOld) put(drawn);
      });
    }
    return () => { isOld = true; };
  }, [tree, [...changed, ...collapsed].join(" ")]);
  useLayoutEffect(() => shown?.light(lit), [lit, shown]);
  useLayoutEffect(() => shown && scale(shown.svg, look, figure.current), [look, shown]);
  useEffect(() => {
    const fit = () => shown && scale(shown.svg, look, figure.current);
    window.addEventListener("resize", fit);
    return () => window.removeEventListener("resize", fit);
  }, [shown, look]);

  const zoom = (factor) => setLook(
    { ...look, fit: false, scale: Math.min(Math.max(look.scale * factor, 0.25), 4) });
  return html`<div class=${`picture${look.fit ? " fit" : ""}`}>
    <div class="row tools view">
      <button type="button" aria-label="Smaller" title="Smaller" onClick=${() => zoom(1 / STEP)}>−</button>
      <button type="button" aria-label="Larger" title="Larger" onClick=${() => zoom(STEP)}>+</button>
      ${boxes.map((name) => html`
        <label><input type="checkbox" checked=${Boolean(look[name])}
          onChange=${(event) => setLook({ ...look, [name]: event.target.checked })} />${TEXTS[name]}</label>`)}
    </div>
    <${Message} text=${error} />
    <figure id=${id} class=${lit.dims ? "dimmed" : undefined} ref=${figure} />
    ${hasDetails(tree) && html`<p class="hint pointed" aria-hidden="true">${pointed}</p>`}
    ${hasFiles && html`<${Files} tree=${tree} wanted=${wanted} />`}
  </div>`;
}

function scale(svg, look, figure) {
  const { width, height } = svg.viewBox.baseVal;
  const factor = look.fit ? room(figure) / width : look.scale;
  svg.setAttribute("width", width * factor);
  svg.setAttribute("height", height * factor);
}

/** Return the width that a picture may have. */
function room(figure) {
  const { paddingLeft, borderLeftWidth } = getComputedStyle(figure);
  return figure.parentElement.clientWidth - 2 * (parseFloat(paddingLeft) + parseFloat(borderLeftWidth));
}

/** Scroll to the root. */
function showRoot(svg, figure) {
  const root = svg.querySelector("[data-node]");
  if (!root) return;
  const { left, width } = root.querySelector("text").getBoundingClientRect();
  const frame = figure.getBoundingClientRect();
  figure.scrollLeft += left + width / 2 - (frame.left + frame.width / 2);
}
