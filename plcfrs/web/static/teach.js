// The last tab: the search for a parse step by step, with the rules of figure 2.

import { post, stop } from "./api.js";
import { html, Steps, Table, useEffect, useMemo, useState } from "./components.js";
import { byId, counted, on, short } from "./dom.js";
import { used } from "./model.js";
import { parseSentence } from "./parse.js";
import { Picture } from "./picture.js";
import { fillSentence, startSentence } from "./sentence.js";
import { present, quietly, Tab } from "./tab.js";

const NAMES = { scan: "Scan", unary: "Unary", binary: "Binary" };
const ENDS = {
  exhausted: "The agenda is empty: there is no parse.",
  unfinished: "The search goes on, but no more steps are shown: try a shorter sentence.",
};

export const tab = new Tab("teach", {
  // Models that know surprisal are grammars, whose search can be followed.
  first: { step: 0 }, open, useModel, visit, place: "course", needs: "surprisal",
});
const { fields } = tab;
let isBegun = false; // whether a search was followed, or tried to
let followed = null; // the search, with the answers of an exercise by their steps

startSentence(tab, () => follow());
on("order", "change", () => follow());
on("exercise", "change", () => followed && show(followed, tab.shown.step));

function useModel() {
  isBegun = false;
  tab.known = null;
  stop("course");
  followed = null;
  tab.clear();
}

function visit(values) {
  tab.restore(values);
  if (fields.text.value) follow(tab.shown.step);
  else open();
}

/** Begin with the shortest example. */
async function open() {
  const found = await used.examples;
  if (isBegun || present !== tab) return;
  const length = ({ text }) => text.split(" ").length;
  const [first] = found.toSorted((one, other) => length(one) - length(other));
  if (first && !fields.text.value) fillSentence(tab, first.text, first.tagged);
  if (fields.text.value) follow();
}

function follow(step = 0) {
  tab.note({ step: 0 });
  isBegun = true;
  return tab.attempt(async () => {
    const { order: strategy, ...sentence } = tab.values(
      "model", "text", "tagged", "tokenize", "order");
    const search = await post("course", { ...sentence, strategy });
    followed = { ...search, isGuided: strategy === "astar", answers: {} };
    show(followed, Math.min(Math.max(step, 0), search.pops.length));
  });
}

function show(search, step) {
  quietly(() => tab.note({ step })); // Back leaves the search
  tab.draw(html`<${Course} ...${{ search, step }} />`);
}

function Course({ search, step }) {
  const current = step ? search.pops[step - 1] : null;
  const { agenda, chart } = stateAfter(search, step);
  const isExercise = fields.exercise.checked;
  const isAsked = isExercise && isQuestion(current) && !(step in search.answers);
  const go = (number) => show(search, number);
  const last = search.pops.length;
  return html`
    <div class="row"><${Steps} ...${{ step, last, go }} />
      ${!isExercise && html`<${Play} ...${{ search, step, last, go }} />`}</div>
    <${Words} ...${search} item=${current && !isAsked ? search.items[current.popped.item] : null} />
    <p class="status" role="status">
      ${isAsked ? "Which item is deduced here?" : sentence(search, step)}</p>
    <div class="columns deduced">
      <div>${current && html`<${Inference} ...${{ search, step, isAsked }} deduced=${current.popped} />`}
        ${isExercise && html`<${Exercise} ...${{ search, step, isAsked }} />`}</div>
      ${current && !isAsked && html`<${Derived} ...${search} ...${current} />`}</div>
    ${!isAsked && html`<div class="thirds">
      ${current && html`<${List} title="What follows" search=${search} rows=${current.following}
        empty="Nothing follows from it and the chart." />`}
      <${List} title="Agenda" search=${search} rows=${agenda} empty="The agenda is empty." />
      <${List} title="Chart" search=${search} rows=${chart} empty="The chart is empty." />
    </div>`}
    ${step === last && !isAsked && html`<button type="button" onClick=${() => parseSentence(
      search.tokens.map(({ form, tag }) => (tag ? `${form}/${tag}` : form)).join(" "),
      fields.tagged.checked)}>See the parse</button>`}`;
}

