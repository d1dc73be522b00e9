// The tab of treebanks: a query, its hits at the left, and the tree in sight at the right.

import { get, stop, upload } from "./api.js";
import { Asking } from "./asking.js";
import { html, PAGE, render } from "./components.js";
import { byId, counted, offered, on, options } from "./dom.js";
import { Help } from "./help.js";
import { keep, startHistory } from "./history.js";
import { Found, usualOrder } from "./hits.js";
import { parseSentence, tab as parseTab } from "./parse.js";
import { quietly, Tab } from "./tab.js";
import { Tree } from "./tree.js";

const KINDS = 100; // that are shown
const FIRST = { tree: 1, marked: "", from: 0, value: null };

export const tab = new Tab("treebank", {
  // `value` is the kind whose hits are listed: a value for each key of `by`, with tabs between.
  first: { tree: 1, marked: "", sort: "sentence", from: 0, side: "hits", by: "", order: "",
    value: null },
  open, visit, clear, hasModel: false, keys: { n: () => step(1), p: () => step(-1) },
  place: "treebank-result", kinds: ["trees"], focus: "query",
});
const listing = new Asking("hits", { place: "hits-found", clear: () => {} });
const { fields, shown } = tab;
let searched = null; // what the fields said when they were searched for
let answer = null; // the tree in sight, among how many; with its number and what was asked for
let hits = null; // those in sight, and their counts, with what was wanted
let hit = 0; // the one in sight, among those of its page
let keys = []; // by which hits are counted

/** Search for what the fields say; hits stay sorted and counted as before. */
const search = () => searchFor(FIRST);
const openTreebank = () => searchFor(FIRST, true);

on("treebank-form", "submit", search);
on("transform", "change", search);
on("treebanks", "change", openTreebank);
onFile("file", tab, (name) => {
  fields.query.value = fields.within.value = "";
  fields.treebank.value = name;
  return openTreebank(); // even if a tree of another treebank has arrived in the meantime
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
  if (fields.treebank.value) searchFor({}, values.transform === undefined);
}

function open() {
  if (searched === null && fields.treebank.value) searchFor({}, true);
}

export async function explainQueries() {
  const found = await get("queries");
  keys = found.keys;
  const run = (query) => {
    byId("query-help").hidePopover();
    again({ query, transform: fields.transform.defaultChecked }); // as the examples want it
  };
  render(html`<${Help} sections=${found.sections} run=${run} />`, byId("help"));
}

/** Search for another query, in its treebank if it is still there. */
function again({ treebank, query, within = "", transform }) {
  if (offered(fields.treebank).includes(treebank)) fields.treebank.value = treebank;
  fields.query.value = query;
  fields.within.value = within;
  fields.transform.checked = transform;
  search();
}

/** If a treebank is opened, its traces are turned into crossing branches, if it has some. */
function searchFor(values, isOpened = false) {
  searched = tab.values("treebank", "query", "within", "transform");
  if (isOpened) searched.transform = "auto";
  return show(values);
}

function note(values) {
  // What has been typed since was not searched for.
  for (const name of ["treebank", "query", "within"]) fields[name].value = searched[name];
  if (searched.transform !== "auto") fields.transform.checked = searched.transform;
  tab.note(values);
}

/** Say what is wrong with the query; the list and the tree are still those of the last one. */
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
    search();
  };
  render(found?.query && html`The same query here: <button type="button" onClick=${use}>
    <code>${found.query}</code></button>`, byId("treebank-hint"));
}

/** Return what the API wants to know of the hits that are listed. */
function listed() {
  const { by, value, sort } = shown;
  return { ...searched, kind: value === null ? null : by, value: value?.split("\t"), sort };
}

async function show(values) {
  if (!fields.treebank.value) return tab.say("There is no treebank: open a file.");
  stop("queries/translation");
  render(null, byId("treebank-hint"));
  note({ ...values, tree: Math.max(1, values.tree || shown.tree) });
  return tab.attempt(async () => {
    const { tree: number, marked } = shown;
    const found = await tab.until(get("trees", {
      ...listed(), offset: number - 1, limit: 1, marked: marked ? marked.split(",") : [],
    }), answer ? "Searching …" : "Reading the treebank …");
    if (found.total === 0) throw new Error(found.message);
    if (!found.trees.length) {
      throw new Error(`There is no tree ${number}, only ${counted(found.total, "tree")}.`);
    }
    useTraces(found);
    const [{ tree, named, ...one }] = found.trees;
    answer = { ...found, ...one, tree: { ...tree, named }, search: searched, shown: { ...shown } };
    if (searched.query.trim()) keep(searched);
    draw();
    return showHits();
  });
}

