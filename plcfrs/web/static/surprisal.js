// The tab of surprisal: a bar for each word, all numbers, and the most probable analyses after the
// chosen word; a control on the same scale; tables of many sentences.

import { isStop, post, stop } from "./api.js";
import { barOf, Bars, highest, Legend } from "./bars.js";
import { html, Table, useMemo } from "./components.js";
import { byId, counted, milliseconds, on, say, short } from "./dom.js";
import { download } from "./files.js";
import { below, startItems, totalOf } from "./items.js";
import { can, session, showExamples } from "./model.js";
import { Picture } from "./picture.js";
import { begin, fillSentence, startSentence, textOf } from "./sentence.js";
import { Tab } from "./tab.js";

const COLUMNS = {
  tag: "tag", surprisal: "#surprisal", at_least: "#at least", at_most: "#at most",
  tag_surprisal: "#syntactic", word_surprisal: "#lexical", log_prefix_probability: "#ln P(so far)",
  entropy: "#entropy", entropy_reduction: "#reduction",
  derivation_entropy: "#entropy of derivations",
  derivation_entropy_reduction: "#reduction", status: "status",
};
const BOUNDS = ["at_least", "at_most"];

export const tab = new Tab("surprisal", {
  first: { word: -1, analysis: 1 }, // the position of the chosen word, and the chosen analysis
  open: () => begin(tab), useModel, visit, clear, needs: "surprisal",
  place: "surprisal-result", kinds: ["surprisal", "control", "analyses"], focus: "surprisal-text",
});
const { fields, shown } = tab;
let answer = null; // with the request, the control, and analyses by their number and word

startSentence(tab, () => read());
const clearItems = startItems(readAgain);
on("series", "change", () => answer && showAgain());
on("analyses", "change", () => answer && fields.analyses.reportValidity() && go(shown.word));

function useModel() {
  const { model, limits } = session;
  stop("surprisal", "analyses");
  tab.shownAddress = null;
  fields.text.maxLength = limits.max_characters;
  fields.analyses.max = limits.nbest;
  for (const id of ["surprisal-form", "items"]) byId(id).hidden = !can("surprisal");
  say(byId("without-surprisal"), can("surprisal") ? "" : `${model.name} is ${model.title}: it `
    + "cannot compute surprisal. Choose a grammar (plcfrs extract).");
  tab.say("");
  clear();
  clearItems();
  showExamples(byId("surprisal-examples"), readAgain);
}

async function readAgain(text, tagged) {
  fillSentence(tab, text, tagged);
  tab.arrive();
  await read();
  const bars = byId("surprisal-result").querySelector(".chart"); // perhaps below a long table
  (bars ?? byId("surprisal-error")).scrollIntoView({ block: "nearest" });
}

/** Show the sentence of an address, and the analyses after its word. */
function visit(values) {
  tab.restore(values);
  if (!can("surprisal")) return null;
  if (!fields.text.value) return begin(tab);
  stop("surprisal");
  return showAgain();
}

/** Show the chosen word and analysis; read the sentence first if the settings have changed. */
function showAgain() {
  const isRead = JSON.stringify(asking()) === JSON.stringify(answer?.asked);
  return (isRead ? go : read)(shown.word, shown.analysis);
}

/** Return the requests for the sentence and its control, if there is one. */
function asking() {
  const sentence = {
    ...tab.values("model", "text", "tagged", "tokenize"),
    derivation_entropy: fields.series.value.startsWith("derivation") }; // it takes long
  const text = fields.control.value.trim();
  return { sentence, control: text && { ...sentence, text, sentence: "2" } };
}

function clear() {
  answer = null;
  draw();
}

/** Read the sentence, and look for the analyses after the chosen word. */
async function read(word = -1, analysis = 1) {
  tab.note({ word, analysis });
  stop("analyses");
  const asked = asking();
  await tab.attempt(async () => {
    const [first, control] = await tab.until(Promise.all([
      post("surprisal", asked.sentence),
      asked.control && post("surprisal", asked.control, "control").catch(ofControl),
    ]), "Reading …");
    answer = { ...first, asked, control, found: {} };
    if (!answer.words[shown.word]) shown.word = -1;
    say(byId("surprisal-error"), answer.message);
    draw();
  });
  if (answer?.asked === asked) look();
}

function ofControl(error) {
  throw isStop(error) ? error : new Error(`Control: ${error.message}`);
}

function go(word, analysis = 1) {
  tab.note({ word: answer.words[word] ? word : -1, analysis });
  draw();
  look();
}

/** Do something that keeps the results in sight. */
const beside = (action) => tab.attempt(action, (message) => say(
  byId("surprisal-error"), message || answer.message));

const keyOf = (position) => `${fields.analyses.value} ${position}`;

/** Look for the analyses after the chosen word, which need only the words up to it. */
function look() {
  const { asked: { sentence }, found, words } = answer;
  const position = shown.word;
  const key = keyOf(position);
  const wanted = {
    ...sentence, text: textOf(words.slice(0, position + 1)), tokenize: false,
    derivation_entropy: false, at: [position], ...tab.values("analyses") };
  return beside(async () => {
    if (position < 0 || found[key]) return;
    const looked = await tab.until(post("surprisal", wanted, "analyses"), "Looking for analyses …");
    found[key] = looked.words[position].analyses;
    draw();
  });
}