/** A button that goes on by itself, until the last step. */
function Play({ search, step, last, go }) {
  const [isPlaying, play] = useState(false);
  const [speed, setSpeed] = useState(2);
  useEffect(() => play(false), [search]);
  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setTimeout(() => (step < last ? go(step + 1) : play(false)), 1000 / speed);
    return () => clearTimeout(timer);
  }, [isPlaying, step, speed]);
  const toggle = () => {
    play(!isPlaying);
    if (step === last) go(0);
  };
  return html`<span class="row tools">
    <button type="button" id="play" onClick=${toggle}>${isPlaying ? "Pause" : "Play"}</button>
    <label>Steps a second <select value=${speed}
      onChange=${(event) => setSpeed(Number(event.target.value))}>
      ${[0.5, 1, 2, 5, 10].map((one) => html`<option value=${one}>${one}</option>`)}</select></label></span>`;
}

/** The tree of an item, and pale the rest of the sentence. */
function Derived({ tokens, items, popped, tree: { discbracket, labels, tags } }) {
  const [tree, lit] = useMemo(() => {
    const inside = items[popped.item].ranges.flatMap(([left, right]) => (
      Array.from({ length: right - left }, (_, i) => left + i)));
    const dims = inside.length < tokens.length;
    return [{
      id: "", discbracket, labels, tokens: tokens.map((one, i) => ({ ...one, tag: tags[i] })),
      functions: labels.map(() => []), secondary_edges: [], marked: [], marked_tokens: [],
    }, { tokens: inside, nodes: labels.map((_, i) => i).slice(dims ? 1 : 0), dims }];
  }, [discbracket]);
  return html`<div class="trees"><${Picture} id="course-picture" hasFiles=${false}
    ...${{ tree, lit }} /></div>`;
}

const isQuestion = (pop) => pop !== null && pop.popped.by !== "scan";

/** Items to choose the conclusion from; then whether the choice was right, and the score. */
function Exercise({ search, step, isAsked }) {
  const { answers, items, pops } = search;
  const isRight = (number) => answers[number] === written(items[pops[number - 1].popped.item]);
  const given = Object.keys(answers);
  const next = pops.findIndex((pop, i) => i >= step && isQuestion(pop) && !(i + 1 in answers)) + 1;
  const choose = (text) => {
    answers[step] = text;
    show(search, step);
    byId("next-question")?.focus();
  };
  const goOn = () => {
    show(search, next);
    byId("course").querySelector(".choices button").focus();
  };
  if (isAsked) return html`<div class="choices" role="group" aria-label="Items to choose from">
    ${choices(search, step).map((text) => html`
      <button type="button" onClick=${() => choose(text)}>${text}</button>`)}</div>`;
  const verdict = step in answers && (isRight(step) ? "✓ Right." : `✗ Wrong: not ${answers[step]}.`);
  return html`<p class="verdict" role="status">${verdict}
      ${given.length > 0 && ` Score: ${given.filter(isRight).length} of ${given.length}.`}</p>
    ${next ? html`<button type="button" class="main" id="next-question" onClick=${goOn}>
      Next question</button>` : html`<p class="hint">There are no more questions.</p>`}`;
}

/** Return the item of a step, and those with another symbol, other ranges, or both. */
function choices({ tokens, items, scanned, pops }, step) {
  const { symbol, ranges } = items[pops[step - 1].popped.item];
  // What the search has deduced with these ranges might follow from the same items.
  const taken = items.filter((one) => String(one.ranges) === String(ranges)).map(symbolOf);
  const usable = items.slice(scanned.length).filter((one) => !taken.includes(one.symbol));
  const alike = usable.filter((one) => one.ranges.length === ranges.length);
  const symbols = [...new Set((alike.length ? alike : usable).map(symbolOf))];
  const pairs = [symbol, symbols[step % symbols.length]].filter(Boolean).flatMap(
    (one) => [ranges, moved(ranges, tokens.length)].map((each) => ({ symbol: one, ranges: each })));
  return [...new Set(pairs.map(written))].sort();
}

const symbolOf = ({ symbol }) => symbol;

