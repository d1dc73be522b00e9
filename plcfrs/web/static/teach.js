// The tab of teaching: the search for a parse step by step, with the deduction rules of figure 2
// of Evang and Kallmeyer (2011).

import { post, stop } from "./api.js";
import { html, Steps, Table, useEffect, useMemo, useState } from "./components.js";
import { byId, counted, on, short } from "./dom.js";
import { parseSentence } from "./parse.js";
import { Picture } from "./picture.js";
import { begin, startSentence, textOf } from "./sentence.js";
import { Tab, withoutHistory } from "./tab.js";

const NAMES = { scan: "Scan", unary: "Unary", binary: "Binary" };
const ENDS = {
  exhausted: "The agenda is empty: there is no parse.",
  unfinished: "The search has more steps than are shown: try a shorter sentence.",
};

export const tab = new Tab("teach", {
  // Models that know surprisal are grammars, whose search can be followed.
  first: { step: 0 }, open, useModel, visit, place: "course", needs: "surprisal",
});
const { fields } = tab;
let followed = null; // the search, with the answers in the exercise by step

startSentence(tab, () => follow());
on("order", "change", () => follow());
on("exercise", "change", () => followed && show(followed, tab.shown.step));

function useModel() {
  tab.shownAddress = null;
  stop("course");
  followed = null;
  tab.clear();
}

function visit(values) {
  tab.restore(values);
  if (fields.text.value) follow(tab.shown.step);
  else open();
}

const length = ({ text }) => text.split(" ").length;

/** Begin with the shortest example. */
function open() {
  begin(tab, (one, other) => length(one) - length(other));
}

function follow(step = 0) {
  tab.note({ step: 0 });
  return tab.attempt(async () => {
    const { order: strategy, ...sentence } = tab.values(
      "model", "text", "tagged", "tokenize", "order");
    const search = await post("course", { ...sentence, strategy });
    followed = { ...search, isGuided: strategy === "astar", answers: {} };
    show(followed, Math.min(Math.max(step, 0), search.pops.length));
  });
}

function show(search, step) {
  withoutHistory(() => tab.note({ step })); // Back leaves the search
  tab.draw(html`<${Course} ...${{ search, step }} />`);
}

function Course({ search, step }) {
  const current = step ? search.pops[step - 1] : null;
  const { agenda, chart } = stateAfter(search, step);
  const isExercise = fields.exercise.checked;
  const isAsked = isExercise && current?.choices.length && !search.answers[step];
  const go = (number) => show(search, number);
  const last = search.pops.length;
  return html`
    <div class="row"><${Steps} ...${{ step, last, go }} />
      ${!isExercise && html`<${Play} ...${{ search, step, last, go }} />`}</div>
    <${Words} ...${search} item=${current && !isAsked ? search.items[current.popped.item] : null} />
    <p class="status" role="status">
      ${isAsked ? "Which item is deduced here?" : said(search, step)}</p>
    <div class="columns deduced">
      <div>${current && html`
          <${Inference} ...${search} ...${current.popped} chart=${chart} isAsked=${isAsked} />`}
        ${isExercise && html`<${Exercise} ...${{ search, step, isAsked }} />`}</div>
      ${current && !isAsked && html`<${Derived} ...${search} ...${current} />`}</div>
    ${!isAsked && html`<div class="thirds">
      ${current && html`<${List} title="What follows" ...${search} rows=${current.following} />`}
      <${List} title="Agenda" ...${search} rows=${agenda} />
      <${List} title="Chart" ...${search} rows=${[...chart.values()].reverse()} />
    </div>`}
    ${step === last && !isAsked && html`<button type="button"
      onClick=${() => parseSentence(textOf(search.tokens), fields.tagged.checked)}>
      See the parse</button>`}`;
}

