// The tab of errors: scores of parses, kinds of errors, and the sentences in which they are.

import { get, post, stop } from "./api.js";
import { Asking } from "./asking.js";
import { html, PAGE, Pages, render, Table } from "./components.js";
import { byId, offered, on, options } from "./dom.js";
import { used } from "./model.js";
import { Errors, Pair } from "./picture.js";
import { Tab } from "./tab.js";
import { onFile } from "./treebank.js";

export const tab = new Tab("errors", {
  first: { gold: null, kind: "", sort: "wrong", offset: 0, sentence: 0 },
  open, useModel, visit, clear,
  place: "report", kinds: ["errors"], focus: "gold",
});
const { fields, shown } = tab;
const pairing = new Asking("pair", { place: "pair", error: "errors-error", clear: hidePair });
let compared = null; // what is compared, as the API wants it
let report = null; // of what is compared
let isOfModel = false; // whether the parses are the model's
let isOutdated = false; // whether another model was chosen since

on("errors-form", "submit", () => {
  Object.assign(shown, tab.first);
  score();
});
onFile("errors-file", tab, (name) => {
  offer();
  fields.parses.value = name;
});

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
  if (values.gold) return score();
  stop("parses", "errors");
  clear();
  return open();
}

/** Offer the treebanks that there are now; the parses may be the model's. */
function offer() {
  const names = offered(byId("treebanks"));
  const { model } = used;
  options(fields.gold, names);
  options(fields.parses, model ? ["", ...names] : names, { "": `by ${model?.name}` });
}

function clear() {
  tab.draw(null);
  hidePair();
}

/** Parse, if the parses are to be the model's; then show the report. */
function score() {
  const { gold, parses, settings } = tab.values("gold", "parses", "settings");
  isOutdated = false;
  isOfModel = !parses;
  tab.note({ gold: fields.gold.selectedIndex ? null : gold }); // the address says: score
  hidePair();
  return tab.attempt(async () => {
    if (!gold) throw new Error("There is no treebank: open a file.");
    const of = isOfModel ? await parseAll(gold) : { ...tab.values("transform"), parses };
    compared = { ...of, gold, settings };
    await list();
    if (shown.sentence) showPair();
  });
}

/** Parse the first sentences, a few at a time, until all are parsed or the user stops it; return
 * which parses of the model there are. */
async function parseAll(treebank) {
  const wanted = tab.values("model", "transform", "own_tags");
  const { first } = tab.values("first");
  let parsed = 0;
  let isStopped = false;
  const halt = () => {
    isStopped = true;
    stop("parses");
    fields.gold.focus();
  };
  try {
    for (let total = first; parsed < total && !isStopped;) {
      render(html`<${Progress} ...${{ parsed, total, halt }} />`, byId("errors-progress"));
      ({ parsed, total } = await post("parses", { ...wanted, treebank, first }));
    }
  } catch (error) {
    if (!isStopped || !parsed) throw error;
  } finally {
    render(null, byId("errors-progress"));
  }
  return { ...wanted, first: parsed };
}

const Progress = ({ parsed, total, halt }) => html`<div class="row wait">
  <progress max=${total} value=${parsed} aria-label="Parsed sentences" />
  <span>Parsing: ${parsed} of ${total}</span>
  <button type="button" onClick=${halt}>Stop</button></div>`;

async function list() {
  const { sort, offset, kind } = shown;
  report = await tab.until(
    get("errors", { ...compared, sort, offset, kind: kind || null, limit: PAGE }), "Comparing …");
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

/** Show both trees of the chosen sentence. */
function showPair() {
  pairing.attempt(async () => {
    const found = await get("errors/sentence", { ...compared, number: shown.sentence });
    byId("pair").hidden = false;
    pairing.draw(html`<${Both} ...${found} />`);
    byId("pair").scrollIntoView();
  });
}

const Both = ({ sentence: { number, id, missed, spurious, errors }, gold, parse }) => html`
  <h2 id="pair-title">
    Sentence ${number}${id && ` (${id})`}: ${missed} missed, ${spurious} spurious</h2>
  <${Errors} errors=${errors} />
  <${Pair} trees=${[
    ["pair-gold", "Gold tree, missed constituents in red", gold],
    ["pair-parse", "Parse, spurious constituents in red", parse],
  ].map(([id, title, tree]) => ({ id, title, tree, hasFiles: false }))} />`;

const Report = ({ tables, kinds, total, sentences }) => html`
  <div class="columns">${tables.slice(0, 3).map((one) => html`<${Scores} ...${one} />`)}
    <${Kinds} kinds=${kinds} /></div>
  <details><summary>By category, fan-out, gap degree and length</summary>
    <div class="columns">${tables.slice(3).map((one) => html`<${Scores} ...${one} />`)}</div>
  </details>
  <p class="hint">Choose a kind to see its sentences, and a sentence to see both of its trees.</p>
  <h2>Sentences${shown.kind && ` with errors of the kind “${shown.kind}”`}</h2>
  <${Pages} total=${total} noun="sentence" offset=${shown.offset} shown=${sentences.length}
    go=${(offset) => show({ offset })}>
    ${shown.kind && html`
      <button type="button" onClick=${() => show({ kind: "" })}>All kinds</button>`}<//>
  <${Table} box="scroll sentences" rows=${sentences} act=${choose}
    lit=${(one) => one.number === shown.sentence} columns=${[
      ["text", (one) => html`<${Sentence} ...${one} />`],
      ["#wrong", (one) => one.missed + one.spurious, "wrong"], ["#sentence", "number", "number"],
      ["#F1", (one) => one.f1.toFixed(1), "f1"], ["#missed", "missed", "missed"],
      ["#spurious", "spurious", "spurious"], ["#wrong tags", "wrong_tags", "tags"],
      ["#words", "length", "length"], ["#gaps", "gap_degree", "gap-degree"],
    ]} order=${{
      lowest: ["number", "f1"], by: shown.sort, sort: (sort) => show({ sort }),
    }} />`;

const Sentence = ({ words, parsed, errors }) => html`
  ${words}${!parsed && html` <em>without a parse</em>`}
  ${shown.kind && errors.map(({ text }) => html`<div class="example">${text}</div>`)}`;

function figure(cell, ...names) {
  const isPercentage = names.some((name) => /^[LU]?[PR]$|F1$|^Exact match$|accuracy$/.test(name));
  return isPercentage ? cell?.toFixed(2) ?? "–" : cell ?? "–";
}

const Scores = ({ title, columns, rows }) => html`
  <${Table} box="scroll" label=${title} rows=${Object.entries(rows)} columns=${[
    [title, ([name]) => name],
    ...columns.map((column, i) => [
      `#${column}`, ([name, cells]) => figure(cells[i], name, column)]),
  ]} />`;

/** The kinds of errors; a kind lists its sentences. */
const Kinds = ({ kinds }) => html`
  <${Table} box="scroll kinds" label="Kinds of errors" rows=${kinds}
    lit=${({ kind }) => kind === shown.kind} act=${({ kind }) => show({ kind })} columns=${[
      ["Kinds of errors", "kind"], ["#missed", "missed"], ["#spurious", "spurious"],
      ["#sentences", "sentences"],
    ]} />`;