/** Return ranges of which the last one is a word longer, or shorter at the end of the sentence. */
function moved(ranges, length) {
  const [left, right] = ranges.at(-1);
  const last = right < length ? [left, right + 1]
    : right - left > 1 ? [left, right - 1] : [Math.max(left - 1, 0), right];
  return [...ranges.slice(0, -1), last];
}

/** Return the items on the agenda, the next one first, and those popped, the last one first. */
function stateAfter({ scanned, pops }, step) {
  const agenda = new Map(scanned.map((one) => [one.item, one]));
  const chart = new Map();
  for (const { popped, following } of pops.slice(0, step)) {
    agenda.delete(popped.item);
    chart.delete(popped.item);
    chart.set(popped.item, popped);
    for (const one of following) agenda.set(one.item, one);
  }
  return {
    agenda: [...agenda.values()].sort((one, other) => one.bound - other.bound),
    chart: [...chart.values()].reverse(),
  };
}

function sentence(search, step) {
  const { scanned, pops, status } = search;
  if (!step) return `The agenda begins with ${counted(scanned.length, "tag")} of the words.`;
  const { item, cost } = pops[step - 1].popped;
  if (step < pops.length) return `${written(search.items[item])} leaves the agenda.`;
  if (status !== "goal") return ENDS[status];
  return `The goal ${written(search.items[item])} leaves the agenda: the best parse costs `
    + `${short(cost)}, its probability is ${short(Math.exp(-cost))}.`;
}

/** The words between their positions; those of an item are marked. */
function Words({ tokens, item }) {
  const isInside = (i) => item?.ranges.some(([left, right]) => left <= i && i < right);
  return html`<p class="positions">${tokens.map(({ form, tag }, i) => html`
    <sub>${i}</sub> ${isInside(i) ? html`<mark>${form}</mark>` : form}
    ${tag && html`<small>/${tag}</small>`} `)}
    <sub>${tokens.length}</sub></p>`;
}

/** A rule of figure 2 with the items that it was applied to. */
function Inference({ search, step, isAsked, deduced }) {
  const { by, children, clause, item, cost, bound, ...one } = deduced;
  const costs = children.map((child) => search.pops.findLast(
    ({ popped }, i) => i < step && popped.item === child).popped.cost);
  const premises = children.map((child, i) => `${short(costs[i])} : ${written(search.items[child])}`);
  const sum = [...costs, one.rule_cost].map(short).join(" + ");
  return html`
  <div class="inference" role="group" aria-label=${NAMES[by]}>
    <span class="name">${NAMES[by]}</span>
    <span class="premises">${premises.join("   ")}</span>
    <span class="conclusion">${short(cost)} : ${isAsked ? "?" : written(search.items[item])}</span>
    <span class="rule">${by === "scan" ? `${clause}, a tag of the word`
      : clause.replace(isAsked ? /^[^(]+/ : "", isAsked ? "?" : "")}</span>
  </div>
  <p class="hint">Cost: ${children.length ? `${sum} = ` : ""}${short(cost)}.
    ${" "}${search.isGuided
      ? `The relaxation's bound: no parse with it costs less than ${short(bound)}.`
      : "The agenda is in the order of costs."}</p>`;
}

function List({ title, search, rows, empty }) {
  const columns = [
    ["item", (one) => written(search.items[one.item])],
    ["#cost", (one) => short(one.cost)],
    search.isGuided && ["#bound", (one) => short(one.bound)],
    ["rule", (one) => (one.by === "scan" ? "Scan" : one.clause)],
  ];
  return html`<section class="items"><h2>${title}: ${rows.length}</h2>
    ${rows.length ? html`<${Table} box="scroll" label=${title} ...${{ rows, columns }} />`
      : html`<p class="hint">${empty}</p>`}
  </section>`;
}

/** Return an item as in figure 2: [VP_2, ⟨⟨0,1⟩, ⟨3,4⟩⟩]. */
const written = ({ symbol, ranges }) => (
  `[${symbol}, ⟨${ranges.map(([left, right]) => `⟨${left},${right}⟩`).join(", ")}⟩]`);
