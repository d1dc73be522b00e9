// The first tab: a sentence, its best parses, the derivation and the chart.

import { fillAll, quietly, remember } from "./address.js";
import { attempt, parse } from "./api.js";
import { compareBeside, findBeside, goldAddress, goldOf, offerBeside, setGold } from "./beside.js";
import { html, render } from "./components.js";
import { byId, counted, options, say, short } from "./dom.js";
import { Result } from "./result.js";
import { startSentence } from "./sentence.js";
import { showTab } from "./tabs.js";
import { Wait } from "./wait.js";

const SEARCHES = { astar: "A*", knuth: "Knuth" };
const FALLBACKS = { none: "only the words", flat: "words with tags", partial: "constituents" };
const OBJECTIVES = {
  mpd: "most probable derivation",
  mcp: "most constituents correct",
  "max-rule-product": "max-rule product",
  "max-rule-sum": "max-rule sum",
};

let model = null;
let models = [];
let wait = null;
let isBegun = false; // whether a sentence was parsed, or tried to
let answer = null; // with the sentence, as the API wants it
let [rank, step] = [1, 0];
let beside = null; // the name of what is beside the parse, its tree, and how they differ
let looks = 0; // how often something was looked for that is to be beside it

export function startParsing() {
  wait = new Wait(byId("parse-status"), ["parse", "beside", "compare"], byId("text"));
  startSentence("parse-form", ["text", "tagged", "tokenize"], () => submit());
  byId("text").addEventListener("input", () => {
    setGold(null);
    offerBeside(model, models);
  });
  byId("objective").addEventListener("change", adapt);
  byId("posteriors").addEventListener("change", () => answer && submit(rank, step));
  byId("beside").addEventListener("change", () => {
    note();
    if (answer) wait.until(lookBeside(), "Comparing …");
  });
}

/** Offer the choices of a model, one of several. */
export function useModel({ model: chosen, all, limits }) {
  [model, models] = [chosen, all];
  options(byId("strategy"), model.strategies);
  options(byId("objective"), model.objectives);
  options(byId("fallback"), model.fallbacks);
  name(byId("strategy"), SEARCHES);
  name(byId("objective"), OBJECTIVES);
  name(byId("fallback"), FALLBACKS);
  byId("nbest").max = limits.nbest;
  byId("text").maxLength = limits.max_characters;
  options(byId("tags"), model.tags);
  offerBeside(model, models);
  adapt();
}

/** Parse the sentence of an address. */
export function visit(values) {
  setGold(goldOf(values));
  offerBeside(model, models);
  fillAll("parse", values);
  adapt();
  if (values.text) submit(Number(values.rank ?? 1), Number(values.step ?? 0));
}

/** Parse the sentence with another model. */
export function parseAgain() {
  if (isBegun) submit();
}

/** Parse a sentence from another tab; `gold` says where its gold tree is, if there is one. */
export function parseSentence(text, tagged, gold = null) {
  setGold(gold);
  offerBeside(model, models);
  showTab("parse");
  return parseText(text, tagged);
}

function parseText(text, tagged) {
  byId("text").value = text;
  byId("tagged").checked = tagged;
  byId("tokenize").checked = false;
  return submit();
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
  byId("posteriors").parentElement.hidden = !model.capabilities.includes("sums");
  byId("nbest").disabled = !listsParses();
}

const listsParses = () => model.capabilities.includes("nbest")
  && byId("objective").value === (model.objectives[0] ?? "");

