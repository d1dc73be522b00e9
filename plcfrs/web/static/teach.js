// The last tab: the search for a parse step by step, with the rules of figure 2.

import { post, stop } from "./api.js";
import { html, Steps, Table } from "./components.js";
import { counted, on, short } from "./dom.js";
import { used } from "./model.js";
import { parseSentence } from "./parse.js";
import { fillSentence } from "./sentence.js";
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

on("teach-form", "submit", () => follow());
on("order", "change", () => follow());

function useModel() {
  isBegun = false;
  tab.known = null;
  stop("course");
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
    const { order: strategy, ...sentence } = tab.values("model", "text", "tagged", "order");
    const search = await post("course", { ...sentence, strategy });
    show({ ...search, isGuided: strategy === "astar" },
      Math.min(Math.max(step, 0), search.pops.length));
  });
}

function show(search, step) {
  quietly(() => tab.note({ step })); // Back leaves the search
  tab.draw(html`<${Course} ...${{ search, step }} />`);
}

function Course({ search, step }) {
  const current = step ? search.pops[step - 1] : null;
  const { agenda, chart } = stateAfter(search, step);
  return html`
    <${Steps} step=${step} last=${search.pops.length} go=${(number) => show(search, number)} />
    <${Words} ...${search} item=${current && search.items[current.popped.item]} />
    <p class="status" role="status">${sentence(search, step)}</p>
    ${current && html`<${Inference} ...${{ search, step }} deduced=${current.popped} />`}
    <div class="thirds">
      ${current && html`<${List} title="What follows" search=${search} rows=${current.following}
        empty="Nothing follows from it and the chart." />`}
      <${List} title="Agenda" search=${search} rows=${agenda} empty="The agenda is empty." />
      <${List} title="Chart" search=${search} rows=${chart} empty="The chart is empty." />
    </div>
    ${step === search.pops.length && html`<button type="button"
      onClick=${() => parseSentence(fields.text.value, fields.tagged.checked)}>
      See the parse</button>`}`;
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
  if (step < pops.length) return `${written(search, item)} leaves the agenda.`;
  if (status !== "goal") return ENDS[status];
  return `The goal ${written(search, item)} leaves the agenda: the best parse costs `
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
function Inference({ search, step, deduced: { by, children, clause, item, cost, bound, ...one } }) {
  const costs = children.map((child) => search.pops.findLast(
    ({ popped }, i) => i < step && popped.item === child).popped.cost);
  const premises = children.map((child, i) => `${short(costs[i])} : ${written(search, child)}`);
  const sum = [...costs, one.rule_cost].map(short).join(" + ");
  return html`
  <div class="inference" role="group" aria-label=${NAMES[by]}>
    <span class="name">${NAMES[by]}</span>
    <span class="premises">${premises.join("   ")}</span>
    <span class="conclusion">${short(cost)} : ${written(search, item)}</span>
    <span class="rule">${by === "scan" ? `${clause}, a tag of the word` : clause}</span>
  </div>
  <p class="hint">Cost: ${children.length ? `${sum} = ` : ""}${short(cost)}.
    ${" "}${search.isGuided
      ? `The relaxation's bound: no parse with it costs less than ${short(bound)}.`
      : "The agenda is in the order of costs."}</p>`;
}

function List({ title, search, rows, empty }) {
  const columns = [
    ["item", (one) => written(search, one.item)],
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
function written({ items }, number) {
  const { symbol, ranges } = items[number];
  return `[${symbol}, ⟨${ranges.map(([left, right]) => `⟨${left},${right}⟩`).join(", ")}⟩]`;
}
