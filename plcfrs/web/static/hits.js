// The matches of a query: a list with their words in context, and counts.

import { attempt, counts, hits, hitsTable, stop, treesFile } from "./api.js";
import { html, Pages, render, Table, useState } from "./components.js";
import { Counts, KINDS, usualOrder } from "./counts.js";
import { byId } from "./dom.js";

const PAGE = 50;
const FORMATS = ["discbracket", "brackets", "export", "export3", "tigerxml", "tokens", "tagged"];
const ORDER = {
  sentence: "sentence", label: "label", function: "function", before: "before", words: "words",
  after: "after", length: "length", gaps: "gap-degree",
};
let keys = []; // by which hits are counted
let latest = null; // what was asked for last
let view = null; // what is shown, and what it was asked for
let error = "";

/** Hits can be counted by these keys. */
export function startHits(known) {
  keys = known;
}

export function hideHits() {
  stop(["hits", "counts"]);
  [latest, view, error] = [null, null, ""];
  draw();
}

/** List the hits of a search as `shown` says, and count them; `go` changes what is shown, `open` a
 * tree by its number. What is shown already is not asked for again. */
export async function showHits(search, shown, actions) {
  if (!search.query.trim()) {
    hideHits();
    return;
  }
  const kind = shown.value === null ? {} : { kind: shown.by, value: shown.value };
  const listed = { ...search, ...kind, sort: shown.sort };
  const wanted = {
    list: { ...listed, offset: shown.from, limit: PAGE },
    counts: shown.by && { ...search, by: shown.by, sort: shown.order || usualOrder(shown.by), limit: KINDS },
  };
  latest = wanted;
  const old = view ?? { wanted: {} };
  const isOld = (name) => JSON.stringify(wanted[name]) === JSON.stringify(old.wanted[name]);
  await attempt(byId("hits"), refuse, async () => {
    const [list, counted] = await Promise.all([
      isOld("list") ? old.list : hits(wanted.list),
      isOld("counts") || !wanted.counts ? old.counts : counts(wanted.counts),
    ]);
    if (latest !== wanted) return; // it is too late for these
    view = { wanted, list, counts: counted, search, listed, shown, actions };
    draw();
  });
}

function refuse(message) {
  error = message;
  draw();
}

function draw() {
  byId("hits").hidden = view === null && !error;
  render(html`<h2 id="hits-title">Hits</h2>
    <p class="error" role="alert" hidden=${!error}>${error}</p>
    ${view && html`<${Hits} ...${view} />`}`, byId("hits"));
}

const Hits = ({ list, counts: found, search, listed, shown, actions: { go, open } }) => html`
  <${Pages} total=${list.total} noun="hit" offset=${shown.from} shown=${list.hits.length} size=${PAGE}
    go=${(from) => go({ from })}>
    ${shown.value !== null && html`<span>${shown.by}: <mark>${shown.value || "none"}</mark>
      ${" "}<button type="button" onClick=${() => go({ value: null, from: 0 })}>All hits</button></span>`}
    <a href=${hitsTable(listed)} download="hits.tsv">TSV</a>
    <${Trees} search=${search} />
    <label>Count by <select id="hits-by" value=${shown.by}
      onChange=${(event) => go({ by: event.target.value, order: "", value: null, from: 0 })}>
      <option value="">…</option>${keys.map((key) => html`<option value=${key}>${key}</option>`)}</select></label>
  <//>
  <div class="found">
    ${shown.by && found && html`<section id="hits-counts" aria-label="Counts"><${Counts} found=${found}
      search=${search} by=${shown.by} value=${shown.value} order=${shown.order || usualOrder(shown.by)}
      choose=${(value) => go({ value, from: 0 })} sort=${(order) => go({ order })} /></section>`}
    <div class="scroll context" id="hits-list"><${List} found=${list.hits} shown=${shown} go=${go} open=${open} /></div>
  </div>`;

function List({ found, shown, go, open }) {
  const hasFunctions = found.some((hit) => hit.function && !hit.label.endsWith(`-${hit.function}`));
  const functions = (name) => (hasFunctions ? [name] : []);
  return html`<${Table}
    columns=${["sentence", "label", ...functions("function"), "#before", "words", "after", "#length", "#gaps"]}
    order=${{ keys: ORDER, both: true, by: shown.sort, sort: (sort) => go({ sort, from: 0 }) }}
    look=${(row) => (found[row].number === shown.tree ? { class: "lit" } : {})}
    act=${(row) => open(found[row].number)}
    rows=${found.map((hit) => [
      hit.id, hit.label, ...functions(hit.function), hit.before, html`<mark>${hit.words}</mark>`, hit.after,
      hit.positions.length, hit.gap_degree])} />`;
}

/** A link to a file of the trees that match. */
function Trees({ search }) {
  const [format, setFormat] = useState(FORMATS[0]);
  return html`<a id="trees-file" href=${treesFile({ ...search, format })} download="">Their trees</a>
    <label>as <select id="trees-format" onChange=${(event) => setFormat(event.target.value)}>
      ${FORMATS.map((name) => html`<option value=${name}>${name}</option>`)}</select></label>`;
}
