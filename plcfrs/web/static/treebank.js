// The tab of treebanks: the trees one by one, or those that match a query, and its hits.

import { get, link, stop, upload } from "./api.js";
import { Asking } from "./asking.js";
import { html, PAGE, Pages, render, Table, useState } from "./components.js";
import { byId, counted, offered, on, options } from "./dom.js";
import { Help } from "./help.js";
import { keep, startHistory } from "./history.js";
import { parseSentence, tab as parseTab } from "./parse.js";
import { Picture } from "./picture.js";
import { Tab } from "./tab.js";

const FORMATS = ["discbracket", "brackets", "export", "export3", "tigerxml", "json", "tokens", "tagged"];
const NUMBERS = ["gap-degree", "length"];
const KINDS = 100; // that are shown

export const tab = new Tab("treebank", {
  // `value` is the kind whose hits are listed.
  first: { tree: 1, marked: "", sort: "sentence", from: 0, by: "", order: "", value: null },
  open, visit, clear, hasModel: false,
  place: "treebank-result", kinds: ["trees"], focus: "query",
});
const listing = new Asking("hits", {
  place: "hits-found", clear: () => { byId("hits").hidden = false; } });
const { fields, shown } = tab;
let searched = null; // what the fields said when they were searched for
let answer = null; // the tree in sight, among how many; with its number and the search
let hits = null; // those in sight, and their counts, with what was wanted
let keys = []; // by which hits are counted

on("treebank-form", "submit", search);
on("treebanks transform", "change", search);
onFile("file", tab, (name) => {
  fields.query.value = fields.within.value = "";
  fields.treebank.value = name;
  return search(); // even if a tree of another treebank has arrived in the meantime
});
startHistory(again);

/** Add the file that is chosen in a field, and show it, by its name. */
export function onFile(id, { attempt }, show) {
  on(id, "change", async ({ target }) => {
    const [file] = target.files;
    if (!file) return;
    await attempt(async () => {
      const { name } = await upload(file);
      await listTreebanks();
      await show(name);
    });
    target.value = "";
  });
}

export async function listTreebanks() {
  const names = (await get("treebanks")).map((one) => one.name);
  options(fields.treebank, names);
  fields.treebank.disabled = names.length === 0;
}

function visit(values) {
  tab.restore(values);
  if (fields.treebank.value) searchFor({});
}

function open() {
  if (searched === null && fields.treebank.value) searchFor({});
}

export async function explainQueries() {
  const found = await get("queries");
  keys = found.keys;
  const run = (query) => {
    fields.query.value = query;
    fields.within.value = "";
    if (answer?.traces) fields.transform.checked = true; // the examples are of transformed trees
    search();
  };
  render(html`<${Help} sections=${found.sections} run=${run} />`, byId("help"));
}

/** Search for an earlier query again, in its treebank if it is still there. */
function again({ treebank, query, within = "", transform }) {
  if (offered(fields.treebank).includes(treebank)) fields.treebank.value = treebank;
  fields.query.value = query;
  fields.within.value = within;
  fields.transform.checked = transform;
  search();
}

/** Search for what the fields say; hits stay sorted and counted as before. */
function search() {
  return searchFor({ tree: 1, marked: "", from: 0, value: null });
}

function searchFor(values) {
  searched = tab.values("treebank", "query", "within", "transform");
  return show(values);
}

function note(values) {
  fields.query.value = searched.query; // what has been typed since was not searched for
  fields.within.value = searched.within;
  tab.note(values);
}

function clear(message) {
  const [, column] = /^query, column (\d+):/.exec(message) ?? [];
  if (column) {
    fields.query.focus();
    fields.query.setSelectionRange(column - 1, fields.query.value.length);
  }
  byId("treebank-result").hidden = true;
  hideHits();
}

async function show(values) {
  if (!fields.treebank.value) return tab.say("There is no treebank: open a file.");
  note({ ...values, tree: Math.max(1, values.tree || shown.tree) });
  return tab.attempt(async () => {
    const { tree: number, marked } = shown;
    const found = await tab.until(get("trees", {
      ...searched, offset: number - 1, limit: 1, marked: marked ? marked.split(",") : [],
    }), answer ? "Searching …" : "Reading the treebank …");
    answer = { traces: found.traces };
    if (found.total === 0) throw new Error(found.message);
    if (!found.trees.length) {
      throw new Error(`There is no tree ${number}, only ${counted(found.total, "tree")}.`);
    }
    answer = { ...found, number, search: searched };
    if (searched.query.trim()) keep(searched);
    byId("treebank-result").hidden = false;
    tab.draw(html`<${Result} ...${answer} />`);
    showHits();
  });
}

const to = (tree) => show({ tree, marked: "" });

function go(values) {
  note(values);
  showHits();
}

function Result({ total, matches, trees: [found], number, search: done }) {
  const marked = matches ? `, ${found.matches} of ${matches} matches in red` : "";
  const button = (name, step) => html`
    <button type="button" id=${name.toLowerCase()} onClick=${() => to(number + step)}
      disabled=${number + step < 1 || number + step > total}>${name}</button>`;
  return html`<div class="row tools">
      ${button("Previous", -1)}
      <label>Tree <input type="number" id="number" min="1" max=${total} value=${number}
        onChange=${(event) => to(Number(event.target.value))} /></label>
      <span class="status" id="treebank-status" role="status">
        of ${total}: ${found.tree.id}${marked}</span>
      ${button("Next", 1)}
      ${!parseTab.button.hidden && html`<button type="button" id="parse-this"
        onClick=${() => parseThis(found.tree, number, done)}>Parse this sentence</button>`}
    </div>
    <${Picture} id="treebank-picture" tree=${found.tree} />`;
}

