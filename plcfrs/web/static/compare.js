// The tab that compares parses with gold trees, and with the parses of another system: scores,
// differences, kinds of errors, and the sentences in which they are.

import { get, link, post, stop } from "./api.js";
import { Asking } from "./asking.js";
import { html, PAGE, Pages, render, Table } from "./components.js";
import { byId, offered, on, options } from "./dom.js";
import { used } from "./model.js";
import { Errors, Pair } from "./picture.js";
import { Tab } from "./tab.js";
import { onFile } from "./treebank.js";

const FIRST = "1-50"; // the sentences that a model parses if none are named
const BY = "by "; // a model
const LETTERS = "AB"; // short names of two systems
const RIGHT = {
  all: "all", first: "only A", second: "only B", both: "both", neither: "neither" };
const OTHER = "other-"; // before the keys by which sentences are sorted, for the second system

export const tab = new Tab("compare", {
  first: { gold: null, kind: "", right: "all", sort: "wrong", offset: 0, sentence: 0 },
  open, useModel, visit, clear,
  place: "report", kinds: ["errors"], focus: "gold",
});
const { fields, shown } = tab;
const pairing = new Asking("pair", { place: "pair", error: "compare-error", clear: hidePair });
let compared = null; // what is compared, as the API wants it
let parsed = null; // how many sentences models have parsed, of how many
let report = null; // of what is compared
const followed = new WeakMap(); // how far figures are scrolled that follow another one
let isOfModel = false; // whether the first parses are those of the model that all tabs use
let isOutdated = false; // whether another model was chosen since

on("compare-form", "submit", () => {
  Object.assign(shown, tab.first);
  score();
});
on("parses-of other-of", "change", hint);
for (const place of ["gold", "parses", "other"]) {
  onFile(`${place}-file`, tab, (name) => {
    offer();
    fields[place].value = name;
    hint();
  });
}
byId("pair").addEventListener("scroll", scrollTogether, true); // which does not bubble

function open() {
  offer();
  if (isOutdated) score(); // the parses of the model, if those of another one were scored before
}

/** The parses of another model are scored when they are in sight. */
function useModel() {
  offer();
  if (!isOfModel) return;
  stop("parses", "errors");
  isOutdated = true;
  tab.known = null;
  clear();
}

function visit(values) {
  offer();
  tab.restore(values);
  hint();
  if (values.gold) return score();
  stop("parses", "errors");
  clear();
  return open();
}

/** Offer the treebanks and models that there are now; the first parses may be the model's. */
function offer() {
  const names = offered(byId("treebanks"));
  const { model, all = [] } = used;
  const others = all.filter((one) => one !== model).map(({ name }) => BY + name);
  const own = model ? [""] : [];
  options(fields.gold, names);
  options(fields.parses, [...own, ...others, ...names], { "": BY + model?.name });
  options(fields.other, ["", ...all.map(({ name }) => BY + name), ...names], { "": "nothing" });
  hint();
}

/** Return which sentences are meant if none are named. */
const usual = () => (systems().some((one) => one.startsWith(BY)) ? FIRST : "");

function hint() {
  fields.sentences.placeholder = usual() || "all";
}

/** Return what is compared with the gold trees, one or two: treebanks, or models after "by". */
const systems = () => [
  fields.parses.value || BY + used.model?.name, fields.other.value].filter(Boolean);

function clear() {
  tab.draw(null);
  hidePair();
}

/** Parse what models are to parse; then show the report. */
function score() {
  const how = tab.values("gold", "sentences", "transform", "own_tags", "settings");
  isOfModel = !fields.parses.value;
  isOutdated = false;
  tab.note({ gold: fields.gold.selectedIndex ? null : how.gold }); // the address says: score
  hidePair();
  return tab.attempt(async () => {
    if (!how.gold) throw new Error("There is no treebank: open a file.");
    how.sentences ||= usual();
    const [parses, other] = await parseAll(systems(), how).finally(
      () => render(null, byId("compare-progress")));
    if (!parses) return;
    compared = { ...how, parses, other, first: parsed?.parsed || null };
    await list();
    if (shown.sentence) showPair();
  });
}

/** Parse with each model, some sentences at a time, until all are parsed or the user stops it;
 * return the systems that have parses. */
