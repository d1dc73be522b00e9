// The tab of errors: scores of parses, kinds of errors, and the sentences in which they are.

import { fillAll, forget, remember } from "./address.js";
import { attempt, errors, parseFirst, stop, upload } from "./api.js";
import { html, Pages, render, Table } from "./components.js";
import { byId, options, say } from "./dom.js";
import { hidePair, showPair } from "./pair.js";
import { whenOpened } from "./tabs.js";
import { listTreebanks } from "./treebank.js";
import { Wait } from "./wait.js";

const PAGE = 50;
const KEYS = {
  sentence: "number", wrong: "wrong", F1: "f1", missed: "missed", spurious: "spurious",
  "wrong tags": "tags", words: "length", gaps: "gap-degree",
};
const LOWEST = ["number", "f1"];
const FIRST = { kind: "", sort: "wrong", offset: 0, sentence: 0 };
let model = null;
let report = null;
let compared = null; // what is compared, as the API wants it
let isOfModel = false; // whether the parses are the model's
let isOutdated = false; // whether another model was chosen since
let shown = FIRST;
let wait = null;

export function startErrors() {
  wait = new Wait(byId("report"), "errors", byId("gold"));
  byId("errors-form").addEventListener("submit", (event) => {
    event.preventDefault();
    shown = FIRST;
    score();
  });
  byId("parses-of").addEventListener("change", showFields);
  byId("errors-file").addEventListener("change", open);
  whenOpened("errors", () => {
    offer();
    scoreAgain();
  });
}

/** Use a model: its parses are scored again when they are in sight. */
export function useModel({ model: chosen }) {
  model = chosen;
  offer();
  if (!isOfModel) return;
  stop(["parses", "errors"]);
  isOutdated = true;
  forget("errors");
  clear();
}

/** Score the parses of the model, if those of another one were scored before. */
export function scoreAgain() {
  if (isOutdated) score();
}

/** Score the parses of an address. */
export function visit(values) {
  offer();
  fillAll("errors", values);
  showFields();
  const { kind, sort, offset, sentence, gold } = { ...FIRST, ...values };
  shown = { kind, sort, offset: Number(offset), sentence: Number(sentence) };
  if (gold) score();
  else {
    stop(["parses", "errors"]);
    clear();
    scoreAgain();
  }
}

/** Offer the treebanks that there are now; the parses may be the model's. */
function offer() {
  const names = [...byId("treebanks").options].map((one) => one.value);
  for (const [id, more] of [["gold", []], ["parses-of", model ? [""] : []]]) {
    const chosen = byId(id).value;
    options(byId(id), [...more, ...names]);
    if (names.includes(chosen)) byId(id).value = chosen;
  }
  if (model) byId("parses-of").options[0].textContent = `by ${model.name}`;
  showFields();
}

function showFields() {
  for (const one of document.querySelectorAll("#errors .of-model")) {
    one.hidden = byId("parses-of").value !== "";
  }
}

function clear() {
  render(null, byId("report"));
  hidePair();
}

function note(values) {
  shown = { ...shown, ...values };
  const changed = Object.entries(shown).filter(([name, value]) => String(value) !== String(FIRST[name]));
  const first = byId("gold").selectedIndex === 0 ? { gold: byId("gold").value } : {}; // says: score
  remember("errors", { ...first, ...Object.fromEntries(changed) });
}

const refuse = (message) => {
  say(byId("errors-error"), message);
  if (message) clear();
};

async function open() {
  const [file] = byId("errors-file").files;
  if (!file) return;
  await attempt(byId("errors"), refuse, async () => {
    const { name } = await upload(file);
    await listTreebanks(byId("treebanks").value);
    offer();
    byId("parses-of").value = name;
    showFields();
  });
  byId("errors-file").value = "";
}

/** Parse, if the parses are to be the model's; then show the report. */
async function score() {
  isOutdated = false;
  note({});
  hidePair();
  const [gold, parses] = [byId("gold").value, byId("parses-of").value];
  isOfModel = !parses;
  const common = { transform: byId("gold-traces").value };
  await attempt(byId("errors"), refuse, async () => {
    if (!gold) throw new Error("There is no treebank: open a file.");
    const both = { ...common, gold, settings: byId("settings").value };
    if (parses) compared = { ...both, parses };
    else {
      const wanted = { ...common, model: model.name, own_tags: byId("own-tags").value };
      const first = await parseAll({ ...wanted, treebank: gold, first: Number(byId("first").value) });
      compared = { ...both, ...wanted, first };
    }
    await list();
    if (shown.sentence) showPair(compared, shown.sentence);
  });
}