/** A button that plays the steps until the last one. */
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
      ${[0.5, 1, 2, 5, 10].map((one) => html`<option value=${one}>${one}</option>`)}</select>
    </label></span>`;
}

/** The tree of an item, with the rest of the sentence dimmed. */
function Derived({ tokens, items, popped, tree: { discbracket, labels, tags } }) {
  const [tree, lit] = useMemo(() => {
    const inside = [...tokens.keys()].filter((i) => isInside(items[popped.item], i));
    const dims = inside.length < tokens.length;
    return [{ discbracket, labels, tokens: tokens.map((one, i) => ({ ...one, tag: tags[i] })) },
      { tokens: inside, nodes: [...labels.keys()].slice(dims ? 1 : 0), dims }];
  }, [discbracket]);
  return html`<div class="trees room"><${Picture} id="course-picture" hasFiles=${false}
    ...${{ tree, lit }} /></div>`;
}

const isInside = (item, i) => item.ranges.some(([left, right]) => left <= i && i < right);

/** Items to choose the conclusion from; after the choice, whether it was right, and the score. */
function Exercise({ search, step, isAsked }) {
  const { answers, items, pops } = search;
  const given = Object.values(answers);
  const answer = answers[step];
  const next = pops.findIndex((pop, i) => i >= step && pop.choices.length && !answers[i + 1]) + 1;
  const choose = (text) => {
    answers[step] = { text, isRight: text === items[pops[step - 1].popped.item].text };
    show(search, step);
    byId("next-question")?.focus();
  };
  const goOn = () => {
    show(search, next);
    byId("course").querySelector(".choices button").focus();
  };
  if (isAsked) return html`<div class="choices" role="group" aria-label="Items to choose from">
    ${pops[step - 1].choices.map((text) => html`
      <button type="button" onClick=${() => choose(text)}>${text}</button>`)}</div>`;
  return html`<p class="verdict" role="status">
      ${answer && (answer.isRight ? "✓ Right." : `✗ Wrong: not ${answer.text}.`)}
      ${given.length > 0
        && ` Score: ${given.filter((one) => one.isRight).length} of ${given.length}.`}</p>
    ${next ? html`<button type="button" class="main" id="next-question" onClick=${goOn}>
      Next question</button>` : html`<p class="hint">There are no more questions.</p>`}`;
}

/** Return the items on the agenda, the next one first, and a map of the popped items. */
function stateAfter({ scanned, pops }, step) {
  const agenda = new Map(scanned.map((one) => [one.item, one]));
  const chart = new Map();
  for (const { popped, following } of pops.slice(0, step)) {
    agenda.delete(popped.item);
    chart.delete(popped.item);
    chart.set(popped.item, popped);
    for (const one of following) agenda.set(one.item, one);
  }
  return { agenda: [...agenda.values()].sort((one, other) => one.bound - other.bound), chart };
}

function said({ items, scanned, pops, status }, step) {
  if (!step) return `The agenda starts with ${counted(scanned.length, "tag")} of the words.`;
  const { item, cost } = pops[step - 1].popped;
  if (step < pops.length) return `${items[item].text} leaves the agenda.`;
  if (status !== "goal") return ENDS[status];
  return `The goal ${items[item].text} leaves the agenda: the best parse costs `
    + `${short(cost)}, its probability is ${short(Math.exp(-cost))}.`;
}

/** The words between their positions; those of an item are marked. */
function Words({ tokens, item }) {
  return html`<p class="positions">${tokens.map(({ form, tag }, i) => html`
    <sub>${i}</sub> ${item && isInside(item, i) ? html`<mark>${form}</mark>` : form}
    ${tag && html`<small>/${tag}</small>`} `)}
    <sub>${tokens.length}</sub></p>`;
}

/** A rule of figure 2 with the items that it was applied to. */
function Inference({ items, isGuided, chart, isAsked, item, by, children, clause, ...one }) {
  const { cost, bound, rule_cost: ofRule } = one;
  const costs = children.map((child) => short(chart.get(child).cost));
  const premises = children.map((child, i) => `${costs[i]} : ${items[child].text}`);
  return html`
  <div class="inference" role="group" aria-label=${NAMES[by]}>
    <span class="name">${NAMES[by]}</span>
    <span class="premises">${premises.join("   ")}</span>
    <span class="conclusion">${short(cost)} : ${isAsked ? "?" : items[item].text}</span>
    <span class="rule">${by === "scan" ? `${clause}, a tag of the word`
      : clause.replace(isAsked ? /^[^(]+/ : "", isAsked ? "?" : "")}</span>
  </div>
  <p class="hint">Cost: ${children.length > 0 && `${[...costs, short(ofRule)].join(" + ")} = `}
    ${short(cost)}. ${isGuided
      ? `The relaxation's bound: no parse with it costs less than ${short(bound)}.`
      : "The agenda is sorted by cost."}</p>`;
}

const List = ({ title, items, isGuided, rows }) => html`
  <section class="items"><h2>${title}: ${rows.length}</h2>
    ${rows.length > 0 && html`<${Table} box="scroll" label=${title} rows=${rows} columns=${[
      ["item", (one) => items[one.item].text], ["#cost", (one) => short(one.cost)],
      isGuided && ["#bound", (one) => short(one.bound)],
      ["rule", (one) => (one.by === "scan" ? "Scan" : one.clause)],
    ]} />`}
  </section>`;
