// The parses of a sentence: the chosen one, perhaps beside another tree, and the others.

import { GOLD } from "./beside.js";
import { html, Table, useMemo, useState } from "./components.js";
import { Derivation } from "./derivation.js";
import { short } from "./dom.js";
import { isNull } from "./drawing.js";
import { can, session } from "./model.js";
import { Errors, Pair } from "./picture.js";

const STATISTICS = {
  items: "items created", popped: "items taken from the agenda", improved: "items improved later",
  edges: "rules applied", pair_tests: "pairs of items tested",
  estimate_seconds: "seconds for estimates", search_seconds: "seconds for the search",
};

/** `rank` and `step` are the parse and the step that are shown; `beside` is the tree beside it;
 * `acts` choose a parse, go to a step, change a tag, and remove the tags. */
export function Result({ answer, rank, step, beside, acts }) {
  const parse = answer.parses[rank - 1] ?? answer.parses[0];
  const [pointed, setPointed] = useState({ step: 0, isFocus: false });
  const current = pointed.step || step;
  const trees = useTrees(parse, session.model, beside);
  const [{ tree: seen }] = trees;
  // With null elements, words have other positions, and constituents other numbers.
  const words = useMemo(() => seen.tokens.flatMap((one, i) => (isNull(one) ? [] : [i])), [seen]);
  const lit = useMemo(() => {
    const { tokens, nodes } = parse.derivation[current - 1] ?? { tokens: [], nodes: [] };
    return { tokens: tokens.map((i) => words[i]), nodes: seen === parse.with_traces ? [] : nodes,
      dims: step > 0 || pointed.isFocus };
  }, [parse, seen, current, step, pointed.isFocus]);
  return html`
    <div class="columns result">
      <div class="trees">
        <p class="status" id="beside-status" role="status" hidden=${!beside}>${beside?.summary}</p>
        <${Pair} trees=${trees.map((tree, i) => (i ? tree
          : { ...tree, lit, edit: acts.edit, unknown: answer.unknown.map((at) => words[at]) }))} />
        ${answer.unknown.length > 0 && html`<p class="hint legend" id="unknown"><span>
          <svg class="swatch" aria-hidden="true"><rect width="100%" height="100%"
            fill="url(#hatch)" /></svg> unknown words</span></p>`}
        ${beside?.errors?.length > 0 && html`<${Errors} errors=${beside.errors} />`}
        <${Hints} parse=${parse} untag=${acts.untag}
          surprisal=${can("surprisal") && surprisalOf(answer.sentence, parse.tree)} />
      </div>
      ${parse.derivation.length > 0 && html`<${Derivation} parse=${parse} step=${step} go=${acts.go}
        pointed=${pointed.step} point=${(number, isFocus) => setPointed({ step: number, isFocus })}
        sentence=${answer.sentence} />`}
    </div>
    <div class="columns">
      ${answer.parses[0].score !== null && html`
        <${Parses} parses=${answer.parses} rank=${parse.rank} choose=${acts.choose} />`}
      <${Chart} answer=${answer} />
    </div>`;
}

/** Return the picture of a parse, and of the tree beside it. */
function useTrees(parse, { name }, beside) {
  const compared = beside?.rank === parse.rank ? beside : null;
  const tree = useMemo(() => {
    const found = compared?.tree ?? parse.tree;
    if (!parse.posteriors?.length) return found;
    return { ...found, posteriors: parse.posteriors, svg: compared ? "" : found.svg };
  }, [parse.tree, String(parse.posteriors), compared]);
  const picture = { id: "parse-picture", tree: (!beside && parse.with_traces) || tree };
  if (!beside?.other) return [picture];
  const [left, right] = beside.name === GOLD
    ? [`Parse by ${name}, spurious constituents in red`, "Gold tree, missed constituents in red"]
    : [`${name}, differences in red`, `${beside.name}, differences in red`];
  return [{ ...picture, title: left }, { id: "beside-picture", title: right, tree: beside.other }];
}

function surprisalOf({ text, tagged }, { tokens }) {
  const read = tagged ? { text, tagged } : { text: tokens.map(({ form }) => form).join(" ") };
  return `#surprisal?${new URLSearchParams({ model: session.model.name, ...read })}`;
}

const Hints = ({ parse, untag, surprisal }) => html`<div class="row tools">
  ${untag && html`<button type="button" id="untag" onClick=${untag}>Without these tags</button>`}
  ${surprisal && html`<a href=${surprisal}>Surprisal of these words</a>`}
  <span class="hint">Click a tag to change it, a constituent to collapse it. Arrow keys move
    through the tree.${parse.posteriors?.length === 0 && parse.score !== null && ` How probable its
    constituents are is not known: the search was stopped, or the sentence is too long.`}
    </span></div>`;

function Parses({ parses, rank, choose }) {
  const best = parses[0];
  const probable = best.probability !== null;
  return html`<section id="parses"><h2>Parses</h2><${Table} box="scroll" rows=${parses} columns=${[
    ["#rank", (parse) => html`<label><input type="radio" name="parse" checked=${parse.rank === rank}
      onChange=${() => choose(parse.rank)} />${parse.rank}</label>`],
    probable && ["#probability", (parse) => short(parse.probability)],
    probable && ["#of the best", (parse) => `${short(100 * Math.exp(parse.score - best.score))} %`],
    [probable ? "#ln p" : `#${best.meaning}`, (parse) => short(parse.score)],
    parses.some((parse) => parse.gap) && ["#better by at most", (parse) => short(parse.gap ?? 0)],
    ["#gap degree", "gap_degree"],
  ]} /></section>`;
}

function Chart({ answer: { statistics, lost_mass: lost } }) {
  const rows = Object.entries(statistics).map(
    ([key, value]) => [STATISTICS[key] ?? key.replaceAll("_", " "), short(value)]);
  if (lost) rows.push(["probability left out (at most)", short(lost)]);
  return statistics.items > 0 && html`<section id="chart"><h2>Chart</h2>
    <${Table} box="scroll" rows=${rows} columns=${[["figure", "0"], ["#value", "1"]]} /></section>`;
}
