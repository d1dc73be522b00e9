// The tab of treebanks: a query, its hits on the left, and a tree on the right.

import { get, link, stop, upload } from "./api.js";
import { html, PAGE, render, Table } from "./components.js";
import { byId, optionValues, on, setOptions } from "./dom.js";
import { isNull } from "./drawing.js";
import { keep, startHistory } from "./history.js";
import { HitList, usualOrder } from "./hits.js";
import { session } from "./model.js";
import { parseSentence, tab as parseTab } from "./parse.js";
import { Tab, withoutHistory } from "./tab.js";
import { Tree } from "./tree.js";

const FIRST = { tree: 1, marked: "", from: 0 }; // of other hits

export const tab = new Tab("treebank", {
  // `value` is the kind whose hits are listed: a value for each key of `by`, with tabs between.
  first: { tree: 1, marked: "", sort: "sentence", from: 0, side: "hits", by: "", order: "",
    value: null },
  open, visit, clear, hasModel: false, keys: { n: () => step(1), p: () => step(-1) },
  place: "treebank-result", kinds: ["trees", "hits", "counts"], focus: "query",
});
const { fields, shown } = tab;
let searched = null; // the values of the fields in the last search
let answer = null; // the tree in sight, the hits and their counts, with the request
let hit = 0; // the hit in sight, among the listed ones

/** Search with the values of the fields; hits stay sorted and counted as before. */
const search = (transform) => searchFor({ ...FIRST, value: null }, transform);
const openTreebank = () => search("auto");

// Whether a treebank has traces is not known before it is read.
on("treebank-form", "submit", () => search(searched?.transform));
on("transform", "change", () => search());
on("treebanks", "change", openTreebank);
on("trees-format", "change", draw);
onFile("file", tab, (name) => {
  fields.query.value = fields.within.value = "";
  fields.treebank.value = name;
  return openTreebank(); // even if a tree of another treebank has arrived in the meantime
});
startHistory(again);

/** Help for queries, with examples that run with a click: `run` gets the query. */
const Help = ({ sections, run }) => sections.map(({ title, about, entries }) => html`
    <section aria-label=${title}><h2>${title}</h2>
      <p class="hint"><${Marked} text=${about} /></p>
      <${Table} rows=${entries} act=${({ example }) => run(example)} columns=${[
        ["written", ({ written }) => written.map((one) => html`<code>${one}</code> `)],
        ["meaning", ({ meaning }) => html`<${Marked} text=${meaning} />`],
        ["example", ({ example }) => html`<code>${example}</code>`],
      ]} />
    </section>`);

/** A text with parts of queries in backquotes. */
const Marked = ({ text }) => text.split("`").map(
  (part, i) => (i % 2 ? html`<code>${part}</code>` : part));

const [{ keys, sections }] = await Promise.all([get("queries"), listTreebanks()]);
const run = (query) => {
  byId("query-help").hidePopover();
  again({ query, transform: "auto" }); // as the examples want it
};
render(html`<${Help} ...${{ sections, run }} />`, byId("help"));

/** Upload the file chosen in a field; `show` gets the name of the treebank. */
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

async function listTreebanks() {
  setOptions(fields.treebank, (await get("treebanks")).map(({ name }) => name));
}

function visit(values) {
  tab.restore(values);
  if (fields.treebank.value) searchFor({}, values.transform ?? "auto");
}

function open() {
  if (searched === null && fields.treebank.value) searchFor({}, "auto");
}

/** Search for another query, in its treebank if it is still there. */
function again({ treebank, query, within = "", transform }) {
  if (optionValues(fields.treebank).includes(treebank)) fields.treebank.value = treebank;
  fields.query.value = query;
  fields.within.value = within;
  if (transform !== "auto") fields.transform.checked = transform;
  search(transform);
}

/** With "auto", traces are turned into crossing branches if the treebank has any. */
function searchFor(values, transform) {
  searched = tab.values("treebank", "query", "within", "transform");
  if (transform === "auto") searched.transform = transform;
  return show(values);
}

function note(values) {
  // What has been typed since was not searched for.
  for (const name of ["treebank", "query", "within"]) fields[name].value = searched[name];
  if (searched.transform !== "auto") fields.transform.checked = searched.transform;
  tab.note(values);
}

/** Select the wrong part of the query; the list and the tree stay those of the query before. */
async function clear(message) {
  const { query, within } = fields;
  const [, inWithin, column] = /^(in trees with: )?query, column (\d+):/.exec(message) ?? [];
  if (answer) {
    searched = answer.search;
    Object.assign(shown, answer.shown);
  }
  if (!column) return;
  const field = inWithin ? within : query;
  field.focus();
  field.setSelectionRange(column - 1, field.value.length);
  const found = await get("queries/translation", { query: field.value }).catch(() => null);
  const use = () => {
    field.value = found.query;
    search(searched.transform);
  };
  render(found?.query && html`Translated query: <button type="button" onClick=${use}>
    <code>${found.query}</code></button>`, byId("treebank-hint"));
}

