// The tab of the grammar: rules of the grammar, and what else the model consists of.

import { fillAll, forget, remember } from "./address.js";
import { attempt, rules, rulesFile, stop } from "./api.js";
import { showChanges, startChanges, useModels } from "./changes.js";
import { html, Pages, render, Table } from "./components.js";
import { byId, say, short } from "./dom.js";
import { showInspection, startInspection } from "./inspection.js";
import { whenOpened } from "./tabs.js";
import { hideUses, showUses, startUses } from "./uses.js";
import { Wait } from "./wait.js";

const PAGE = 50;
const KEYS = {
  count: "count", probability: "prob", "fan-out": "fan-out", rank: "rank", complexity: "complexity",
};
const WITHOUT_RULES = ["figures", "inspection"];
let model = null;
let shown = {}; // what is shown besides the fields: the offset, the rule whose sentences are listed
let wait = null;

export function startGrammar() {
  for (const start of [startInspection, startUses, startChanges]) start(note);
  wait = new Wait(byId("rules"), "rules", byId("lhs"));
  byId("grammar-form").addEventListener("submit", (event) => {
    event.preventDefault();
    show(0);
  });
  for (const id of ["sort", "restored"]) byId(id).addEventListener("change", () => show(0));
  whenOpened("grammar", showOnce);
}

/** Use a model, one of several. */
export function useModel({ model: chosen, all }) {
  model = chosen;
  const hasRules = model.rules !== null;
  for (const one of byId("grammar").children) {
    if (!WITHOUT_RULES.includes(one.id)) one.classList.toggle("absent", !hasRules);
  }
  const figures = [
    ...(hasRules ? [`${model.rules} rules`, `${model.symbols} symbols`, `fan-out ${model.fan_out}`] : []),
    `${model.words} words`, ...Object.entries(model.options).map((pair) => pair.join(": ")),
  ];
  byId("figures").textContent = `${model.name}, ${model.title}: ${figures.join(", ")}`;
  stop(["rules", "uses", "changes", "inspection"]);
  useModels(model, all);
  forget("grammar");
  byId("symbol").value = "";
  clear();
  byId("inspected").replaceChildren();
  if (!byId("grammar").hidden) showOnce();
}

/** Show the rules of an address. */
export function visit(values) {
  fillAll("grammar", values);
  const { offset, rule, treebank, from } = values;
  if (model.rules !== null) {
    show(Number(offset ?? 0));
    if (rule) showUses(model, { rule, treebank, from: Number(from ?? 0) });
    showChanges(model);
  }
  showInspection(model);
}

function showOnce() {
  if (model.rules !== null && shown.offset === undefined) show(0);
  if (!byId("inspected").firstChild) showInspection(model);
}

/** Let the address have more values, or no longer those that are empty. */
function note(values) {
  shown = { ...shown, ...values };
  remember("grammar", Object.fromEntries(Object.entries(shown).filter(([, value]) => value)));
}

function clear() {
  render(null, byId("rules"));
  hideUses();
  shown = {};
}

async function show(first) {
  const offset = Math.max(first, 0);
  const wanted = {
    model: model.name, lhs: byId("lhs").value, rhs: byId("rhs").value, text: byId("rule-text").value,
    sort: byId("sort").value, restored: byId("restored").checked,
  };
  if (byId("fan-out").value) wanted.fan_out = byId("fan-out").value;
  hideUses();
  note({ offset, rule: "", treebank: "", from: 0 });
  const refuse = (message) => {
    say(byId("grammar-error"), message);
    if (message) render(null, byId("rules"));
  };
  await attempt(byId("grammar"), refuse, async () => {
    const found = await wait.until(rules({ ...wanted, offset, limit: PAGE }), "Searching …");
    render(html`<${Rules} found=${found} offset=${offset} wanted=${wanted} />`, byId("rules"));
  });
}

function sortBy(key) {
  byId("sort").value = key;
  show(0);
}

const Rules = ({ found: { total, rules: found }, offset, wanted }) => html`
  <${Pages} total=${total} noun="rule" offset=${offset} shown=${found.length} size=${PAGE} go=${show}>
    <a href=${rulesFile(wanted)} download=${`${model.name}.yaml`}>Download as YAML</a>
  <//>
  ${found.length ? html`<p class="hint">Choose a rule to see its sentences.</p>
    <div class="scroll long" role="region" aria-label="Rules" tabindex="0"><${Table}
    columns=${["rule", "#count", "#probability", "#cost", "#fan-out", "#rank", "#complexity", "as in the file"]}
    order=${{ keys: KEYS, by: byId("sort").value, sort: sortBy }}
    rows=${found.map((one) => [
      html`<${Rule} one=${one} />`,
      short(one.count), short(one.probability), short(one.cost), one.fan_out, one.rank, one.complexity,
      html`<span class="rule">${one.rule}</span>`])} /></div>` : html`<p>No such rules.</p>`}`;

/** A rule that leads to its sentences, and the examples that are in the grammar. */
const Rule = ({ one: { rule, clause, examples } }) => html`
  <button type="button" class="rule" aria-label=${`Sentences with ${clause}`}
    onClick=${() => showUses(model, { rule })}>${clause}</button>
  ${examples.map((example) => html`<div class="example">${example}</div>`)}`;
