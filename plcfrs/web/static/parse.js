// The first tab: a sentence, its best parses, the derivation and the chart.

import { attempt, post, stop } from "./api.js";
import { compareBeside, findBeside, offerBeside } from "./beside.js";
import { html } from "./components.js";
import { byId, counted, milliseconds, on, say, setOptions } from "./dom.js";
import { isNull } from "./drawing.js";
import { can, session } from "./model.js";
import { Result } from "./result.js";
import { fillSentence, startSentence } from "./sentence.js";
import { Tab, withoutHistory } from "./tab.js";

const CHOICES = { strategy: "strategies", objective: "objectives", fallback: "fallbacks" };
const NO_GOLD = { treebank: null, tree: null, query: null, within: null, transform: null };

export const tab = new Tab("parse", {
  first: { rank: 1, step: 0, ...NO_GOLD }, // with the place of the gold tree, if there is one
  useModel, visit, clear, place: "parse-result",
  before: "parse-status", kinds: ["parse", "beside", "compare"], focus: "text",
});
const { fields, shown } = tab;
let isStarted = false; // whether a sentence was sent to the parser
let answer = null; // with the sentence, as the API wants it
let beside = null; // the tree beside the parse, its name, and a summary of the differences

startSentence(tab, submit);
tab.submit = () => {
  setGold({}); // the sentence comes from another tab
  submit();
};
on("text", "input", () => setGold({}));
on("objective", "change", adapt);
for (const id of ["posteriors", "parse-functions", "parse-traces"]) {
  on(id, "change", () => {
    adapt();
    if (answer) submit(shown.rank, shown.step);
  });
}
on("beside", "change", () => {
  tab.note();
  if (answer) tab.until(lookBeside(), "Comparing …");
});

function useModel() {
  const { model, limits } = session;
  for (const [name, offered] of Object.entries(CHOICES)) {
    setOptions(fields[name], model[offered], {}, null);
    fields[name].parentElement.hidden = !model[offered].length;
  }
  fields.nbest.parentElement.hidden = !can("nbest");
  fields.posteriors.parentElement.hidden = !can("sums");
  fields.functions.parentElement.hidden = !model.annotation.length;
  fields.traces.parentElement.hidden = !model.annotation.includes("null elements");
  fields.nbest.max = limits.nbest;
  fields.text.maxLength = limits.max_characters;
  setOptions(byId("tags"), model.tags);
  offerBeside(shown.treebank);
  adapt();
}

function visit(values) {
  offerBeside(values.treebank);
  tab.restore(values);
  adapt();
  if (values.text) submit(shown.rank, shown.step);
}

export const parseAgain = () => isStarted && submit();

/** Parse a sentence from another tab; `gold` says where its gold tree is, if there is one. */
export function parseSentence(text, tagged, gold = {}) {
  setGold(gold);
  fillSentence(tab, text, tagged);
  tab.note({ rank: 1, step: 0 }); // before it is in sight: it is one step of history
  tab.arrive();
  return submit();
}

function setGold(gold) {
  Object.assign(shown, { ...NO_GOLD, ...gold });
  offerBeside(shown.treebank);
}

/** Let only the default objective list several parses; bare trees have no traces. */
function adapt() {
  const [usual = ""] = session.model.objectives;
  fields.nbest.disabled = !can("nbest") || fields.objective.value !== usual;
  fields.traces.disabled = !fields.functions.checked;
}