/** Parse: first only the best parse, so that its picture comes soon, then the others. */
async function submit(chosen = 1, chosenStep = 0) {
  [rank, step, beside] = [chosen, chosenStep, null];
  looks += 1; // what is looked for is not for this sentence
  note();
  isBegun = true;
  const sentence = {
    model: model.name,
    text: byId("text").value,
    tagged: byId("tagged").checked,
    tokenize: byId("tokenize").checked,
  };
  const wanted = { ...sentence, ...chosenOptions() };
  const nbest = listsParses() ? Number(byId("nbest").value) : 1;
  byId("parse-status").textContent = "";
  await attempt(byId("parse"), refuse, async () => {
    const showAnswer = (found) => show({ ...found, sentence });
    showAnswer(await wait.until(parse(wanted), "Parsing …"));
    byId("parse-picture").querySelector("[data-node]")?.scrollIntoView({ block: "nearest" });
    const hasOthers = nbest > 1 && answer.parses[0].score !== null;
    const others = hasOthers ? parse({ ...wanted, nbest }).then(showAnswer) : null;
    const compared = rank > 1 && others ? others.then(lookBeside) : lookBeside();
    await wait.until(Promise.all([others, compared]),
      hasOthers ? "This is the best parse. Looking for others …" : "Comparing …");
  });
}

/** Return the choices that the model has. */
function chosenOptions() {
  const chosen = {};
  if (model.objectives.length) chosen.objective = byId("objective").value;
  if (model.strategies.length) chosen.strategy = byId("strategy").value;
  if (model.fallbacks.length) chosen.fallback = byId("fallback").value;
  if (model.capabilities.includes("sums")) chosen.posteriors = byId("posteriors").checked;
  return chosen;
}

/** Let the address have what is shown. */
function note() {
  remember("parse", { ...(rank > 1 && { rank }), ...(step && { step }), ...goldAddress() });
}

function refuse(message) {
  say(byId("parse-error"), message);
  if (!message) return;
  byId("parse-status").textContent = "";
  answer = null;
  draw();
}

function show(found) {
  const [{ tree }] = found.parses;
  // What is drawn already stays, with its collapsed constituents.
  if (tree.svg === answer?.parses[0].tree.svg) found.parses[0].tree = answer.parses[0].tree;
  answer = found;
  say(byId("parse-error"), answer.message);
  byId("parse-status").textContent = summary(answer);
  draw();
}

function draw() {
  byId("parse-result").hidden = !answer;
  byId("tokens").hidden = !answer || !byId("tokenize").checked;
  if (!answer) return;
  const { tokens } = answer.parses[0].tree;
  render(html`Words:${tokens.map(({ form }) => html` <code>${form}</code>`)}`, byId("tokens"));
  const withoutTags = () => parseText(tokens.map(({ form }) => form).join(" "), false);
  render(html`<${Result} ...${{ model, answer, rank, step, beside }} acts=${{
    choose, go, edit: editTag, untag: byId("tagged").checked && model.words > 0 && withoutTags,
  }} />`, byId("parse-result"));
}

function summary({ status, parses, seconds }) {
  const words = parses[0].tree.tokens.length;
  const time = `${short(Math.round(10000 * seconds) / 10)} ms`;
  return `${status[0].toUpperCase()}${status.slice(1)}: ${counted(words, "word")}, ${time}`;
}

/** Show another parse. */
function choose(chosen) {
  [rank, step] = [chosen, 0];
  note();
  draw();
  if (beside) lookBeside();
}

/** Show a step of the parse; Back leaves the parse. */
function go(chosen) {
  step = chosen;
  quietly(note);
  draw();
}

/** Show what was chosen beside the parse, and in what they differ. */
async function lookBeside() {
  const chosen = byId("beside").value;
  const mine = ++looks;
  const one = answer.parses[rank - 1] ?? answer.parses[0];
  const known = beside?.name === chosen ? beside.found : null;
  beside = chosen ? { name: chosen, found: known, other: known?.tree, summary: "Comparing …" } : null;
  draw();
  if (!chosen) return;
  const showBeside = (found) => {
    if (mine !== looks) return; // something else was chosen
    beside = { name: chosen, ...found };
    draw();
  };
  const refused = (message) => message && showBeside({ summary: `${chosen}: ${message}` });
  await attempt(byId("parse-result"), refused, async () => {
    const found = known ?? await findBeside(answer.sentence, chosen);
    showBeside({ found, rank: one.rank, ...await compareBeside(one.tree, model, found, chosen) });
  });
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
    parseText(tree.tokens.map(({ form }, i) => `${form}/${tags[i]}`).join(" "), true);
  };
  dialog.showModal();
  input.select();
}
