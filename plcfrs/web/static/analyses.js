// The most probable analyses after a word: what is open, what is awaited, and the tree so far.

import { html, Table, useMemo } from "./components.js";
import { counted, short } from "./dom.js";
import { Picture } from "./picture.js";

/** `analyses` are those after `word`, or undefined while they are looked for; `rank` is that of the
 * chosen one; `choose` gets another. */
export function Analyses({ word, analyses, rank, choose }) {
  return html`<section id="analyses-list" aria-labelledby="analyses-title">
    <h2 id="analyses-title">Analyses after “${word.word}”</h2>
    <p class="status" role="status">${summary(word, analyses)}</p>
    ${analyses?.length > 0 && html`<div class="columns">
      <${Chosen} one=${analyses[rank - 1] ?? analyses[0]} />
      <${List} analyses=${analyses} rank=${rank} choose=${choose} />
    </div>`}
  </section>`;
}

function summary(word, analyses) {
  if (!analyses) return "";
  if (analyses.length) {
    const sum = analyses.reduce((total, one) => total + one.probability, 0);
    return analyses.length === 1 ? `1 analysis, probability ${short(sum)}`
      : `${analyses.length} analyses, together ${short(sum)} of the probability`;
  }
  return word.surprisal === null ? `There are none: ${word.status}.`
    : "None was found within the limits of the server.";
}

const List = ({ analyses, rank, choose }) => html`<div class="scroll"><${Table}
  columns=${["#rank", "#probability", "open", "awaited after a gap"]}
  rows=${analyses.map((one, i) => [
    html`<label><input type="radio" name="analysis" checked=${i + 1 === rank}
      onChange=${() => choose(i + 1)} />${i + 1}</label>`,
    short(one.probability), one.open.join(" ") || "–", awaited(one).join(" ") || "–"])} /></div>`;

/** Return the awaited constituents with their words: VP(What do). */
const awaited = ({ awaited: those, tree }) => those.map(({ category, positions }) => (
  `${category}(${positions.map((position) => tree.tokens[position].form).join(" ")})`));

function Chosen({ one }) {
  const lit = useMemo(() => ({
    tokens: one.awaited.flatMap(({ positions }) => positions),
    nodes: one.awaited.map(({ node }) => node),
    dims: false,
  }), [one]);
  return html`<div class="trees"><${Picture} id="analysis-picture" tree=${one.tree} lit=${lit} />
    <p class="hint">${counted(one.open.length, "constituent")} in red will go on with the next
      word${one.awaited.length > 0 && "; those in blue go on after a gap, with their words"}.</p></div>`;
}