/** Return the listed hits as parameters of the API. */
function listed() {
  const { by, value, sort } = shown;
  return { ...searched, kind: value === null ? null : by, value: value?.split("\t"), sort };
}

async function show(values) {
  if (!fields.treebank.value) return tab.say("There is no treebank: open a file.");
  stop("trees", "hits", "counts", "queries/translation");
  render(null, byId("treebank-hint"));
  note({ ...values, tree: Math.max(1, values.tree || shown.tree) });
  if ("from" in values) hit = 0;
  const { tree: number, marked, from, side, by, order } = shown;
  const isQuery = Boolean(searched.query.trim());
  const tree = { ...listed(), offset: number - 1, marked: marked.match(/\d+/g) };
  return tab.attempt(async () => {
    const [found, hits, counts] = await tab.until(Promise.all([
      get("trees", tree),
      isQuery && get("hits", { ...listed(), offset: from, limit: PAGE }),
      isQuery && side === "counts" && by
        && get("counts", { ...searched, by, sort: order || usualOrder(by) }),
    ]), answer ? "Searching …" : "Reading the treebank …");
    // If there are traces, crossing branches are the default.
    fields.transform.defaultChecked = found.traces;
    fields.transform.checked = searched.transform = found.transform;
    if (found.message) throw new Error(found.message);
    withoutHistory(() => tab.note());
    const [{ tree: seen, named, ...one }] = found.trees;
    answer = { ...found, ...one, tree: { ...seen, named }, hits, counts, search: searched,
      shown: { ...shown } };
    if (isQuery) keep(searched);
    if (hits && hits.hits[hit]?.number !== number) {
      hit = Math.max(hits.hits.findIndex((one) => one.number === number), 0);
    }
    draw();
  });
}

function draw() {
  const { hits, counts, number, tree } = answer;
  const seen = hits && hits.hits[hit];
  tab.draw(html`<${Tree} ...${answer} hit=${seen?.number === number && seen} ...${{ to, findMore }}
    editAt=${session.project?.treebank === answer.search.treebank
      ? `#annotate?${new URLSearchParams({ sentence: tree.id })}` : undefined}
    parse=${!parseTab.button.hidden && parseThis} />`);
  byId("hits").hidden = !hits;
  render(hits && html`<${HitList} ...${{ shown, hits, counts, hit, keys, pick, searchWithin }}
    search=${searched} listed=${listed()} names=${tree.named.map(({ name }) => name)}
    go=${show} begin=${(values) => show({ ...FIRST, ...values })} />`, byId("hits-found"));
  byId("hits-files").hidden = shown.side === "counts";
  byId("hits-file").href = link("hits.tsv", listed());
  byId("trees-file").href = link("trees/file", { ...listed(), format: byId("trees-format").value });
}

const to = (tree) => show({ tree, marked: "" });

/** Parse the words with their tags, without traces, to compare the parse with the tree. */
function parseThis() {
  const { tree: { tokens }, place, search: { treebank, transform } } = answer;
  const words = tokens.filter((token) => !isNull(token));
  const isTagged = words.every((token) => token.tag);
  const text = words.map(({ form, tag }) => (isTagged ? `${form}/${tag}` : form)).join(" ");
  parseSentence(text, isTagged, { treebank, tree: place, transform: transform ? "true" : null });
}

/** Write a query for nodes of the tree in sight, and search for it. */
function findMore({ nodes, tokens, functions }) {
  const { search: { treebank, transform }, place } = answer;
  return tab.attempt(async () => {
    const { query } = await get("trees/example", {
      treebank, transform, place, node: nodes, token: tokens, functions });
    fields.query.value = query;
    await search();
  });
}

function searchWithin() {
  fields.within.value = searched.query;
  fields.query.value = "";
  fields.query.focus();
  search();
}

/** Show a hit of this page, without a step of history. */
function pick(at) {
  if (at === hit) return;
  hit = at;
  const { number } = answer.hits.hits[at];
  if (number === shown.tree) draw();
  else withoutHistory(() => to(number));
}

/** Go to the next hit or the one before, or without hits to another tree. */
async function step(by) {
  const row = () => byId("hits-list").querySelectorAll("tbody tr")[hit + by];
  if (!byId("hits-list")) return byId(by > 0 ? "next" : "previous")?.click();
  const place = shown.from + hit + by;
  if (!row() && place >= 0 && place < answer.hits.total) {
    await show({ from: shown.from + by * PAGE });
    hit = by > 0 ? -1 : PAGE;
  }
  row()?.focus(); // which shows it
}
