// A sentence that is annotated: its tree, and what can be done to the part with the focus.

import { html } from "./components.js";
import { isNull } from "./drawing.js";
import { share } from "./label-menu.js";

const GROUPS = ["Enter l z Z", "a r f w d x ! t", "0 i e s m S M u D c g"];
const DOUBTLESS = "No doubts: Enter accepts the tree.";
const UNPARSED = "Build the tree: Space chooses words, w puts a node above them.";
const PICKING = "Type its letters, go to it and press Enter, or click it. Esc cancels.";

/** Outline doubtful parts, kept ones and findings, and say so in their names. */
export function dressed(editor) {
  const outline = (name, kind, text) => {
    const element = editor.element(name);
    if (!element) return;
    const { x, y, width, height } = element.querySelector("text").getBBox();
    element.insertAdjacentHTML("afterbegin", `<rect class="${kind}" x="${x - 4}" y="${y - 1}"
      width="${width + 8}" height="${height + 2}" rx="4" />`);
    element.setAttribute("aria-label", `${element.getAttribute("aria-label")}, ${text}`);
  };
  const { kept, doubts, findings } = editor.view;
  for (const name of new Set(kept)) outline(name, "kept", "kept");
  for (const { part, probability } of doubts) {
    outline(part, "doubtful", `doubtful, ${share(probability)}`);
  }
  for (const { parts: [name], message } of findings) outline(name, "found", message);
}

/** `keys` are the keys with what they do, and `type` presses one; `again` saves what is not saved. */
export function Work({ editor, picture, saved, again, act, keys, type, choices }) {
  const { id, note, can_undo: canUndo, can_redo: canRedo } = editor.view;
  const isOff = { z: !canUndo, Z: !canRedo, u: !editor.view.by_hand };
  return html`
    <div class="row tools">
      <button type="button" title="p" onClick=${() => type("p")}>Previous</button>
      <button type="button" title="n" onClick=${() => type("n")}>Next</button>
      <span><b>${id}</b> <span class="hint">${stateOf(editor.view)}${note && ` ✎ ${note}`}</span></span>
      <span class="status saved" role="status">${saved}</span>
      ${again && html`<button type="button" onClick=${again}>Try again</button>`}
    </div>
    <${Choices} ...${{ editor, choices, type }} />
    ${picture}
    <div class="work-panel">
      <${Part} ...${{ editor, type, act }} />
      <${Findings} editor=${editor} />
      <div class="acts" role="group" aria-label="Edit">
        ${GROUPS.map((group) => html`<div>${group.split(" ").map((key) => html`
          <button type="button" class=${key === "Enter" ? "main" : undefined}
            disabled=${isOff[key]} onClick=${() => type(key)}>
            <kbd>${key}</kbd> ${keys[key].text}</button>`)}</div>`)}
      </div>
    </div>`;
}

function stateOf({ without_parse: isWithout, is_proposal: isProposal, by_hand: isByHand, status }) {
  if (status) return status === "later" ? "for later" : status;
  if (isWithout) return "shown without a parse";
  if (isProposal) return "proposed by the parser";
  return isByHand ? "by hand: the parser does not change it any more" : "";
}

function Choices({ editor, choices, type }) {
  const { doubts, cost, is_proposal: isProposal, without_parse: isWithout } = editor.view;
  const nothing = isProposal && isWithout ? UNPARSED : DOUBTLESS;
  const hint = editor.take ? PICKING : !doubts.length && !choices.length && nothing;
  return html`<div class="row choices-row" role="group" aria-label="Choices">
    <b>${editor.label ?? editor.token?.tag}</b>
    ${hint ? html`<span class="hint" role="status">${hint}</span>`
      : choices.map(({ text, probability, is_current: isCurrent }, i) => html`
        <button type="button" aria-pressed=${String(isCurrent)} onClick=${() => type(String(i + 1))}>
          <kbd>${i + 1}</kbd> ${text} <small>${share(probability)}</small></button>`)}
    ${cost > 0 && html`<span class="hint cost">Your decisions cost ${cost.toFixed(1)}</span>`}
  </div>`;
}

/** What is known about the part with the focus; a click changes it. */
function Part({ editor, type, act }) {
  const { view: { tree, names }, at, token, label } = editor;
  const known = token && isNull(token)
    ? [["Word", "W", token.form], ["Index", "i", /-(\d+)$/.exec(token.form)?.[1]]]
    : token ? [["Word", "W", token.form], ["Tag", "t", token.tag], ["Function", "f", editor.function],
      ["Lemma", "L", token.lemma], ["Morphology", "O", token.morph]]
      : [["Label", "r", label], ["Function", "f", editor.function], ["Note", "C", editor.note]];
  const edges = tree.secondary_edges.map((edge, number) => ({ ...edge, number })).filter(
    (edge) => names.nodes[edge.node] === at || names.tokens[edge.token] === at);
  return html`<section aria-label="Part"><dl>
    ${known.map(([name, key, value]) => html`<div><dt>${name}</dt><dd>
      <button type="button" title=${key} aria-label=${`${name}: ${value || "none"}`}
        onClick=${() => type(key)}>${value || "–"}</button></dd></div>`)}
    ${edges.map(({ label: name, mother, number }) => html`<div><dt>Edge</dt>
      <dd>${name} to ${tree.labels[mother]} <button type="button" class="edge"
        onClick=${() => act({ do: "delete-edge", edge: number })}>Delete</button></dd></div>`)}
  </dl></section>`;
}

const Findings = ({ editor }) => html`<section aria-label="Findings">
  ${editor.view.findings.length
    ? html`<ul>${editor.view.findings.map(({ message, parts }) => html`<li><button type="button"
      class="rule" onClick=${() => editor.go(parts[0])}>${message}</button></li>`)}</ul>`
    : html`<p class="hint">The checks find nothing.</p>`}
  <p class="hint legend">${["doubtful", "kept", "found"].map((kind) => html`<span>
    <svg width="22" height="14" aria-hidden="true">
      <rect class=${kind} x="2" y="2" width="18" height="10" rx="3" /></svg>
    ${" "}${kind === "found" ? "finding" : kind}</span>`)}</p></section>`;

/** The keys of the tab, for the list of all keys. */
export const Keys = ({ keys }) => html`<h2>In Annotate</h2><table><tbody>
  ${Object.entries(keys).filter(([, { text }]) => text).map(([key, { text }]) => html`
    <tr><th scope="row"><kbd>${key}</kbd></th><td>${text}</td></tr>`)}
  <tr><th scope="row"><kbd>1</kbd> … <kbd>5</kbd></th><td>take a choice</td></tr>
  <tr><th scope="row"><kbd>blank</kbd></th><td>mark several parts</td></tr></tbody></table>`;