const draw = () => tab.draw(answer && html`<${Result} ...${answer} />`);

function Result({ words, normalised, seconds, control, found }) {
  const { word: chosen, analysis } = shown;
  const rows = control ? [words, control.words] : [words];
  const series = fields.series.value;
  const name = series && fields.series.selectedOptions[0].text;
  const look = { series, name, top: highest(rows.flat(), series) };
  return html`
    <p class="status" role="status">${summary(words)}, ${milliseconds(seconds)}</p>
    ${normalised && html`<p class="hint">The derivations of this grammar do not sum to 1:
      probabilities are normalised (Nederhof and Satta 2003).</p>`}
    <div class="scroll"><${Bars} ...${{ words, ...look, chosen }} choose=${go} />
      ${control && html`<p class="status">Control: ${summary(control.words)}</p>
        <${Bars} words=${control.words} ...${look} />`}</div>
    <${Legend} words=${rows.flat()} name=${name} />
    <${Downloads} ...${{ rows, series, name }} />
    ${chosen < 0
      ? html`<p class="hint">Choose a word to see the most probable analyses after it.</p>`
      : html`<${Analyses} word=${words[chosen]} analyses=${found[keyOf(chosen)]} rank=${analysis}
          choose=${(number) => go(chosen, number)} />`}
    <${Numbers} words=${words} chosen=${chosen} />`;
}

function summary(words) {
  const total = totalOf(words);
  return counted(words.length, "word")
    + (total === null ? "" : `, ${short(total)} bits, ${short(total / words.length)} per word`);
}

/** The table that plcfrs surprisal writes, and the chart. */
function Downloads({ rows, series, name }) {
  const table = (kind) => download(
    `surprisal.${kind}`, answer.control ? below(answer[kind], answer.control[kind]) : answer[kind]);
  const chart = (format) => beside(async () => download(`surprisal.${format}`, await post(
    "surprisal/chart",
    { rows: rows.map((row) => row.map((one) => barOf(one, series))), series: name, format }, null)));
  const files = [["TSV", table], ["CSV", table], ["SVG", chart], ["PNG", chart]];
  return html`<div class="row tools">${files.map(([text, give]) => html`
      <button type="button" onClick=${() => give(text.toLowerCase())}>${text}</button>`)}
    <span class="hint">The table of plcfrs surprisal, or the chart.</span></div>`;
}

/** All known numbers, with bounds only if they differ. */
function Numbers({ words, chosen }) {
  const names = Object.keys(COLUMNS).filter((name) => words.some((one) => (
    (one[name] ?? "") !== "" && (one.status === "bounded" || !BOUNDS.includes(name)))));
  const cell = (value) => (typeof value === "string" ? value : short(value));
  return html`<section id="numbers"><h2>Bits</h2><${Table} box="scroll" rows=${words}
    lit=${(_, i) => i === chosen} act=${(_, i) => go(i)} columns=${[
      ["#position", (_, i) => i], ["word", "word"],
      ...names.map((name) => [COLUMNS[name], (one) => cell(one[name])]),
    ]} /></section>`;
}

/** The `analyses` after `word`, undefined during the search for them; `rank` is that of the chosen
 * one; `choose` gets another. */
const Analyses = ({ word, analyses, rank, choose }) => html`
  <section id="analyses-list" aria-labelledby="analyses-title">
    <h2 id="analyses-title">Analyses after “${word.word}”</h2>
    <p class="status" role="status">${analyses && analysesSummary(word, analyses)}</p>
    ${analyses?.length > 0 && html`<div class="columns">
      <${Chosen} ...${analyses[rank - 1] ?? analyses[0]} />
      <${Table} box="scroll" rows=${analyses} columns=${[
        ["#rank", (_, i) => html`<label><input type="radio" name="analysis"
          checked=${i + 1 === rank} onChange=${() => choose(i + 1)} />${i + 1}</label>`],
        ["#probability", (one) => short(one.probability)],
        ["open", (one) => one.open.join(" ") || "–"],
        ["awaited after a gap", (one) => awaitedIn(one).join(" ") || "–"],
      ]} /></div>`}
  </section>`;

function analysesSummary({ surprisal, status }, analyses) {
  const sum = short(analyses.reduce((total, one) => total + one.probability, 0));
  if (analyses.length > 1) return `${analyses.length} analyses, with ${sum} of the probability`;
  if (analyses.length === 1) return `1 analysis, probability ${sum}`;
  return surprisal === null ? `There are no analyses: ${status}.`
    : "No analyses were found within the limits of the server.";
}

/** Return the awaited constituents with their words: VP(What do). */
const awaitedIn = ({ awaited, tree }) => awaited.map(({ category, positions }) => (
  `${category}(${positions.map((position) => tree.tokens[position].form).join(" ")})`));

function Chosen({ tree, open, awaited }) {
  const lit = useMemo(() => ({
    tokens: awaited.flatMap(({ positions }) => positions), nodes: awaited.map(({ node }) => node),
  }), [awaited]);
  return html`<div class="trees"><${Picture} id="analysis-picture" tree=${tree} lit=${lit} />
    <p class="hint">${counted(open.length, "constituent")} in red will continue with the next
      word${awaited.length > 0 && "; those in blue will continue after a gap, with their words"}.</p>
    </div>`;
}
