// The tab that compares parses with gold trees and with the parses of another system: scores,
// differences, kinds of errors, and the sentences with these errors.

import { get, link, post, stop } from "./api.js";
import { html, PAGE, Pages, Table, useEffect } from "./components.js";
import { byId, optionValues, on, setOptions } from "./dom.js";
import { session } from "./model.js";
import { Errors, Pair } from "./picture.js";
import { Tab } from "./tab.js";
import { onFile } from "./treebank.js";

const FIRST = "1-50"; // the sentences that a model parses by default
const BY = "by "; // comes before the name of a model
const LETTERS = "AB"; // short names of two systems
const RIGHT = {
  all: "all", first: "only A", second: "only B", both: "both", neither: "neither" };
const OTHER = "other-"; // before the keys by which sentences are sorted, for the second system

export const tab = new Tab("compare", {
  first: { gold: null, kind: "", right: "all", sort: "wrong", offset: 0, sentence: 0 },
  open, useModel, visit, place: "report", kinds: ["parses", "errors"], focus: "gold",
});
const { fields, shown } = tab;
let compared = null; // what is compared, as the API wants it
let parsed = null; // how many sentences are parsed, and their total
const followed = new WeakMap(); // the positions of figures that follow the scrolling of another
let isOfModel = false; // whether the first parses are those of the model that all tabs use

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

function open() {
  offer();
  if (isOfModel && !tab.shownAddress) score(); // those of another model were scored before
}

/** The parses of another model are scored when the tab is opened. */
function useModel() {
  offer();
  if (isOfModel) forget();
}

function forget() {
  stop("parses", "errors");
  tab.shownAddress = null;
  tab.clear();
}

function visit(values) {
  offer();
  tab.restore(values);
  hint();
  if (values.gold) return score();
  isOfModel = false;
  return forget();
}

/** Offer all treebanks and models; the default for the first parses is the model of all tabs. */
function offer() {
  const names = optionValues(byId("treebanks"));
  const models = (session.all ?? []).map(({ name }) => BY + name);
  const own = BY + session.model?.name;
  setOptions(fields.gold, names);
  const others = models.filter((one) => one !== own);
  setOptions(fields.parses, [...(session.model ? [""] : []), ...others, ...names], { "": own });
  setOptions(fields.other, ["", ...models, ...names]);
  hint();
}

/** Return the default sentences. */
const usual = () => (systems().some((one) => one.startsWith(BY)) ? FIRST : "");

function hint() {
  fields.sentences.placeholder = usual() || "all";
}

/** Return the one or two systems to score: treebanks, or models after "by". */
const systems = () => [
  fields.parses.value || BY + session.model?.name, fields.other.value].filter(Boolean);

/** Parse with the chosen models; then show the report. */
function score() {
  const how = tab.values("gold", "sentences", "transform", "own_tags", "settings");
  const progress = {};
  isOfModel = !fields.parses.value;
  stop("parses");
  tab.isHalted = false;
  tab.note({ gold: fields.gold.selectedIndex ? null : how.gold }); // the address says: score
  return tab.attempt(async () => {
    if (!how.gold) throw new Error("There is no treebank: open a file.");
    how.sentences ||= usual();
    const [parses, other] = await tab.until(parseAll(how, progress), "Parsing …", progress);
    if (!parses) return;
    compared = { ...how, parses, other, first: parsed?.parsed };
    await list();
  });
}

/** Parse with each model, unless the user stops it; return the systems that have parses. */
async function parseAll(how, progress) {
  const ready = [];
  const counts = [];
  for (const system of systems()) {
    if (system.startsWith(BY)) {
      const found = await parse(system.slice(BY.length), how, progress);
      if (!found.parsed) break;
      counts.push(found);
    }
    ready.push(system);
  }
  [parsed] = counts.sort((one, other) => one.parsed - other.parsed);
  return ready;
}

/** Parse some sentences at a time; return how many are parsed, and their total. */
async function parse(model, { gold: treebank, transform, own_tags, sentences }, progress) {
  let found = { parsed: 0 };
  while (!tab.isHalted && found.parsed !== found.total) {
    const { parsed: value, total: max } = found;
    const text = `Parsing with ${model}${max ? `: ${value} of ${max}` : " …"}`;
    Object.assign(progress, { text, max, value: max && value });
    const step = post("parses", { treebank, transform, own_tags, sentences, model });
    found = await step.catch((error) => (tab.isHalted ? found : Promise.reject(error)));
  }
  return found;
}

/** List the sentences, and show the trees of the chosen one. */
async function list() {
  const { sort, offset, kind, right, sentence: number } = shown;
  const [report, pair] = await tab.until(Promise.all([
    get("errors", { ...compared, sort, offset, right, kind: kind || null, limit: PAGE }),
    number > 0 && get("errors/sentence", { ...compared, number }),
  ]), "Comparing …");
  tab.draw(html`<${Report} ...${report} pair=${pair} />`);
}

