// The last tab: the search for a parse step by step, with the rules of figure 2.

import { fillAll, forget, quietly, remember } from "./address.js";
import { attempt, course, stop } from "./api.js";
import { html, render, Steps, Table } from "./components.js";
import { byId, counted, say, short } from "./dom.js";
import { parseSentence } from "./parse.js";
import { whenOpened } from "./tabs.js";

const NAMES = { scan: "Scan", unary: "Unary", binary: "Binary" };
const ENDS = {
  exhausted: "The agenda is empty: there is no parse.",
  unfinished: "The search goes on, but no more steps are shown: try a shorter sentence.",
};

let model = null;
let examples = null;
let isBegun = false; // whether a search was followed, or tried to
let search = null;
let step = 0;

export function startTeaching() {
  byId("teach-form").addEventListener("submit", (event) => {
    event.preventDefault();
    follow();
  });
  byId("order").addEventListener("change", () => follow());
  whenOpened("teach", showOnce);
}

/** Use a model, of which some examples are promised. */
export function useModel({ model: chosen, examples: promised }) {
  [model, examples, isBegun, search] = [chosen, promised, false, null];
  stop("course");
  forget("teach");
  render(null, byId("course"));
  if (!byId("teach").hidden) showOnce();
}

/** Show the step of an address. */
export function visit(values) {
  fillAll("teach", values);
  if (byId("teach-text").value) follow(Number(values.step ?? 0));
  else showOnce();
}

/** Begin with the shortest example. */
async function showOnce() {
  const found = await examples;
  if (isBegun || byId("teach").hidden) return;
  const length = ({ text }) => text.split(" ").length;
  const [first] = found.toSorted((one, other) => length(one) - length(other));
  if (first && !byId("teach-text").value) {
    byId("teach-text").value = first.text;
    byId("teach-tagged").checked = first.tagged;
  }
  if (byId("teach-text").value) follow();
}

async function follow(first = 0) {
  remember("teach");
  isBegun = true;
  const refuse = (message) => {
    say(byId("teach-error"), message);
    if (message) render(null, byId("course"));
  };
  await attempt(byId("teach"), refuse, async () => {
    search = await course({
      model: model.name, text: byId("teach-text").value, tagged: byId("teach-tagged").checked,
      strategy: byId("order").value,
    });
    show(Math.min(Math.max(first, 0), search.pops.length));
  });
}

function show(number) {
  step = number;
  quietly(() => remember("teach", step ? { step } : {})); // Back leaves the search
  render(html`<${Course} search=${search} step=${step} />`, byId("course"));
}

function Course({ search, step }) {
  const current = step ? search.pops[step - 1] : null;
  const { agenda, chart } = stateAfter(search, step);
  return html`
    <${Steps} step=${step} last=${search.pops.length} go=${show} />
    <${Words} search=${search} item=${current && search.items[current.popped.item]} />
    <p class="status" role="status">${sentence(search, step)}</p>
    ${current && html`<${Inference} search=${search} deduced=${current.popped} />`}
    <div class="thirds">
      ${current && html`<${List} title="What follows" search=${search} rows=${current.following}
        empty="Nothing follows from it and the chart." />`}
      <${List} title="Agenda" search=${search} rows=${agenda} empty="The agenda is empty." />
      <${List} title="Chart" search=${search} rows=${chart} empty="The chart is empty." />
    </div>
    ${step === search.pops.length && html`<button type="button" onClick=${toParse}>
      See the parse</button>`}`;
}

const toParse = () => parseSentence(byId("teach-text").value, byId("teach-tagged").checked);

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
  if (!step) return `The agenda begins with ${counted(search.scanned.length, "tag")} of the words.`;
  const { popped } = search.pops[step - 1];
  if (step < search.pops.length) return `${written(search, popped.item)} leaves the agenda.`;
  if (search.status !== "goal") return ENDS[search.status];
  return `The goal ${written(search, popped.item)} leaves the agenda: the best parse costs `
    + `${short(popped.cost)}, its probability is ${short(Math.exp(-popped.cost))}.`;
}

/** The words between their positions; those of an item are marked. */
function Words({ search, item }) {
  const inside = (i) => item?.ranges.some(([left, right]) => left <= i && i < right);
  return html`<p class="positions">${search.tokens.map(({ form, tag }, i) => html`
    <sub>${i}</sub> ${inside(i) ? html`<mark>${form}</mark>` : form}${tag && html`<small>/${tag}</small>`} `)}
    <sub>${search.tokens.length}</sub></p>`;
}

/** A rule of figure 2 with the items that it was applied to. */
function Inference({ search, deduced }) {
  const costs = deduced.children.map((child) => costOf(search, child));
  const premises = deduced.children.map((child, i) => `${short(costs[i])} : ${written(search, child)}`);
  const sum = [...costs, deduced.rule_cost].map(short).join(" + ");
  return html`
  <div class="inference" role="group" aria-label=${NAMES[deduced.by]}>
    <span class="name">${NAMES[deduced.by]}</span>
    <span class="premises">${premises.join("   ")}</span>
    <span class="conclusion">${short(deduced.cost)} : ${written(search, deduced.item)}</span>
    <span class="rule">${deduced.by === "scan" ? `${deduced.clause}, a tag of the word` : deduced.clause}</span>
  </div>
  <p class="hint">Cost: ${deduced.children.length ? `${sum} = ` : ""}${short(deduced.cost)}.
      ${" "}${byId("order").value === "astar" ? `The relaxation's bound: no parse with it costs less than ${short(deduced.bound)}.`
        : "The agenda is in the order of costs."}</p>`;
}

/** Return the cost of a popped item. */
const costOf = ({ pops }, item) => pops.findLast(
  ({ popped }, i) => i < step && popped.item === item).popped.cost;

function List({ title, search, rows, empty }) {
  const isGuided = byId("order").value === "astar";
  const columns = ["item", "#cost", ...(isGuided ? ["#bound"] : []), "rule"];
  const cells = (one) => [
    written(search, one.item), short(one.cost), ...(isGuided ? [short(one.bound)] : []),
    one.by === "scan" ? "Scan" : one.clause];
  return html`<section class="items"><h2>${title}: ${rows.length}</h2>
    ${rows.length ? html`<div class="scroll" role="region" aria-label=${title} tabindex="0">
      <${Table} columns=${columns} rows=${rows.map(cells)} /></div>` : html`<p class="hint">${empty}</p>`}
  </section>`;
}

/** Return an item as in figure 2: [VP_2, ⟨⟨0,1⟩, ⟨3,4⟩⟩]. */
function written({ items }, number) {
  const { symbol, ranges } = items[number];
  return `[${symbol}, ⟨${ranges.map(([left, right]) => `⟨${left},${right}⟩`).join(", ")}⟩]`;
}
