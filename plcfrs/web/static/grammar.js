// The second tab: rules of the grammar.

import { fillAll, forget, remember } from "./address.js";
import { attempt, rules } from "./api.js";
import { byId, counted, element, say, short, table } from "./dom.js";
import { showInspection, startInspection } from "./inspection.js";
import { Wait } from "./wait.js";

const PAGE = 50;
let model = null;
let offset = 0;
let wait = null;

export function startGrammar() {
  startInspection();
  wait = new Wait(byId("grammar-status").parentElement, "rules", byId("lhs"));
  byId("grammar-form").addEventListener("submit", (event) => {
    event.preventDefault();
    show(0);
  });
  byId("sort").addEventListener("change", () => show(0));
  byId("grammar-tab").addEventListener("click", showOnce);
  byId("grammar-tab").addEventListener("focus", showOnce);
  byId("fewer-rules").addEventListener("click", () => show(offset - PAGE));
  byId("more-rules").addEventListener("click", () => show(offset + PAGE));
}

export function useModel(chosen) {
  model = chosen;
  const hasRules = model.rules !== null;
  for (const one of byId("grammar").children) {
    if (!["figures", "inspection"].includes(one.id)) one.classList.toggle("absent", !hasRules);
  }
  const figures = [
    ...(hasRules ? [`${model.rules} rules`, `${model.symbols} symbols`, `fan-out ${model.fan_out}`] : []),
    `${model.words} words`, ...Object.entries(model.options).map((pair) => pair.join(": ")),
  ];
  byId("figures").textContent = `${model.name}, ${model.title}: ${figures.join(", ")}`;
  byId("rules").replaceChildren();
  forget("grammar");
  byId("symbol").value = "";
  byId("inspected").replaceChildren();
  if (!byId("grammar").hidden) showOnce();
}

/** Show the rules of an address. */
export function visit(values) {
  fillAll("grammar", values);
  if (model.rules !== null) show(Number(values.offset ?? 0));
  showInspection(model);
}

function showOnce() {
  if (model.rules !== null && !byId("rules").firstChild) show(0);
  if (!byId("inspected").firstChild) showInspection(model);
}

async function show(first) {
  const wanted = {
    model: model.name,
    lhs: byId("lhs").value,
    rhs: byId("rhs").value,
    text: byId("rule-text").value,
    sort: byId("sort").value,
    offset: Math.max(first, 0),
    limit: PAGE,
  };
  remember("grammar", wanted.offset ? { offset: wanted.offset } : {});
  if (byId("fan-out").value) wanted.fan_out = byId("fan-out").value;
  const refuse = (message) => {
    say(byId("grammar-error"), message);
    if (!message) return;
    byId("grammar-pages").hidden = true;
    byId("grammar-status").textContent = "";
    byId("rules").replaceChildren();
  };
  await attempt(byId("grammar"), refuse, async () => {
    offset = wanted.offset;
    showRules(await wait.until(rules(wanted), "Searching …"));
  });
}

function showRules({ total, rules: found }) {
  const last = offset + found.length;
  const range = found.length ? `, ${offset + 1} to ${last} shown` : "";
  byId("grammar-status").textContent = `${counted(total, "rule")}${range}`;
  byId("grammar-pages").hidden = total <= PAGE;
  byId("fewer-rules").disabled = offset === 0;
  byId("more-rules").disabled = last >= total;
  byId("rules").replaceChildren(found.length ? table(
    ["#count", "#probability", "#cost", "rule", "as in the file", "#complexity"],
    found.map((one) => [
      short(one.count), short(one.probability), short(one.cost), described(one),
      element("span", { class: "rule" }, one.rule), String(one.complexity),
    ])) : element("p", {}, "No such rules."));
}

function described(one) {
  const examples = one.examples.map((example) => element("div", { class: "example" }, example));
  return element("div", {}, element("span", { class: "rule" }, one.clause), ...examples);
}