/** Parse the first sentences, a few at a time, until all are parsed or the user stops it. */
async function parseAll(wanted) {
  let parsed = 0;
  let isStopped = false;
  const halt = () => {
    isStopped = true;
    stop("parses");
    byId("gold").focus();
  };
  try {
    for (let total = wanted.first; parsed < total && !isStopped;) {
      render(html`<${Progress} parsed=${parsed} total=${total} halt=${halt} />`, byId("errors-progress"));
      ({ parsed, total } = await parseFirst(wanted));
    }
  } catch (error) {
    if (!isStopped || !parsed) throw error;
  } finally {
    render(null, byId("errors-progress"));
  }
  return parsed;
}

const Progress = ({ parsed, total, halt }) => html`<div class="row wait">
  <progress max=${total} value=${parsed} aria-label="Parsed sentences" />
  <span>Parsing: ${parsed} of ${total}</span>
  <button type="button" onClick=${halt}>Stop</button></div>`;

async function list() {
  const wanted = { ...compared, sort: shown.sort, offset: shown.offset, limit: PAGE };
  if (shown.kind) wanted.kind = shown.kind;
  report = await wait.until(errors(wanted), "Comparing …");
  draw();
}

const draw = () => render(html`<${Report} found=${report} />`, byId("report"));

/** Show other sentences. */
async function show(values) {
  note({ offset: 0, sentence: 0, ...values });
  hidePair();
  await attempt(byId("report"), refuse, list);
}

function choose({ number }) {
  note({ sentence: number });
  draw();
  showPair(compared, number);
}

const Report = ({ found: { tables, kinds, total, sentences } }) => html`
  <div class="columns">${tables.slice(0, 3).map((one) => html`<${Scores} table=${one} />`)}
    <${Kinds} kinds=${kinds} /></div>
  <details><summary>By category, fan-out, gap degree and length</summary>
    <div class="columns">${tables.slice(3).map((one) => html`<${Scores} table=${one} />`)}</div></details>
  <p class="hint">Choose a kind to see its sentences, and a sentence to see both of its trees.</p>
  <h2>Sentences${shown.kind && ` with errors of the kind “${shown.kind}”`}</h2>
  <${Pages} total=${total} noun="sentence" offset=${shown.offset} shown=${sentences.length} size=${PAGE}
    go=${(offset) => show({ offset })}>
    ${shown.kind && html`<button type="button" onClick=${() => show({ kind: "" })}>All kinds</button>`}<//>
  <div class="scroll sentences"><${Table}
    columns=${["text", "#wrong", "#sentence", "#F1", "#missed", "#spurious", "#wrong tags", "#words", "#gaps"]}
    order=${{ keys: KEYS, lowest: LOWEST, by: shown.sort, sort: (sort) => show({ sort }) }}
    look=${(row) => (sentences[row].number === shown.sentence ? { class: "lit" } : {})}
    act=${(row) => choose(sentences[row])}
    rows=${sentences.map((one) => [
      html`<${Sentence} one=${one} />`, one.missed + one.spurious, one.number, one.f1.toFixed(1),
      one.missed, one.spurious, one.wrong_tags, one.length, one.gap_degree])} /></div>`;

const Sentence = ({ one }) => html`${one.words}${!one.parsed && html` <em>without a parse</em>`}
  ${shown.kind && one.errors.map(({ text }) => html`<div class="example">${text}</div>`)}`;

const PERCENTAGE = /^[LU]?(P|R|F1)$|F1$|^Exact match$|accuracy$/;

function figure(cell, ...names) {
  if (cell === null) return "–";
  return names.some((name) => PERCENTAGE.test(name)) ? cell.toFixed(2) : cell;
}

const Scores = ({ table: { title, columns, rows } }) => html`
  <section class="scroll" role="region" aria-label=${title} tabindex="0"><${Table}
    columns=${[title, ...columns.map((name) => `#${name}`)]}
    rows=${Object.entries(rows).map(([name, cells]) => [
      name, ...cells.map((cell, i) => figure(cell, name, columns[i]))])} /></section>`;

/** The kinds of errors; a kind lists its sentences. */
const Kinds = ({ kinds }) => html`
  <section class="scroll kinds" role="region" aria-label="Kinds of errors"><${Table}
    columns=${["Kinds of errors", "#missed", "#spurious", "#sentences"]}
    look=${(row) => (kinds[row].kind === shown.kind ? { class: "lit" } : {})}
    act=${(row) => show({ kind: kinds[row].kind })}
    rows=${kinds.map((one) => [one.kind, one.missed, one.spurious, one.sentences])} /></section>`;
