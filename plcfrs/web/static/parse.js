// The first tab: a sentence, its best parses, the derivation and the chart.

import { fillAll, remember } from "./address.js";
import { attempt, parse } from "./api.js";
import { byId, counted, element, options, roving, say, short, table } from "./dom.js";
import { Picture } from "./picture.js";
import { showTab } from "./tabs.js";
import { Wait } from "./wait.js";
import { offerWants, startWants } from "./want.js";

const STATISTICS = {
  items: "items created",
  popped: "items taken from the agenda",
  improved: "items improved later",
  edges: "rules applied",
  pair_tests: "pairs of items tested",
  estimate_seconds: "seconds for estimates",
  search_seconds: "seconds for the search",
};
const SEARCHES = { astar: "A*", knuth: "Knuth" };
const FALLBACKS = { none: "only the words", flat: "words with tags", partial: "constituents" };
const OBJECTIVES = {
  mpd: "most probable derivation",
  mcp: "most constituents correct",
  "max-rule-product": "max-rule product",
  "max-rule-sum": "max-rule sum",
};

let model = null;
let rank = 1;
let picture = null;
let wait = null;
let sentence = null;

export function startParsing() {
  picture = new Picture(
    byId("parse-picture"), document.querySelectorAll("#parse [data-download]"), editTag);
  wait = new Wait(byId("parse-status"), "parse", byId("text"));
  byId("parse-form").addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  byId("text").addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    byId("parse-form").requestSubmit();
  });
  byId("text").addEventListener("input", guessKind);
  for (const [one, other] of [["tagged", "tokenize"], ["tokenize", "tagged"]]) {
    byId(one).addEventListener("change", () => {
      if (byId(one).checked) byId(other).checked = false;
    });
  }
  byId("objective").addEventListener("change", adapt);
  startWants(() => sentence);
  byId("untag").addEventListener("click", () => {
    parseSentence(picture.tree.tokens.map((token) => token.form).join(" "), false);
  });
}

/** Offer the choices of a model. */
export function useModel(chosen, limits) {
  model = chosen;
  options(byId("strategy"), model.strategies);
  options(byId("objective"), model.objectives);
  options(byId("fallback"), model.fallbacks);
  name(byId("strategy"), SEARCHES);
  name(byId("objective"), OBJECTIVES);
  name(byId("fallback"), FALLBACKS);
  byId("nbest").max = limits.nbest;
  byId("text").maxLength = limits.max_characters;
  options(byId("tags"), model.tags);
  adapt();
}

/** Parse the sentence of an address. */
export function visit(values) {
  fillAll("parse", values);
  adapt();
  if (values.text) submit(Number(values.rank ?? 1));
}

/** Parse the sentence with another model. */
export function parseAgain() {
  const hasParsed = !byId("parse-result").hidden || !byId("parse-error").hidden;
  if (hasParsed) submit();
}

/** Parse a sentence from another tab. */
export function parseSentence(text, tagged) {
  byId("text").value = text;
  byId("tagged").checked = tagged;
  byId("tokenize").checked = false;
  showTab("parse");
  submit();
}

function name(select, names) {
  for (const option of select.options) option.text = names[option.value] ?? option.value;
}

/** Show only the controls that the model supports. */
function adapt() {
  byId("strategy").parentElement.hidden = !model.strategies.length;
  byId("objective").parentElement.hidden = !model.objectives.length;
  byId("fallback").parentElement.hidden = !model.fallbacks.length;
  byId("nbest").parentElement.hidden = !model.capabilities.includes("nbest");
  byId("nbest").disabled = !listsParses();
}

const listsParses = () => model.capabilities.includes("nbest")
  && byId("objective").value === (model.objectives[0] ?? "");

/** Tick the box for tags if all words have tags, untick it if none has; without tags, tick the
 * box for running text if it has punctuation marks or contractions without blanks. */
