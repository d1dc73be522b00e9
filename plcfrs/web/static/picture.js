// The picture of a tree with its controls: size, layout, files; constituents collapse.

import { attempt, post, stop } from "./api.js";
import { html, Message, useLayoutEffect, useRef, useState } from "./components.js";
import { Drawing, hasDetails } from "./drawing.js";
import { Files } from "./files.js";
import { Zoom } from "./zoom.js";

const NONE = { tokens: [], nodes: [], dims: false };
const BOXES = { spacious: "Spacious", gaps: "Gaps" };
const BELOW = { function: "Functions", lemma: "Lemmas", morph: "Morphology" };

/** `tree` is a tree of the API, perhaps with `posteriors`; without a picture (`svg`), the server
 * draws it first. `lit` has the tokens and nodes that are lit, and whether this dims the others.
 * `edit` changes the tag of a token. `all` is the text with the tree. Words at `unknown` positions
 * are hatched. The tree can be edited in Draw or `editAt` another address. `dress` gets each new
 * drawing, which has no focus. */
export function Picture({
  id, tree, lit = NONE, edit = null, unknown = [], all, editAt, dress, hasFiles = true,
}) {
  const [look, setLook] = useState({}); // the boxes that the user has changed
  const [factor, setFactor] = useState(1);
  const [closed, setClosed] = useState({ tree, nodes: [] });
  const [shown, setShown] = useState(null); // the drawing in the figure
  const [error, setError] = useState("");
  const [pointed, point] = useState("");
  const whole = useRef(null);
  const figure = useRef(null);
  const zoom = useRef(null);
  const seen = useRef(null); // the words in the figure
  const focused = useRef(null); // the constituent to focus in the next drawing
  const below = Object.keys(BELOW).filter((name) => tree.tokens.some((token) => token[name]));
  const boxes = [...Object.keys(BOXES), ...below];
  const isDrawn = (name) => name === "gaps" && tree.gaps; // in the picture that it has
  const isOn = (name) => look[name] ?? isDrawn(name);
  const changed = boxes.filter((name) => isOn(name) !== isDrawn(name));
  const collapsed = closed.tree === tree ? closed.nodes : [];

  const kind = `draw ${id}`;
  const wanted = () => ({
    discbracket: tree.discbracket, tokens: tree.tokens, secondary_edges: tree.secondary_edges,
    marked: tree.marked, marked_tokens: tree.marked_tokens, shades: tree.posteriors ?? [],
    collapsed, below: below.filter(isOn), spacious: isOn("spacious"), gaps: isOn("gaps") });
  const toggle = (node) => {
    const others = collapsed.filter((one) => one !== node);
    focused.current = node;
    setClosed({ tree, nodes: others.length < collapsed.length ? others : [...others, node] });
  };
  const put = (drawn) => {
    const editIt = edit && ((position) => edit(position, tree));
    const fitTo = (elements) => zoom.current.fitTo(elements);
    const drawing = new Drawing(tree, drawn, collapsed, { toggle, edit: editIt, point, fitTo });
    const { svg } = drawing;
    drawing.light(lit);
    const hadFocus = figure.current.contains(document.activeElement);
    figure.current.replaceChildren(svg);
    if (lit.isChoice && hadFocus && !dress) {
      (svg.querySelector("[aria-pressed=true]") ?? svg.querySelector("g[role]")).focus();
    }
    setShown(drawing);
    drawing.hatch(unknown);
    dress?.(svg);
    const words = tree.tokens.map(({ form }) => form).join(" ");
    zoom.current.show(svg, seen.current !== words);
    seen.current = words;
    drawing.parts.find(({ node }) => node === focused.current)?.element.focus(); // scrolls to it
    focused.current = null;
  };

  useLayoutEffect(() => {
    zoom.current = new Zoom(figure.current, setFactor);
    return () => zoom.current.close();
  }, []);
  // A layout effect, so that no old picture is seen with a new tree.
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
  useLayoutEffect(() => zoom.current.reach(), [lit.tokens.join(" ")]);

  const button = (text, name, act, key = "") => html`
    <button type="button" aria-label=${name} title=${name + key} onClick=${act}>${text}</button>`;
  return html`<div class="picture" ref=${whole}>
    <div class="row tools view">
      <span class="zoom" role="group" aria-label="Size">
        ${button("−", "Smaller", () => zoom.current.smaller(), " (−)")}
        <output>${Math.round(100 * factor)} %</output>
        ${button("+", "Larger", () => zoom.current.larger(), " (+)")}
        ${button("Fit", "Fit the window", () => zoom.current.fit(), " (0)")}
        ${button(html`<svg width="13" height="13" viewBox="0 0 16 16" aria-hidden="true">
          <use href="#corners" /></svg>`, "Full screen", () => toggleFullScreen(whole.current))}
      </span>
      ${boxes.map((name) => html`
        <label><input type="checkbox" checked=${isOn(name)}
          onChange=${(event) => setLook({ ...look, [name]: event.target.checked })} />
          ${BOXES[name] ?? BELOW[name]}</label>`)}
    </div>
    <${Message} text=${error} />
    <figure id=${id} class=${lit.dims ? "dimmed" : undefined} ref=${figure} />
    ${hasDetails(tree) && html`<p class="hint pointed" aria-hidden="true">${pointed}</p>`}
    ${hasFiles && html`<${Files} tree=${tree} wanted=${wanted} all=${all} edit=${editAt} />`}
  </div>`;
}

const toggleFullScreen = (element) => (
  document.fullscreenElement ? document.exitFullscreen() : element.requestFullscreen());

/** One tree, or two with titles. Each has the properties of a picture, and a `title`. */
export const Pair = ({ trees }) => html`<div class="pair">
  ${trees.map(({ title, ...one }) => html`<section key=${one.id}>
    ${title && html`<h3>${title}</h3>`}<${Picture} ...${one} /></section>`)}</div>`;

export const Errors = ({ errors }) => html`<ul>${errors.map(({ kind, text }) => html`
  <li>${kind}: ${text}</li>`)}</ul>`;