/** Parse: first only the best parse, so that its picture comes soon, then the others. */
async function submit(rank = 1, step = 0) {
  stop("beside", "compare"); // calls for the sentence before
  beside = null;
  tab.note({ rank, step });
  isStarted = true;
  const sentence = tab.values("model", "text", "tagged", "tokenize");
  const offered = [...Object.keys(CHOICES), "posteriors", "functions", "traces"].filter(
    (name) => !fields[name].parentElement.hidden && !fields[name].disabled);
  const wanted = { ...sentence, ...tab.values(...offered) };
  const nbest = fields.nbest.disabled ? 1 : Number(fields.nbest.value);
  byId("parse-status").textContent = "";
  await tab.attempt(async () => {
    const showAnswer = (found) => show({ ...found, sentence });
    showAnswer(await tab.until(post("parse", wanted), "Parsing …"));
    byId("parse-picture").querySelector("[data-node]")?.scrollIntoView({ block: "nearest" });
    const hasOthers = nbest > 1 && answer.parses[0].score !== null;
    const others = hasOthers ? post("parse", { ...wanted, nbest }).then(showAnswer) : null;
    const compared = shown.rank > 1 && others ? others.then(lookBeside) : lookBeside();
    await tab.until(Promise.all([others, compared]),
      hasOthers ? "This is the best parse. Looking for others …" : "Comparing …");
  });
}

function clear() {
  byId("parse-status").textContent = "";
  answer = null;
  draw();
}

function show(found) {
  const [{ tree }] = found.parses;
  // A tree that is drawn already stays, with its collapsed constituents.
  for (const name of ["tree", "with_traces"]) {
    const drawn = answer?.parses[0][name];
    if (drawn && drawn.svg === found.parses[0][name]?.svg) found.parses[0][name] = drawn;
  }
  answer = found;
  const { status, message, seconds } = found;
  say(byId("parse-error"), message);
  byId("parse-status").textContent = `${status[0].toUpperCase()}${status.slice(1)}: `
    + `${counted(tree.tokens.length, "word")}, ${milliseconds(seconds)}`;
  draw();
}

function draw() {
  byId("parse-result").hidden = !answer;
  if (!answer) return;
  const words = answer.parses[0].tree.tokens.map(({ form }) => form);
  const canUntag = fields.tagged.checked && session.model.words > 0;
  tab.draw(html`<${Result} ...${{ answer, beside }} rank=${shown.rank} step=${shown.step} acts=${{
    choose, go, edit: editTag,
    untag: canUntag && (() => parseSentence(words.join(" "), false, shown)),
  }} />`);
}

function choose(rank) {
  tab.note({ rank, step: 0 });
  draw();
  if (beside) lookBeside();
}

/** Show a step of the parse; Back leaves the parse. */
function go(step) {
  withoutHistory(() => tab.note({ step }));
  draw();
}

/** Show the chosen tree beside the parse, with their differences. */
async function lookBeside() {
  stop("beside", "compare");
  const name = fields.beside.value;
  const one = answer.parses[shown.rank - 1] ?? answer.parses[0];
  const known = beside?.name === name ? beside.found : null;
  const showBeside = (found) => {
    beside = name ? { name, ...found } : null;
    draw();
  };
  showBeside({ found: known, other: known?.tree, summary: "Comparing …" });
  if (!name) return;
  const refuse = (message) => message && showBeside({ summary: `${name}: ${message}` });
  await attempt(byId("parse-result"), refuse, async () => {
    const found = known ?? await findBeside(answer.sentence, name, shown);
    showBeside({ found, rank: one.rank, ...await compareBeside(one.tree, found, name) });
  });
}

/** Ask for another tag of a token, and parse again with the tags of all tokens. */
function editTag(position, tree) {
  const dialog = byId("tag-dialog");
  const input = byId("tag-input");
  byId("tag-label").textContent = `Tag of “${tree.tokens[position].form}”`;
  input.value = tree.tokens[position].tag;
  dialog.returnValue = "cancel";
  dialog.onclose = () => {
    if (dialog.returnValue !== "parse") return;
    const words = tree.tokens
      .map(({ form, tag }, i) => `${form}/${i === position ? input.value.trim() : tag}`)
      .filter((_, i) => !isNull(tree.tokens[i]));
    parseSentence(words.join(" "), true, shown);
  };
  dialog.showModal();
  input.select();
}
