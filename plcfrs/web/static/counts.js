// How many hits there are of each kind: a table whose bars are the plot.

import { countsTable } from "./api.js";
import { html, Table } from "./components.js";
import { counted } from "./dom.js";

const NUMBERS = ["gap-degree", "length"];
export const KINDS = 100; // that are shown

/** Return the order of counts if the user has chosen none: numbers are a distribution. */
export const usualOrder = (by) => (NUMBERS.includes(by) ? "value" : "-count");

/** Counts `by` a key; `value` is the kind whose hits are listed, or null; `choose` gets a kind. */
export function Counts({ found, search, by, value, order, choose, sort }) {
  const { total, kinds, counts } = found;
  const most = Math.max(...counts.map((one) => one.count));
  return html`
    <p class="status" role="status">${counted(kinds, "kind")}${kinds > counts.length
      && `, the first ${counts.length} shown, ${kinds - counts.length} more`}
      ${" "}<a href=${countsTable({ ...search, by })} download="counts.tsv">TSV</a></p>
    <div class="scroll long"><${Table} columns=${["#count", "#%", "share", by]}
      order=${{ keys: { count: "count", [by]: "value" }, both: true, by: order, sort }}
      look=${(row) => (counts[row].value === value ? { class: "lit" } : {})}
      act=${(row) => choose(counts[row].value === value ? null : counts[row].value)}
      rows=${counts.map((one) => [
        one.count, ((100 * one.count) / total).toFixed(1), html`<${Bar} share=${one.count / most} />`,
        one.value || html`<em>none</em>`])} /></div>`;
}

/** A bar that shows what the number beside it says. */
const Bar = ({ share }) => html`<span class="bar" aria-hidden="true" style=${{ width: `${100 * share}%` }} />`;
