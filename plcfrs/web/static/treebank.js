// The tab of treebanks: the trees one by one, or those that match a query, and its hits.

import { fillAll, remember } from "./address.js";
import { attempt, queries, treebanks, trees, upload } from "./api.js";
import { html, render } from "./components.js";
import { byId, counted, options, say } from "./dom.js";
import { showHelp } from "./help.js";
import { keep, startHistory } from "./history.js";
import { hideHits, showHits, startHits } from "./hits.js";
import { parseSentence } from "./parse.js";
import { Picture } from "./picture.js";
import { whenOpened } from "./tabs.js";
import { Wait } from "./wait.js";

const FIRST = { tree: 1, marked: "", sort: "sentence", from: 0, by: "", order: "", value: null };
let shown = FIRST; // besides the fields; `value` is the kind whose hits are listed
let searched = null; // what the fields said when they were searched for
let answer = null; // of the API: the tree in sight, among how many; with its number and the search
let wait = null;

export function startTreebanks() {
  wait = new Wait(byId("treebank-result"), "trees", byId("query"));
  byId("treebank-form").addEventListener("submit", (event) => {
    event.preventDefault();
    search();
  });
  for (const id of ["treebanks", "transform"]) byId(id).addEventListener("change", search);
  byId("file").addEventListener("change", open);
  whenOpened("treebank", showOnce);
  startHistory(again);
  return explain();
}

/** List the treebanks, and choose one. */
export async function listTreebanks(chosen = null) {
  const names = (await treebanks()).map((one) => one.name);
  options(byId("treebanks"), names);
  byId("treebanks").disabled = names.length === 0;
  if (chosen !== null) byId("treebanks").value = chosen;
}

/** Show the tree and the hits of an address. */
export function visit(values) {
  fillAll("treebank", values);
  const { tree, from } = { ...FIRST, ...values };
  shown = Object.fromEntries(Object.entries(FIRST).map(([name, first]) => [name, values[name] ?? first]));
  if (byId("treebanks").value) searchFor({ tree: Number(tree), from: Number(from) });
}

function showOnce() {
  if (searched === null && byId("treebanks").value) searchFor({});
}

async function explain() {
  const { sections, keys } = await queries();
  startHits(keys);
  showHelp(sections, (query) => {
    byId("query").value = query;
    if (answer?.traces) byId("transform").checked = true; // the examples are of transformed trees
    search();
  });
}

/** Search for an earlier query again, in its treebank if it is still there. */
function again({ treebank, query, transform }) {
  const names = [...byId("treebanks").options].map((one) => one.value);
  if (names.includes(treebank)) byId("treebanks").value = treebank;
  byId("query").value = query;
  byId("transform").checked = transform;
  search();
}

/** Search for what the fields say; hits stay sorted and counted as before. */
const search = () => searchFor({ tree: 1, marked: "", from: 0, value: null });

function searchFor(values) {
  searched = {
    treebank: byId("treebanks").value, query: byId("query").value, transform: byId("transform").checked };
  return show(values);
}

function note(values) {
  byId("query").value = searched.query; // what has been typed since was not searched for
  shown = { ...shown, ...values };
  const changed = Object.entries(shown).filter(([name, value]) => value !== FIRST[name]);
  remember("treebank", Object.fromEntries(changed));
}

const refuse = (message) => {
  say(byId("treebank-error"), message);
  if (!message) return;
  const [, column] = /^query, column (\d+):/.exec(message) ?? [];
  if (column) {
    byId("query").focus();
    byId("query").setSelectionRange(column - 1, byId("query").value.length);
  }
  byId("treebank-result").hidden = true;
  hideHits();
};

async function open() {
  const [file] = byId("file").files;
  if (!file) return;
  await attempt(byId("treebank"), refuse, async () => {
    const { name } = await upload(file);
    byId("query").value = "";
    await listTreebanks(name);
    await search(); // even if a tree of another treebank has arrived in the meantime
  });
  byId("file").value = "";
}

/** Show another tree of the same search. */
async function show(values) {
  if (!byId("treebanks").value) {
    refuse("There is no treebank: open a file.");
    return;
  }
  note({ ...values, tree: Math.max(1, values.tree || shown.tree) });
  await attempt(byId("treebank"), refuse, async () => {
    const found = await wait.until(trees({
      ...searched, offset: shown.tree - 1, limit: 1, marked: shown.marked ? shown.marked.split(",") : [],
    }), answer ? "Searching …" : "Reading the treebank …");
    answer = { traces: found.traces };
    if (found.total === 0) throw new Error(found.message);
    if (!found.trees.length) {
      throw new Error(`There is no tree ${shown.tree}, only ${counted(found.total, "tree")}.`);
    }
    answer = { ...found, number: shown.tree, search: searched };
    if (searched.query.trim()) keep(searched);
    draw();
    showHits(searched, shown, { open: to, go });
  });
}

const to = (tree) => show({ tree, marked: "" });

/** Show other hits, or counts, of the same search. */
function go(values) {
  note(values);
  showHits(searched, shown, { open: to, go });
}

function draw() {
  byId("treebank-result").hidden = false;
  render(html`<${Result} ...${answer} />`, byId("treebank-result"));
}

function Result({ total, matches, trees: [found], number, search: done }) {
  const marked = matches ? `, ${found.matches} of ${matches} matches in red` : "";
  return html`<div class="row tools">
      <button type="button" id="previous" disabled=${number <= 1} onClick=${() => to(number - 1)}>Previous</button>
      <label>Tree <input type="number" id="number" min="1" max=${total} value=${number}
        onChange=${(event) => to(Number(event.target.value))} /></label>
      <span class="status" id="treebank-status" role="status">of ${total}: ${found.tree.id}${marked}</span>
      <button type="button" id="next" disabled=${number >= total} onClick=${() => to(number + 1)}>Next</button>
      ${!byId("parse-tab").hidden && html`<button type="button" id="parse-this" onClick=${() => parseThis(found.tree, number, done)}>Parse this sentence</button>`}
    </div>
    <${Picture} id="treebank-picture" tree=${found.tree} />`;
}

/** Parse the words with their tags, without traces, to compare the parse with the tree. */
function parseThis({ tokens }, number, { treebank, query, transform }) {
  const words = tokens.filter((token) => token.tag !== "-NONE-");
  const tagged = words.every((token) => token.tag);
  const text = words.map(({ form, tag }) => (tagged ? `${form}/${tag}` : form)).join(" ");
  parseSentence(text, tagged, {
    treebank, tree: number, ...(query && { query }), ...(transform && { transform: "true" }) });
}