/** Let the box say whether traces were transformed: that is the rule if there are some. */
function useTraces({ traces, transform }) {
  fields.transform.defaultChecked = traces;
  fields.transform.checked = transform;
  searched = { ...searched, transform };
  quietly(() => tab.note());
}

function draw() {
  const seen = hits?.hits.hits[hit];
  tab.draw(html`<${Tree} ...${answer} hit=${seen?.number === answer.number && seen}
    ...${{ to, findMore }}
    parse=${!parseTab.button.hidden && parseThis} />`);
}

const to = (tree) => show({ tree, marked: "" });

/** Show other hits or counts; another kind or order begins with its first tree. */
function go(values) {
  if ("sort" in values || "value" in values) {
    return show({ ...values, tree: 1, marked: "", from: 0 });
  }
  note(values);
  return showHits();
}

/** Parse the words with their tags, without traces, to compare the parse with the tree. */
function parseThis() {
  const { tree: { tokens }, place, search: { treebank, transform } } = answer;
  const words = tokens.filter((token) => token.tag !== "-NONE-");
  const isTagged = words.every((token) => token.tag);
  const text = words.map(({ form, tag }) => (isTagged ? `${form}/${tag}` : form)).join(" ");
  parseSentence(text, isTagged, {
    treebank, tree: place, query: null, within: null, transform: transform ? "true" : null });
}

/** Write a query for nodes of the tree in sight, and search for it. */
function findMore({ nodes, tokens }) {
  const { search: { treebank, transform }, place } = answer;
  return tab.attempt(async () => {
    const { query } = await get("trees/example", {
      treebank, transform, place, node: nodes, token: tokens });
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

/** Show a hit of this page: walking through them is no step of history. */
function pick(at) {
  if (at === hit) return;
  hit = at;
  const { number } = hits.hits.hits[at];
  if (number !== shown.tree) quietly(() => to(number));
  else drawHits();
}

/** Go to the next hit or the one before, or without hits to another tree. */
async function step(by) {
  const row = () => byId("hits-list").querySelectorAll("tbody tr")[hit + by];
  if (!byId("hits-list")) return byId(by > 0 ? "next" : "previous")?.click();
  const place = shown.from + hit + by;
  if (!row() && place >= 0 && place < hits.hits.total) {
    await go({ from: shown.from + by * PAGE });
    hit = by > 0 ? -1 : PAGE;
  }
  row()?.focus(); // which shows it
}

function hideHits() {
  stop("hits", "counts");
  hits = null;
  listing.say("");
  listing.draw(null);
  byId("hits").hidden = true;
}

/** List and count the hits. What is shown already is not asked for again. */
function showHits() {
  if (!searched.query.trim()) return hideHits();
  stop("hits", "counts");
  const { side, by, from, order } = shown;
  const old = hits;
  const wanted = {
    hits: { ...listed(), offset: from, limit: PAGE },
    counts: side === "counts" && by
      && { ...searched, by, sort: order || usualOrder(by), limit: KINDS },
  };
  const find = (name) => {
    const isOld = JSON.stringify(wanted[name]) === JSON.stringify(old?.wanted[name]);
    return isOld || !wanted[name] ? old?.[name] : get(name, wanted[name]);
  };
  return listing.attempt(async () => {
    const [found, counts] = await Promise.all([find("hits"), find("counts")]);
    hits = { wanted, hits: found, counts };
    byId("hits").hidden = false;
    if (found !== old?.hits || found.hits[hit]?.number !== shown.tree) {
      hit = Math.max(found.hits.findIndex(({ number }) => number === shown.tree), 0);
    }
    drawHits();
  });
}

function drawHits() {
  draw();
  listing.draw(html`<${Found} ...${hits} search=${searched} listed=${listed()} shown=${shown}
    names=${answer.tree.named.map(({ name }) => name)} ...${{ keys, hit, go, pick, searchWithin }} />`);
}
