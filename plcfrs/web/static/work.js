// A sentence that is annotated: its tree, and what can be done to the part with the focus.

import { html } from "./components.js";
import { isNull } from "./drawing.js";
import { share } from "./label-menu.js";
import { Sign } from "./sentence-list.js";

const GROUPS = [["Enter", "l", "z", "Z"], ["a", "r", "f", "w", "d", "x", "!", "t"],
  ["0", "i", "e", "s", "m", "S", "M", "D", "c", "g"]];

/** Outline doubtful parts and kept ones, and say so in their names. */
export function dressed(svg, view, editor) {
  const outline = (name, kind, text) => {
    const element = editor.element(name);
    const label = element?.querySelector("text");
    if (!label) return;
    const { x, y, width, height } = label.getBBox();
    element.insertAdjacentHTML("afterbegin", `<rect class="${kind}" x="${x - 4}" y="${y - 1}"
      width="${width + 8}" height="${height + 2}" rx="4" />`);
    element.setAttribute("aria-label", `${element.getAttribute("aria-label")}, ${text}`);
  };
  for (const name of new Set(view.kept)) outline(name, "kept", "kept");
  for (const { part, probability } of view.doubts) {
    outline(part, "doubtful", `doubtful, ${share(probability)}`);
  }
  for (const { parts: [name], message } of view.findings) if (name) outline(name, "found", message);
}

/** `keys` are the keys with what they do, `type` presses one. */
export function Work(props) {
  const { view, row, saved, isUnsaved, again, picture, editor, type, keys } = props;
  return html`
    <div class="row tools">
      <button type="button" title="p" onClick=${() => type("p")}>Previous</button>
      <button type="button" title="n" onClick=${() => type("n")}>Next</button>
      <span><${Sign} ...${row} /> <b>${view.id}</b> <span class="hint">${stateOf(view)}</span></span>
      ${view.note && html`<span class="hint">✎ ${view.note}</span>`}
      <span class="status saved" role="status">${saved}</span>
      ${isUnsaved && html`<button type="button" onClick=${again}>Try again</button>`}
    </div>
    <${Choices} ...${props} />
    ${picture}
    <div class="work-panel">
      <${Part} ...${props} />
      <${Findings} ...${props} />
      <div class="acts" role="group" aria-label="Edit">
        ${GROUPS.map((group) => html`<div>${group.map((key) => html`
          <button type="button" class=${key === "Enter" ? "main" : undefined}
            disabled=${isOff(key, view, editor)} onClick=${() => type(key)}>
            <kbd>${key}</kbd> ${keys[key].text}</button>`)}</div>`)}
      </div>
    </div>`;
}

const isOff = (key, { can_undo: canUndo, can_redo: canRedo }) => (
  (key === "z" && !canUndo) || (key === "Z" && !canRedo));

function stateOf({ without_parse: isWithout, is_proposal: isProposal, by_hand: isByHand }) {
  if (isWithout) return "shown without a parse";
  if (isProposal) return "proposed by the parser";
  return isByHand ? "by hand: the parser does not change it any more" : "";
}

function Choices({ view, editor, choices, type, labelOf, tokenOf }) {
  const { at } = editor;
  const [doubt] = view.doubts.filter(({ part }) => part === at);
  const label = labelOf(at) ?? tokenOf(at)?.tag ?? "";
  const hint = editor.take ? "Choose a part by its letters, by arrows and Enter, or click it; Esc."
    : !view.doubts.length && "No doubts: Enter accepts the tree.";
  return html`<div class="row choices-row" role="group" aria-label="Choices">
    <b>${label}</b>
    ${hint && (editor.take || !choices.length) ? html`<span class="hint" role="status">${hint}</span>`
      : choices.map(({ text, probability, is_current: isCurrent }, i) => html`
        <button type="button" aria-pressed=${String(isCurrent)} onClick=${() => type(String(i + 1))}>
          <kbd>${i + 1}</kbd> ${text} <small>${share(probability)}</small></button>`)}
    ${doubt && !choices.length && html`<span class="hint">${share(doubt.probability)}</span>`}
    ${view.cost > 0 && html`<span class="hint cost">Your decisions cost ${view.cost.toFixed(1)}</span>`}
  </div>`;
}

/** What is known about the part with the focus. */
function Part({ view, editor, labelOf, tokenOf, type, act }) {
  const { at } = editor;
  const token = tokenOf(at);
  const label = labelOf(at);
  const node = view.names.nodes.indexOf(at);
  const rows = token ? [["Word", "W", token.form], ["Tag", "t", token.tag],
    ["Function", "f", token.function], ["Lemma", "L", token.lemma], ["Morphology", "O", token.morph]]
    : [["Label", "r", label], ["Function", "f", view.tree.functions[node]?.join("-")],
      ["Note", "C", ""]];
  if (token && isNull(token)) rows.splice(1, 4, ["Index", "i", /-\d+$/.exec(token.form)?.[0].slice(1)]);
  const edges = view.tree.secondary_edges.map((edge, number) => ({ ...edge, number })).filter(
    (edge) => view.names.nodes[edge.node] === at || view.names.tokens[edge.token] === at);
  return html`<section aria-label="Part"><dl>
    ${rows.map(([name, key, value]) => html`<div><dt>${name}</dt><dd>
      <button type="button" title=${key} aria-label=${`${name}: ${value || "none"}`}
        onClick=${() => type(key)}>${value || "–"}</button></dd></div>`)}
    ${edges.map(({ label: name, mother, number }) => html`<div><dt>Edge</dt>
      <dd>${name} to ${view.tree.labels[mother]} <button type="button" class="edge"
        onClick=${() => act({ do: "delete-edge", edge: number })}>Delete</button></dd></div>`)}
  </dl></section>`;
}

function Findings({ view, go }) {
  return html`<section aria-label="Findings">${view.findings.length
    ? html`<ul>${view.findings.map(({ message, parts }) => html`<li>
      <button type="button" class="rule" onClick=${() => go(parts[0])}>${message}</button></li>`)}</ul>`
    : html`<p class="hint">The checks find nothing.</p>`}
    <p class="hint legend">${["doubtful", "kept", "found"].map((kind) => html`<span>
      <svg width="22" height="14" aria-hidden="true">
        <rect class=${kind} x="2" y="2" width="18" height="10" rx="3" /></svg>
      ${" "}${kind === "found" ? "finding" : kind}</span>`)}</p></section>`;
}

/** The keys of the tab, for the list of all keys. */
export const Keys = ({ keys }) => html`<h2>In Annotate</h2><table><tbody>
  ${Object.entries(keys).filter(([, { text }]) => text).map(([key, { text }]) => html`
    <tr><th scope="row"><kbd>${key}</kbd></th><td>${text}</td></tr>`)}
  <tr><th scope="row"><kbd>1</kbd> … <kbd>5</kbd></th><td>take a choice</td></tr>
  <tr><th scope="row"><kbd>blank</kbd></th><td>mark several parts</td></tr></tbody></table>`;
