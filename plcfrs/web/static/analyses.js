// The most probable analyses after a word: what is open, what is awaited, and the tree so far.

import { html, Table, useMemo } from "./components.js";
import { counted, short } from "./dom.js";
import { Picture } from "./picture.js";

/** `analyses` are those after `word`, or undefined while they are looked for; `rank` is that of the
 * chosen one; `choose` gets another. */
export const Analyses = ({ word, analyses, rank, choose }) => html`
  <section id="analyses-list" aria-labelledby="analyses-title">
    <h2 id="analyses-title">Analyses after “${word.word}”</h2>
    <p class="status" role="status">${analyses && summary(word, analyses)}</p>
    ${analyses?.length > 0 && html`<div class="columns">
      <${Chosen} ...${analyses[rank - 1] ?? analyses[0]} />
      <${Table} box="scroll" rows=${analyses} columns=${[
        ["#rank", (_, i) => html`<label><input type="radio" name="analysis"
          checked=${i + 1 === rank} onChange=${() => choose(i + 1)} />${i + 1}</label>`],
        ["#probability", (one) => short(one.probability)],
        ["open", (one) => one.open.join(" ") || "–"],
        ["awaited after a gap", (one) => awaitedIn(one).join(" ") || "–"],
      ]} /></div>`}
  </section>`;

function summary({ surprisal, status }, analyses) {
  const sum = short(analyses.reduce((total, one) => total + one.probability, 0));
  if (analyses.length > 1) return `${analyses.length} analyses, with ${sum} of the probability`;
  if (analyses.length === 1) return `1 analysis, probability ${sum}`;
  return surprisal === null ? `There are no analyses: ${status}.`
    : "No analyses were found within the limits of the server.";
}

/** Return the awaited constituents with their words: VP(What do). */
const awaitedIn = ({ awaited, tree }) => awaited.map(({ category, positions }) => (
  `${category}(${positions.map((position) => tree.tokens[position].form).join(" ")})`));

function Chosen({ tree, open, awaited }) {
  const lit = useMemo(() => ({
    tokens: awaited.flatMap(({ positions }) => positions), nodes: awaited.map(({ node }) => node),
  }), [awaited]);
  return html`<div class="trees"><${Picture} id="analysis-picture" tree=${tree} lit=${lit} />
    <p class="hint">${counted(open.length, "constituent")} in red will continue with the next
      word${awaited.length > 0 && "; those in blue will continue after a gap, with their words"}.</p>
    </div>`;
}
