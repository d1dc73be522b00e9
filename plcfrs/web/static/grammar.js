// The tab of the grammar: its rules, the sentences of a rule, the differences between two grammars,
// and a description of the model.

import { get, link, stop } from "./api.js";
import { html, PAGE, Pages, Table } from "./components.js";
import { byId, counted, optionValues, on, setOptions, short } from "./dom.js";
import { session } from "./model.js";
import { Panel } from "./panel.js";
import { Tab } from "./tab.js";

export const tab = new Tab("grammar", {
  first: { offset: 0, rule: "", treebank: "", from: 0 }, // from: the first sentence
  open, useModel, visit, place: "rules", kinds: ["rules"], focus: "lhs",
});
const using = new Panel("uses", {
  place: "uses-list", kinds: ["rules/uses"], focus: "uses-treebank" });
const comparing = new Panel("changes", { place: "changes-list" });
const inspecting = new Panel("inspection", { place: "inspected" });
const { fields, shown } = tab;

on("grammar-form", "submit", () => show());
on("sort restored", "change", () => show());
on("uses-treebank", "change", ({ target }) => showUses(shown.rule, target.value));
on("other change change-sort", "change", () => showChanges());
on("symbol-form", "submit", inspect);

function useModel() {
  const { model, all } = session;
  const hasRules = model.rules !== null;
  byId("grammar").classList.toggle("without-rules", !hasRules);
  const figures = [
    hasRules && `${model.rules} rules, ${model.symbols} symbols, fan-out ${model.fan_out}`,
    `${model.words} words`, ...Object.entries(model.options).map((pair) => pair.join(": ")),
  ].filter(Boolean);
  byId("figures").textContent = `${model.name}, ${model.title}: ${figures.join(", ")}`;
  stop("rules", "rules/uses", "rules/changes", "inspection");
  const others = all.filter((one) => one !== model && one.rules !== null).map((one) => one.name);
  setOptions(fields.other, ["", ...others], { "": "nothing" }, null);
  fields.symbol.value = "";
  for (const part of [tab, comparing, inspecting]) part.draw(null);
  comparing.say("");
  hideUses();
  tab.shownAddress = null;
}

function visit(values) {
  tab.restore(values);
  const { offset, rule, treebank, from } = shown;
  if (session.model.rules !== null) {
    show(offset);
    if (rule) showUses(rule, treebank, from);
    showChanges();
  }
  inspect();
}

function open() {
  if (session.model.rules !== null && !tab.shownAddress) show();
  if (!byId("inspected").firstChild) inspect();
}

function show(first = 0) {
  const offset = Math.max(first, 0);
  const wanted = tab.values("model", "lhs", "rhs", "fan_out", "text", "sort", "restored");
  hideUses();
  tab.note({ ...tab.first, offset });
  tab.attempt(async () => {
    const { total, rules } = await tab.until(
      get("rules", { ...wanted, offset, limit: PAGE }), "Searching …");
    tab.draw(html`<${Rules} ...${{ total, rules, offset, wanted }} />`);
  });
}

const Rules = ({ total, rules, offset, wanted }) => html`
  <${Pages} total=${total} noun="rule" offset=${offset} shown=${rules.length} go=${show}>
    <a href=${link("rules.yaml", wanted)} download=${`${wanted.model}.yaml`}>Download as YAML</a>
  <//>
  ${rules.length ? html`<p class="hint">Choose a rule to see its sentences.</p>
    <${Table} box="scroll long" label="Rules" rows=${rules}
      order=${{ by: wanted.sort, sort: (key) => { fields.sort.value = key; show(); } }} columns=${[
        ["rule", (one) => html`<${Rule} ...${one} />`],
        ["#count", (one) => short(one.count), "count"],
        ["#probability", (one) => short(one.probability), "prob"],
        ["#cost", (one) => short(one.cost)], ["#fan-out", "fan_out", "fan-out"],
        ["#rank", "rank", "rank"], ["#complexity", "complexity", "complexity"],
        ["as in the file", (one) => html`<span class="rule">${one.rule}</span>`],
      ]} />` : html`<p>No rules found.</p>`}`;

/** A rule that links to its sentences, and its examples in the grammar. */
const Rule = ({ rule, clause, examples }) => html`
  <button type="button" class="rule" aria-label=${`Sentences with ${clause}`}
    onClick=${() => showUses(rule)}>${clause}</button>
  ${examples.map((example) => html`<div class="example">${example}</div>`)}`;

function hideUses() {
  byId("uses").hidden = true;
  using.draw(null);
}

