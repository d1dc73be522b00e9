// The tab of surprisal: a bar for each word, all numbers, and the analyses after the chosen word.

import { fillAll, forget, quietly, remember } from "./address.js";
import { Analyses } from "./analyses.js";
import { analyses, attempt, stop, surprisal } from "./api.js";
import { Bars, SERIES } from "./bars.js";
import { html, render, Table } from "./components.js";
import { byId, counted, say, short } from "./dom.js";
import { download } from "./saving.js";
import { startSentence } from "./sentence.js";
import { showTab, whenOpened } from "./tabs.js";
import { Wait } from "./wait.js";

const COLUMNS = {
  tag: "tag", surprisal: "#surprisal", at_least: "#at least", at_most: "#at most",
  tag_surprisal: "#syntactic", word_surprisal: "#lexical", log_prefix_probability: "#ln P(so far)",
  entropy: "#entropy", entropy_reduction: "#reduction",
  derivation_entropy: "#entropy of derivations",
  derivation_entropy_reduction: "#reduction", status: "status",
};
const BOUNDS = ["at_least", "at_most"];

let model = null;
let examples = null;
let wait = null;
let isBegun = false; // whether a sentence was read, or tried to
let answer = null; // with the sentence, as the API wants it, and analyses by their number and word
let [word, rank] = [null, 1]; // the position of the chosen word, and the chosen analysis

export function startSurprisal() {
  wait = new Wait(byId("surprisal-result"), ["surprisal", "analyses"], byId("surprisal-text"));
  byId("series").append(...Object.entries(SERIES).map(([name, text]) => new Option(text, name)));
  startSentence(
    "surprisal-form", ["surprisal-text", "surprisal-tagged", "surprisal-tokenize"], () => read());
  byId("series").addEventListener("change", () => {
    if (answer && lacksSeries()) read(word, rank);
    else if (answer) go(word, rank);
  });
  byId("analyses").addEventListener("change", () => {
    if (answer && byId("analyses").reportValidity()) go(word, 1);
  });
  whenOpened("surprisal", showOnce);
}

/** Use a model, of which some examples are promised. */
export function useModel({ model: chosen, limits, examples: promised }) {
  [model, examples, isBegun, answer] = [chosen, promised, false, null];
  stop(["surprisal", "analyses"]);
  forget("surprisal");
  byId("surprisal-text").maxLength = limits.max_characters;
  byId("analyses").max = limits.nbest;
  byId("surprisal-form").hidden = !canRead();
  byId("without-surprisal").hidden = canRead();
  byId("without-surprisal").textContent = `${model.name} is ${model.title}: it does not know how `
    + "surprising words are. Choose a grammar (plcfrs extract).";
  say(byId("surprisal-error"), "");
  draw();
  if (!byId("surprisal").hidden) showOnce();
}

/** Show the sentence of an address, and the analyses after the word that it names. */
export function visit(values) {
  fillAll("surprisal", values);
  if (!canRead()) return;
  const [chosen, chosenRank] = [Number(values.word ?? NaN), Number(values.analysis ?? 1)];
  const isRead = answer && JSON.stringify(fields()) === JSON.stringify(answer.sentence) && !lacksSeries();
  if (isRead) {
    stop("surprisal");
    go(chosen, chosenRank);
  } else if (byId("surprisal-text").value) read(chosen, chosenRank);
  else showOnce();
}

/** Read an example. */
export function readSentence(text, tagged) {
  fill(text, tagged);
  showTab("surprisal");
  read();
}

const canRead = () => model.capabilities.includes("surprisal");

/** Whether the chosen series was not asked for yet. */
const lacksSeries = () => byId("series").value.startsWith("derivation")
  && answer.words.every((one) => one.derivation_entropy === null);

function fill(text, tagged) {
  byId("surprisal-text").value = text;
  byId("surprisal-tagged").checked = tagged;
  byId("surprisal-tokenize").checked = false;
}

const fields = () => ({
  model: model.name, text: byId("surprisal-text").value, tagged: byId("surprisal-tagged").checked,
  tokenize: byId("surprisal-tokenize").checked });

/** Begin with an example, unless there is a sentence. */
async function showOnce() {
  const [first] = await examples;
  if (isBegun || !canRead() || byId("surprisal").hidden) return;
  if (first && !byId("surprisal-text").value) fill(first.text, first.tagged);
  if (byId("surprisal-text").value) quietly(() => read());
}