async function parseAll(all, { gold: treebank, transform, own_tags, sentences }) {
  const ready = [];
  let isStopped = false;
  const halt = () => {
    isStopped = true;
    stop("parses");
    fields.gold.focus();
  };
  parsed = null;
  for (const system of all) {
    const model = system.startsWith(BY) && system.slice(BY.length);
    let found = { parsed: 0 };
    while (model && !isStopped && found.parsed !== found.total) {
      render(html`<${Progress} ...${found} ...${{ model, halt }} />`, byId("compare-progress"));
      const step = post("parses", { treebank, transform, own_tags, sentences, model });
      found = await step.catch((error) => isStopped ? found : Promise.reject(error));
    }
    if (model && isStopped && !found.parsed) break;
    if (model && !(parsed?.parsed < found.parsed)) parsed = found;
    ready.push(system);
  }
  return ready;
}

const Progress = ({ model, parsed: done, total, halt }) => html`<div class="row wait">
  <progress max=${total} value=${total && done} aria-label="Parsed sentences" />
  <span>Parsing with ${model}${total ? `: ${done} of ${total}` : " …"}</span>
  <button type="button" onClick=${halt}>Stop</button></div>`;

async function list() {
  const { sort, offset, kind, right } = shown;
  report = await tab.until(get("errors", {
    ...compared, sort, offset, right, kind: kind || null, limit: PAGE }), "Comparing …");
  draw();
}

const draw = () => tab.draw(html`<${Report} ...${report} />`);

function show(values) {
  tab.note({ offset: 0, sentence: 0, ...values });
  hidePair();
  tab.attempt(list);
}

function choose({ number }) {
  tab.note({ sentence: number });
  draw();
  showPair();
}

function hidePair() {
  stop("errors/sentence");
  byId("pair").hidden = true;
}

/** Show the trees of the chosen sentence. */
function showPair() {
  pairing.attempt(async () => {
    const found = await get("errors/sentence", { ...compared, number: shown.sentence });
    byId("pair").hidden = false;
    pairing.draw(html`<${Trees} ...${found} names=${report.systems.map(({ name }) => name)} />`);
    byId("pair").scrollIntoView();
  });
}

function Trees({ sentence: { number, id, parses: scores }, gold, parses, names }) {
  const letter = (i) => (names.length > 1 ? `${LETTERS[i]}: ` : "");
  const errors = scores.flatMap((one, i) => one.errors.map(
    ({ kind, text }) => ({ kind: letter(i) + kind, text })));
  const trees = [["gold", "Gold tree, missed constituents in red", gold], ...parses.map((tree, i) => [
    ["parse", "other"][i],
    `${letter(i)}${names[i]}, ${scores[i].missed} missed, ${scores[i].spurious} spurious in red`, tree])];
  return html`<h2 id="pair-title">Sentence ${number}${id && ` (${id})`}</h2>
    <${Pair} trees=${trees.map(([place, title, tree]) => (
      { id: `pair-${place}`, title, tree, hasFiles: false }))} />
    <${Errors} errors=${errors} />`;
}

/** Let the other trees of a sentence follow one that is scrolled: the same word is in the middle. */
function scrollTogether({ target: figure }) {
  if (Math.abs(figure.scrollLeft - followed.get(figure)) < 2) return; // it follows
  const place = (one) => one.getBoundingClientRect().left + one.getBoundingClientRect().width / 2;
  const off = (word) => Math.abs(place(word) - place(figure));
  const [middle] = [...figure.querySelectorAll("[data-token]")].sort((a, b) => off(a) - off(b));
  for (const other of byId("pair").querySelectorAll("figure")) {
    const word = other.querySelector(`[data-token="${middle?.dataset.token}"]`);
    if (other === figure || !word) continue;
    const lag = place(word) - place(other) - (place(middle) - place(figure));
    other.scrollLeft += lag;
    followed.set(other, other.scrollLeft);
  }
}

const Report = ({ systems: all, differences, right, total, sentences }) => html`
  <${Doubts} all=${all} total=${right.all} />
  ${differences && html`<${Scores} ...${differences} />`}
  <div class="columns">
    ${!differences && all[0].tables.slice(0, 3).map((one) => html`<${Scores} ...${one} />`)}
    ${all.map(({ kinds }, i) => html`
      <${Kinds} kinds=${kinds} of=${differences ? ` of ${LETTERS[i]}` : ""} />`)}</div>
  ${all.map(({ name, tables }) => html`<details>
    <summary>${differences ? `All scores of ${name}`
      : "By category, fan-out, gap degree and length"}</summary>
    <div class="columns">${tables.slice(differences ? 0 : 3).map(
      (one) => html`<${Scores} ...${one} />`)}</div></details>`)}
  <h2>Sentences${shown.kind && ` with errors of the kind “${shown.kind}”`}</h2>
  <${Pages} total=${total} noun="sentence" offset=${shown.offset} shown=${sentences.length}
    go=${(offset) => show({ offset })}>
    ${differences && html`<${Filter} right=${right} />`}
    ${shown.kind && html`
      <button type="button" onClick=${() => show({ kind: "" })}>All kinds</button>`}
    <a href=${link("errors.tsv", compared)} download="sentences.tsv">TSV</a><//>
  <${Table} box="scroll sentences" rows=${sentences} act=${choose} columns=${columnsOf(all.length > 1)}
    lit=${(one) => one.number === shown.sentence} order=${{
      lowest: ["number", "f1", `${OTHER}f1`], by: shown.sort, sort: (sort) => show({ sort }),
    }} />`;