/** List the sentences of a rule in a treebank, by default the chosen one. */
function showUses(rule, chosen = "", from = 0) {
  const isNew = byId("uses").hidden || shown.rule !== rule;
  const treebank = chosen || byId("treebanks").value;
  byId("uses").hidden = false;
  byId("uses-rule").textContent = rule;
  setOptions(byId("uses-treebank"), optionValues(byId("treebanks")), {}, treebank);
  tab.note({ rule, treebank, from });
  using.attempt(async () => {
    if (!treebank) throw new Error("There is no treebank: open a file in the tab Treebank.");
    const wanted = { model: session.model.name, rule, treebank, offset: from, limit: PAGE };
    const found = await using.until(get("rules/uses", wanted), "Looking for it in the treebank …");
    using.draw(html`<${Uses} ...${found} />`);
    if (!isNew) return;
    (byId("uses-list").querySelector("tbody tr") ?? byId("uses-treebank")).focus();
    byId("uses-title").scrollIntoView();
  });
}

const Uses = ({ total, trees, uses }) => html`
  <${Pages} total=${total} noun="use" offset=${shown.from} shown=${uses.length}
    go=${(from) => showUses(shown.rule, shown.treebank, from)}>
    <span class="hint">in ${counted(trees, "tree")}</span>
  <//>
  ${uses.length > 0 && html`<${Table} box="scroll context" rows=${uses} act=${showTree} columns=${[
    ["sentence", "id"], ["label", "label"], ["#before", "before"],
    ["words", (use) => html`<mark>${use.words}</mark>`], ["after", "after"],
  ]} />`}`;

/** Show a tree in its tab, with the constituent marked. */
function showTree({ number, marked }) {
  const values = { treebank: shown.treebank, transform: true, tree: number, marked };
  location.hash = `treebank?${new URLSearchParams(values)}`;
}

/** Show the differences from another grammar, as plcfrs inspect --diff does. */
function showChanges(offset = 0) {
  const { model, other, change: kind, change_sort: sort } = tab.values(
    "model", "other", "change", "change_sort");
  tab.note();
  if (!other) return comparing.draw(null);
  setOptions(fields.change, optionValues(fields.change), {
    changed: "probabilities that differ",
    appeared: `only in ${model}`,
    disappeared: `only in ${other}`,
  });
  return comparing.attempt(async () => {
    const found = await get("rules/changes", { model, other, kind, sort, offset, limit: PAGE });
    comparing.draw(html`<${Changes} ...${{ found, kind, offset, model, other }} />`);
  });
}

const Changes = ({ found, kind, offset, model, other }) => html`
  <p class="hint">From ${other} to ${model}, before binarization: ${found.changed} rules change
    their probability, ${found.appeared} appear, ${found.disappeared} disappear,
    ${" "}${found.unchanged} stay the same.
    ${" "}${symbols(found.new_symbols, "appear")} ${symbols(found.lost_symbols, "disappear")}
    ${" "}${counted(found.new_words, "word")} appear, ${found.lost_words} disappear.</p>
  <${Pages} total=${found[kind]} noun="rule" offset=${offset} shown=${found.changes.length}
    go=${showChanges} />
  <div class="columns">
    ${found.changes.length > 0 && html`
      <${Table} box="scroll long" label="Changes" rows=${found.changes} columns=${[
        ["rule", (one) => html`<span class="rule">${one.clause}</span>`],
        ["#from", (one) => short(one.before)], ["#to", (one) => short(one.after)],
        ["#change", (one) => `${one.change < 0 ? "−" : "+"}${short(Math.abs(one.change))}`],
        ["#counts", (one) => `${short(one.count_before)} → ${short(one.count_after)}`],
      ]} />`}
    ${found.divergences.length > 0 && html`
      <${Table} box="scroll" rows=${found.divergences} columns=${[
        ["left-hand side", "symbol"], ["#change in bits", (one) => one.bits.toFixed(4)],
      ]} />`}
  </div>`;

const symbols = (names, what) => names.length > 0 && `${counted(names.length, "symbol")} ${what}: `
  + `${names.slice(0, 10).join(", ")}${names.length > 10 ? ", …" : ""}.`;

/** Describe the model besides its rules, as plcfrs inspect does. */
function inspect() {
  tab.note();
  inspecting.attempt(async () => {
    const { lines, substates } = await get("inspection", tab.values("model", "symbol"));
    byId("symbol-form").hidden = !substates;
    inspecting.draw(lines.join("\n"));
  });
}