/** Let the address have what is shown. */
function note() {
  remember("surprisal", { ...(word !== null && { word }), ...(rank > 1 && { analysis: rank }) });
}

function refuse(message) {
  say(byId("surprisal-error"), message);
  if (!message) return;
  answer = null;
  draw();
}

/** Read the sentence, and look at the analyses after a word, if one is chosen. */
async function read(chosen = null, chosenRank = 1) {
  [word, rank] = [Number.isInteger(chosen) ? chosen : null, chosenRank];
  note();
  isBegun = true;
  stop("analyses");
  const sentence = fields();
  const wanted = { ...sentence, derivation_entropy: byId("series").value.startsWith("derivation") };
  await attempt(byId("surprisal"), refuse, async () => {
    answer = { ...await wait.until(surprisal(wanted), "Reading …"), sentence, found: {} };
    if (!answer.words[word]) word = null;
    say(byId("surprisal-error"), answer.message);
    draw();
  });
  if (answer?.sentence === sentence) await lookAgain();
}

/** Show the analyses after a word. */
function go(chosen, chosenRank) {
  [word, rank] = [answer.words[chosen] ? chosen : null, chosenRank];
  note();
  draw();
  lookAgain();
}

const lookAgain = () => attempt(
  byId("surprisal"), (message) => say(byId("surprisal-error"), message || answer.message), look);

const keyOf = (position) => `${byId("analyses").value} ${position}`;

/** Look for the analyses after the chosen word: for these, the words up to it are enough. */
async function look() {
  const { sentence, found } = answer;
  const [key, position] = [keyOf(word), word];
  if (position === null || found[key]) return;
  const words = answer.words.slice(0, position + 1);
  const text = words.map((one) => (sentence.tagged ? `${one.word}/${one.tag}` : one.word)).join(" ");
  const wanted = { ...sentence, text, tokenize: false, analyses: Number(byId("analyses").value), at: [position] };
  const { words: read } = await wait.until(analyses(wanted), "Looking for analyses …");
  found[key] = read[position].analyses;
  draw();
}

function draw() {
  render(answer && html`<${Result} ...${{ answer, word, rank }} series=${byId("series").value}
    analyses=${answer.found[keyOf(word)]} />`, byId("surprisal-result"));
}

function Result({ answer: { words, normalised, seconds, tsv, csv }, word: chosen, rank: one, series, analyses: those }) {
  return html`
    <p class="status" role="status">${counted(words.length, "word")}, ${short(Math.round(10000 * seconds) / 10)} ms</p>
    ${normalised && html`<p class="hint">The derivations of this grammar do not sum to 1: probabilities are
      normalised (Nederhof and Satta 2003).</p>`}
    <${Bars} words=${words} chosen=${chosen} series=${series} choose=${(position) => go(position, 1)} />
    ${chosen === null
      ? html`<p class="hint">Choose a word to see the most probable analyses after it.</p>`
      : html`<${Analyses} word=${words[chosen]} analyses=${those} rank=${one}
          choose=${(number) => go(chosen, number)} />`}
    <${Numbers} words=${words} chosen=${chosen} choose=${(position) => go(position, 1)} />
    <div class="row tools">
      <button type="button" onClick=${() => download("surprisal.tsv", tsv)}>TSV</button>
      <button type="button" onClick=${() => download("surprisal.csv", csv)}>CSV</button>
      <span class="hint">The table that plcfrs surprisal writes.</span>
    </div>`;
}

/** All numbers that are known: bounds only where they differ. */
function Numbers({ words, chosen, choose }) {
  const isBounded = words.some((one) => one.status === "bounded");
  const names = Object.keys(COLUMNS).filter((name) => (
    words.some((one) => one[name] !== null && one[name] !== "") && (isBounded || !BOUNDS.includes(name))));
  const shown = (value) => (typeof value === "string" ? value : short(value));
  const look = (row) => (row === chosen ? { class: "lit", "aria-current": "true" } : {});
  return html`<section id="numbers"><h2>Bits</h2><div class="scroll"><${Table}
    columns=${["#position", "word", ...names.map((name) => COLUMNS[name])]} look=${look} act=${choose}
    rows=${words.map((one, i) => [i, one.word, ...names.map((name) => shown(one[name]))])} /></div></section>`;
}