function guessKind() {
  const words = byId("text").value.split(/\s+/).filter(Boolean);
  const slashed = words.filter((word) => /[^]\/[^/]+$/.test(word)).length;
  if (words.length && slashed === words.length) byId("tagged").checked = true;
  if (slashed === 0) byId("tagged").checked = false;
  const isRunning = words.some((word) => /\p{L}[,;:?!"”)]|["“(]\p{L}|\p{L}['’]\p{L}/u.test(word))
    || /\p{L}\.$/u.test(words.at(-1) ?? "");
  byId("tokenize").checked = isRunning && !byId("tagged").checked;
}

/** Parse: first only the best parse, so that its picture comes soon, then the others. */
async function submit(chosen = 1) {
  rank = chosen;
  rememberRank();
  const wanted = {
    model: model.name,
    text: byId("text").value,
    tagged: byId("tagged").checked,
    tokenize: byId("tokenize").checked,
  };
  sentence = { ...wanted };
  if (model.objectives.length) wanted.objective = byId("objective").value;
  if (model.strategies.length) wanted.strategy = byId("strategy").value;
  if (model.fallbacks.length) wanted.fallback = byId("fallback").value;
  const nbest = listsParses() ? Number(byId("nbest").value) : 1;
  byId("parse-status").textContent = "";
  await attempt(byId("parse"), refuse, async () => {
    const best = await wait.until(parse(wanted), "Parsing …");
    show(best);
    byId("parse-picture").querySelector("[data-node]")?.scrollIntoView({ block: "nearest" });
    if (nbest === 1 || best.parses[0].score === null) return;
    show(await wait.until(parse({ ...wanted, nbest }), "This is the best parse. Looking for others …"));
  });
}

function rememberRank() {
  remember("parse", rank > 1 ? { rank } : {});
}

function refuse(message) {
  say(byId("parse-error"), message);
  if (!message) return;
  byId("parse-status").textContent = "";
  byId("tokens").hidden = true;
  byId("parse-result").hidden = true;
}

function show(answer) {
  offerWants(model);
  say(byId("parse-error"), answer.message);
  byId("parse-status").textContent = summary(answer);
  byId("parse-result").hidden = false;
  byId("untag").hidden = !byId("tagged").checked || model.words === 0;
  showTokens(answer.parses[0].tree.tokens);
  showParses(answer.parses);
  showStatistics(answer);
}

/** Show the words into which running text was split. */
function showTokens(tokens) {
  byId("tokens").hidden = !byId("tokenize").checked;
  const words = tokens.flatMap(({ form }) => [" ", element("code", {}, form)]);
  byId("tokens").replaceChildren("Words:", ...words);
}

function summary({ status, parses, seconds }) {
  const words = parses[0].tree.tokens.length;
  const time = `${short(Math.round(10000 * seconds) / 10)} ms`;
  return `${status[0].toUpperCase()}${status.slice(1)}: ${counted(words, "word")}, ${time}`;
}

function showParses(parses) {
  const best = parses[0].score;
  const rows = parses.map((one) => [
    choice(one), short(one.probability), ratio(best - one.score), short(one.score),
    short(one.gap ?? 0), String(one.gap_degree),
  ]);
  const columns = [
    "#rank", "#probability", "#of the best", scoreOf(parses[0]), "#better by at most", "#gap degree"];
  const probable = parses[0].probability !== null;
  const unproven = parses.some((one) => one.gap);
  const shown = [true, probable, probable, true, unproven, true];
  byId("parses").hidden = parses[0].score === null;
  byId("parses").lastElementChild.replaceChildren(table(
    columns.filter((_, i) => shown[i]), rows.map((row) => row.filter((_, i) => shown[i]))));
  showParse(parses[rank - 1] ?? parses[0]);
}

const scoreOf = (one) => (one.probability === null ? `#${one.meaning}` : "#ln p");

const shareOf = (one) => (one.probability === null ? "#score" : "#ln p");

const ratio = (difference) => `${short(100 * Math.exp(-difference))} %`;

function choice(one) {
  const radio = element("input", { type: "radio", name: "parse" });
  radio.checked = one.rank === rank;
  radio.addEventListener("change", () => {
    rank = one.rank;
    rememberRank();
    showParse(one);
  });
  return element("label", {}, radio, String(one.rank));
}

function showParse(one) {
  if (picture.tree?.svg !== one.tree.svg) picture.show(one.tree);
  const place = byId("derivation");
  place.hidden = one.derivation.length === 0;
  const made = table([model.rules === null ? "transition" : "rule", shareOf(one), "words"], one.derivation.map((step) => [
    element("span", { class: "rule", title: step.rule }, step.clause),
    short(step.score),
    element("span", { class: "words" }, step.words),
  ]));
  made.append(element("tfoot", {}, element("tr", {}, element("td", {}, "whole parse"),
    element("td", { class: "number" }, short(one.score)), element("td"))));
  const rows = [...made.tBodies[0].rows];
  rows.forEach((row, i) => linkRow(row, one.derivation[i].tokens));
  roving(rows, (row, key) => ({
    ArrowUp: row.previousElementSibling, ArrowDown: row.nextElementSibling })[key]);
  place.querySelector(".scroll").replaceChildren(made);
}

/** Highlight the tokens of a row in the picture. */
function linkRow(row, positions) {
  for (const event of ["pointerenter", "focus"]) {
    row.addEventListener(event, () => picture.light(positions));
  }
  for (const event of ["pointerleave", "blur"]) {
    row.addEventListener(event, () => picture.light([]));
  }
}

function showStatistics({ statistics, lost_mass: lost }) {
  const rows = Object.entries(statistics).map(
    ([key, value]) => [STATISTICS[key] ?? key.replaceAll("_", " "), short(value)]);
  byId("chart").hidden = statistics.items === 0;
  if (lost) rows.push(["probability left out (at most)", short(lost)]);
  byId("chart").lastElementChild.replaceChildren(table(["figure", "#value"], rows));
}

/** Ask for another tag of a token, and parse again with it and the tags of all other tokens. */
function editTag(position, tree) {
  const dialog = byId("tag-dialog");
  const input = byId("tag-input");
  byId("tag-label").textContent = `Tag of “${tree.tokens[position].form}”`;
  input.value = tree.tokens[position].tag;
  dialog.returnValue = "cancel";
  dialog.onclose = () => {
    if (dialog.returnValue !== "parse") return;
    const tags = tree.tokens.map((token) => token.tag);
    tags[position] = input.value.trim();
    parseSentence(tree.tokens.map(({ form }, i) => `${form}/${tags[i]}`).join(" "), true);
  };
  dialog.showModal();
  input.select();
}