function show(values) {
  tab.note({ offset: 0, sentence: 0, ...values });
  tab.attempt(list);
}

function Trees({ sentence: { number, id, parses: scores }, gold, parses, names }) {
  useEffect(() => byId("pair").scrollIntoView(), [number]);
  const letters = names.map((_, i) => (names.length > 1 ? `${LETTERS[i]}: ` : ""));
  const ids = ["pair-gold", "pair-parse", "pair-other"];
  const titles = ["Gold tree, missed constituents in red", ...scores.map((one, i) => (
    `${letters[i]}${names[i]}, ${one.missed} missed, ${one.spurious} spurious in red`))];
  const trees = [gold, ...parses].map(
    (tree, i) => ({ id: ids[i], title: titles[i], tree, hasFiles: false }));
  const errors = scores.flatMap((one, i) => one.errors.map(
    ({ kind, text }) => ({ kind: letters[i] + kind, text })));
  return html`<section id="pair" aria-labelledby="pair-title" onScrollCapture=${scrollTogether}>
    <h2 id="pair-title">Sentence ${number}${id && ` (${id})`}</h2>
    <${Pair} trees=${trees} /><${Errors} errors=${errors} /></section>`;
}

/** Let the other trees of a sentence follow a scrolled one: the same word is in the middle. */
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

function Report({ systems: all, differences, right, total, sentences, pair }) {
  const names = all.map(({ name }) => name);
  const first = differences ? [differences] : all[0].tables.slice(0, 3);
  const tables = (some) => some.map((one) => html`<${Scores} ...${one} />`);
  return html`<${Doubts} all=${all} />
    <div class="columns">${tables(first)}${all.map(({ kinds }, i) => html`
      <${Kinds} kinds=${kinds} of=${differences ? ` of ${LETTERS[i]}` : ""} />`)}</div>
    ${all.map((one) => html`<details>
      <summary>${differences ? `All scores of ${one.name}`
        : "By category, fan-out, gap degree and length"}</summary>
      <div class="columns">${tables(one.tables.slice(differences ? 0 : 3))}</div></details>`)}
    <h2>Sentences${shown.kind && ` with errors of the kind “${shown.kind}”`}</h2>
    <${Pages} total=${total} noun="sentence" offset=${shown.offset} shown=${sentences.length}
      go=${(offset) => show({ offset })}>
      ${differences && html`<${Filter} right=${right} />`}
      ${shown.kind && html`
        <button type="button" onClick=${() => show({ kind: "" })}>All kinds</button>`}
      <a href=${link("errors.tsv", compared)} download="sentences.tsv">TSV</a><//>
    <${Table} box="scroll sentences" rows=${sentences} columns=${columnsOf(all.length > 1)}
      act=${({ number }) => show({ sentence: number, offset: shown.offset })}
      lit=${(one) => one.number === shown.sentence} order=${{
        lowest: ["number", "f1", `${OTHER}f1`], by: shown.sort, sort: (sort) => show({ sort }),
      }} />
    ${pair && html`<${Trees} ...${pair} names=${names} />`}`;
}

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
      `#${title} ${letter}`.trim(), ({ parses }) => cell(parses[i]), OTHER.repeat(i) + key]);
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

/** A filter of the sentences by which systems have an exact match. */
const Filter = ({ right }) => html`<label>Exact match by${" "}
  <select id="right" value=${shown.right} onChange=${({ target }) => show({ right: target.value })}>
    ${Object.entries(RIGHT).map(([value, text]) => html`
      <option value=${value}>${text} (${right[value] ?? 0})</option>`)}</select></label>`;

/** Reasons to doubt the scores: training sentences, or sentences that are not parsed yet. */
const Doubts = ({ all }) => html`
  ${parsed?.parsed < parsed?.total && html`<p class="doubt">
    The first ${parsed.parsed} of ${parsed.total} sentences; stopped.</p>`}
  ${all.map(({ doubt, trained_on: seen }) => doubt && html`
    <p class=${seen ? "doubt" : "hint"} role=${seen && "alert"}>${doubt}</p>`)}`;

const Scores = ({ lines: [head, ...rows] }) => html`
  <${Table} box="scroll" label=${head[0]} rows=${rows}
    columns=${head.map((name, i) => [i ? `#${name}` : name, String(i)])} />`;

/** The kinds of errors; a click on a kind lists its sentences. */
const Kinds = ({ kinds, of }) => html`
  <${Table} box="scroll kinds" label=${`Kinds of errors${of}`} rows=${kinds}
    lit=${({ kind }) => kind === shown.kind} act=${({ kind }) => show({ kind })} columns=${[
      [`Kinds of errors${of}`, "kind"], ["#missed", "missed"], ["#spurious", "spurious"],
      ["#sentences", "sentences"],
    ]} />`;