/** Parse the words with their tags, without traces, to compare the parse with the tree. */
function parseThis({ tokens }, number, { treebank, query, within, transform }) {
  const words = tokens.filter((token) => token.tag !== "-NONE-");
  const isTagged = words.every((token) => token.tag);
  const text = words.map(({ form, tag }) => (isTagged ? `${form}/${tag}` : form)).join(" ");
  parseSentence(text, isTagged, {
    treebank, tree: number, query: query || null, within: within || null,
    transform: transform ? "true" : null });
}

function hideHits() {
  stop("hits", "counts");
  hits = null;
  listing.say("");
  byId("hits").hidden = true;
}

/** List and count the hits. What is shown already is not asked for again. */
function showHits() {
  if (!searched.query.trim()) return hideHits();
  stop("hits", "counts");
  const { by, value, from, sort, order } = shown;
  const old = hits;
  const search = searched;
  const listed = { ...search, kind: value === null ? null : by, value, sort };
  const wanted = {
    hits: { ...listed, offset: from, limit: PAGE },
    counts: by && { ...search, by, sort: order || usualOrder(by), limit: KINDS },
  };
  const find = (name) => {
    const isOld = JSON.stringify(wanted[name]) === JSON.stringify(old?.wanted[name]);
    return isOld || !wanted[name] ? old?.[name] : get(name, wanted[name]);
  };
  return listing.attempt(async () => {
    const [found, counts] = await Promise.all([find("hits"), find("counts")]);
    hits = { wanted, hits: found, counts };
    byId("hits").hidden = false;
    listing.draw(html`<${Hits} ...${found} ...${{ counts, search, listed }} />`);
  });
}

/** Return the order of counts if the user has chosen none: numbers are a distribution. */
const usualOrder = (by) => (NUMBERS.includes(by) ? "value" : "-count");

const Hits = ({ total, hits: found, counts, search, listed }) => html`
  <${Pages} total=${total} noun="hit" offset=${shown.from} shown=${found.length}
    go=${(from) => go({ from })}>
    ${shown.value !== null && html`<span>${shown.by}: <mark>${shown.value || "none"}</mark>
      ${" "}<button type="button" onClick=${() => go({ value: null, from: 0 })}>All hits</button>
      </span>`}
    <a href=${link("hits.tsv", listed)} download="hits.tsv">TSV</a>
    <${Trees} search=${search} />
    <label>Count by <select id="hits-by" value=${shown.by}
      onChange=${(event) => go({ by: event.target.value, order: "", value: null, from: 0 })}>
      <option value="">…</option>
      ${keys.map((key) => html`<option value=${key}>${key}</option>`)}</select></label>
  <//>
  <div class="found">
    ${shown.by && counts && html`<section id="hits-counts" aria-label="Counts">
      <${Counts} ...${counts} search=${search} /></section>`}
    <div id="hits-list"><${List} hits=${found} /></div>
  </div>`;

function List({ hits: found }) {
  const hasFunctions = found.some((hit) => hit.function && !hit.label.endsWith(`-${hit.function}`));
  return html`<${Table} box="scroll context" rows=${found} act=${(hit) => to(hit.number)}
    lit=${(hit) => hit.number === shown.tree}
    order=${{ both: true, by: shown.sort, sort: (sort) => go({ sort, from: 0 }) }} columns=${[
      ["sentence", "id", "sentence"], ["label", "label", "label"],
      hasFunctions && ["function", "function", "function"], ["#before", "before", "before"],
      ["words", (hit) => html`<mark>${hit.words}</mark>`, "words"], ["after", "after", "after"],
      ["#length", (hit) => hit.positions.length, "length"], ["#gaps", "gap_degree", "gap-degree"],
    ]} />`;
}

function Trees({ search }) {
  const [format, setFormat] = useState(FORMATS[0]);
  return html`<a id="trees-file" href=${link("trees/file", { ...search, format })}
      download="">Their trees</a>
    <label>as <select id="trees-format" onChange=${(event) => setFormat(event.target.value)}>
      ${FORMATS.map((name) => html`<option value=${name}>${name}</option>`)}</select></label>`;
}

/** How many hits there are of each kind: a table whose bars are the plot. */
function Counts({ total, kinds, counts, search }) {
  const { by, value, order } = shown;
  const most = Math.max(...counts.map((one) => one.count));
  const rest = kinds - counts.length;
  return html`
    <p class="status" role="status">${counted(kinds, "kind")}
      ${rest > 0 && `, the first ${counts.length} shown, ${rest} more`}
      ${" "}<a href=${link("counts.tsv", { ...search, by })} download="counts.tsv">TSV</a></p>
    <${Table} box="scroll long" rows=${counts} lit=${(one) => one.value === value}
      act=${(one) => go({ value: one.value === value ? null : one.value, from: 0 })}
      order=${{ both: true, by: order || usualOrder(by), sort: (sort) => go({ order: sort }) }}
      columns=${[
        ["#count", "count", "count"], ["#%", (one) => ((100 * one.count) / total).toFixed(1)],
        ["share", (one) => html`<span class="bar" aria-hidden="true"
          style=${{ width: `${(100 * one.count) / most}%` }} />`],
        [by, (one) => one.value || html`<em>none</em>`, "value"],
      ]} />`;
}