const SCORES = [
  ["wrong", ({ missed, spurious }) => missed + spurious, "wrong"],
  ["F1", ({ f1 }) => f1.toFixed(1), "f1"], ["missed", ({ missed }) => missed, "missed"],
  ["spurious", ({ spurious }) => spurious, "spurious"],
  ["wrong tags", ({ wrong_tags: tags }) => tags, "tags"],
];

/** Return the columns of the sentences: all scores of one system, the first ones of two. */
function columnsOf(isPair) {
  const scored = (letter, i) => SCORES.slice(0, isPair ? 2 : undefined).map(
    ([title, cell, key]) => [
      `#${title}${letter && ` ${letter}`}`, ({ parses }) => cell(parses[i]), OTHER.repeat(i) + key]);
  return [
    ["text", ({ words, parses }) => html`${words}${parses.map((one, i) => html`
      <${Problems} ...${one} name=${isPair ? `${LETTERS[i]}: ` : ""} />`)}`],
    ["#sentence", "number", "number"], ...(isPair ? [...LETTERS] : [""]).flatMap(scored),
    isPair && ["right", ({ parses }) =>
      [...LETTERS].filter((_, i) => parses[i].exact).join(", ") || "neither"],
    ["#words", "length", "length"], ["#gaps", "gap_degree", "gap-degree"]];
}

const Problems = ({ parsed: isParsed, errors, name }) => html`
  ${!isParsed && html`<div class="example">${name}without a parse</div>`}
  ${shown.kind && errors.map(({ text }) => html`<div class="example">${name}${text}</div>`)}`;

/** Which sentences are listed: a system is right if a parse is an exact match. */
const Filter = ({ right }) => html`<label>Exact match by${" "}
  <select id="right" value=${shown.right} onChange=${({ target }) => show({ right: target.value })}>
    ${Object.entries(RIGHT).map(([value, text]) => html`
      <option value=${value}>${text} (${right[value] ?? 0})</option>`)}</select></label>`;

/** What makes scores doubtful: training sentences, and that not all sentences are parsed. */
function Doubts({ all, total }) {
  const unknown = all.filter((one) => one.is_model && one.trained_on === null);
  return html`${parsed && parsed.parsed < parsed.total && html`<p class="doubt">
    The first ${parsed.parsed} of ${parsed.total} sentences; stopped.</p>`}
  ${all.filter((one) => one.trained_on > 0).map(({ name, trained_on: seen }) => html`
    <p class="doubt" role="alert">${seen} of ${total} sentences ${seen === 1 ? "is" : "are"} in the
      training set of ${name}: ${seen === 1 ? "its score says" : "their scores say"} little.</p>`)}
  ${unknown.length > 0 && html`<p class="hint">It is not known which sentences are in the training
    set of ${unknown.map(({ name }) => name).join(" or ")}.</p>`}`;
}

function figure(cell, row, column) {
  if (column.startsWith("p ")) return cell.toFixed(4);
  const isScore = [row, column].some(
    (name) => /^[LU]?[PR]$|F1( |$)|^Exact match$|accuracy$/.test(name));
  return isScore ? cell?.toFixed(2) ?? "–" : cell ?? "–";
}

const Scores = ({ title, columns, rows }) => html`
  <${Table} box="scroll" label=${title} rows=${Object.entries(rows)} columns=${[
    [title, ([name]) => name],
    ...columns.map((column, i) => [
      `#${column}`, ([name, cells]) => figure(cells[i], name, column)]),
  ]} />`;

/** The kinds of errors; a kind lists its sentences. */
const Kinds = ({ kinds, of }) => html`
  <${Table} box="scroll kinds" label=${`Kinds of errors${of}`} rows=${kinds}
    lit=${({ kind }) => kind === shown.kind} act=${({ kind }) => show({ kind })} columns=${[
      [`Kinds of errors${of}`, "kind"], ["#missed", "missed"], ["#spurious", "spurious"],
      ["#sentences", "sentences"],
    ]} />`;
