// The matches of a query: a list with their words in context, and counts.

import { attempt, counts, hits, hitsTable, treesFile } from "./api.js";
import { html, render, Table } from "./components.js";
import { byId, counted, say } from "./dom.js";

const PAGE = 50;
let wanted = null;
let offset = 0;
let open = null;

/** Start the list; `show` opens a tree by its number. */
export function startHits(show) {
  open = show;
  byId("fewer-hits").addEventListener("click", () => list(offset - PAGE));
  byId("more-hits").addEventListener("click", () => list(offset + PAGE));
  byId("hits-sort").addEventListener("change", () => list(0));
  byId("hits-by").addEventListener("change", count);
  byId("trees-format").addEventListener("change", nameFile);
}

/** List the hits of a query, unless they are shown already. */
export function showHits(search) {
  byId("hits").hidden = !search.query.trim();
  if (byId("hits").hidden || JSON.stringify(search) === JSON.stringify(wanted)) return;
  wanted = search;
  byId("hits-table").href = hitsTable(search);
  nameFile();
  list(0).then(count);
}

/** Let the link to the file of trees have the chosen format. */
function nameFile() {
  byId("trees-file").href = treesFile({ ...wanted, format: byId("trees-format").value });
}

const refuse = (message) => say(byId("hits-error"), message);

async function list(first) {
  await attempt(byId("hits"), refuse, async () => {
    const answer = await hits({ ...wanted, sort: byId("hits-sort").value || "sentence", offset: first, limit: PAGE });
    offset = first;
    const last = offset + answer.hits.length;
    byId("hits-status").textContent = `${counted(answer.total, "hit")}, ${offset + 1} to ${last} shown`;
    byId("fewer-hits").disabled = offset === 0;
    byId("more-hits").disabled = last >= answer.total;
    render(html`<${Rows} found=${answer.hits} />`, byId("hits-list"));
  });
}

const Rows = ({ found }) => html`<${Table}
  columns=${["sentence", "label", "#before", "words", "after"]}
  rows=${found.map((hit) => [
    hit.id, hit.label, hit.before, html`<mark>${hit.words}</mark>`, hit.after])}
  act=${(row) => open(found[row].number)} />`;

async function count() {
  const by = byId("hits-by").value;
  render(null, byId("hits-counts"));
  if (!by) return;
  await attempt(byId("hits-counts"), refuse, async () => {
    const { counts: found } = await counts({ ...wanted, by });
    render(html`<${Table} columns=${["#count", by]}
      rows=${found.map(({ value, count: number }) => [number, value])} />`, byId("hits-counts"));
  });
}
