// The address of what is shown: #tab?field=value&…, without fields that have their first values.

import { byId } from "./dom.js";

const FIELDS = {
  parse: {
    model: "model", text: "text", tagged: "tagged", tokenize: "tokenize", strategy: "strategy", objective: "objective",
    fallback: "fallback", nbest: "nbest", posteriors: "posteriors", beside: "beside",
  },
  surprisal: {
    model: "model", text: "surprisal-text", tagged: "surprisal-tagged", tokenize: "surprisal-tokenize",
    analyses: "analyses", series: "series",
  },
  grammar: {
    model: "model", lhs: "lhs", rhs: "rhs", fan_out: "fan-out", text: "rule-text", sort: "sort",
    restored: "restored", symbol: "symbol", other: "other", change: "change", change_sort: "change-sort",
  },
  errors: {
    model: "model", gold: "gold", transform: "gold-traces", parses: "parses-of", first: "first",
    own_tags: "own-tags", settings: "settings",
  },
  teach: { model: "model", text: "teach-text", tagged: "teach-tagged", order: "order" },
  treebank: { treebank: "treebanks", query: "query", transform: "transform" },
};
const known = {};
let present = "";
let visiting = false;

/** Note what a tab shows: its fields, and other values such as the number of the tree. */
export function remember(tab, values = {}) {
  known[tab] = address(tab, values);
  if (tab === present) enter(known[tab]);
}

/** Forget what a tab showed. */
export function forget(tab) {
  delete known[tab];
}

/** Make a tab the present one. */
export function arrive(tab) {
  present = tab;
  enter(known[tab] ?? address(tab));
}

/** Let the address have the fields of the present tab as they are now, unless it notes something. */
export function renew() {
  if (present) arrive(present);
}

/** Return the tab that the address names, its values, and whether the tab shows them already. */
export function addressed() {
  const [tab, query = ""] = location.hash.slice(1).split("?");
  return { tab, values: Object.fromEntries(new URLSearchParams(query)), shown: known[tab] === location.hash };
}

/** Do something that an address asks for: it makes no new one. */
export function visit(tab, action) {
  present = tab;
  quietly(action);
}

/** Let what is noted replace the address of now: Back does not lead there. */
export function quietly(action) {
  visiting = true;
  try {
    action();
  } finally {
    visiting = false;
  }
}

/** Give a field of a tab its value, or its first one; return whether it has changed. */
export function fill(tab, name, value) {
  const field = byId(FIELDS[tab][name]);
  const before = current(field);
  if (field.type === "checkbox") field.checked = value === "true";
  else if (field.options) choose(field, value);
  else field.value = value ?? field.defaultValue;
  return current(field) !== before;
}

/** Give all fields of a tab their values. */
export function fillAll(tab, values) {
  for (const name of Object.keys(FIELDS[tab])) fill(tab, name, values[name]);
}

function choose(select, value) {
  select.selectedIndex = 0;
  if (value === undefined) return;
  if (![...select.options].some((option) => option.value === value)) {
    throw new Error(`The address names ${value}, which this server does not have.`);
  }
  select.value = value;
}

function current(field) {
  return field.type === "checkbox" ? String(field.checked) : field.value;
}

function first(field) {
  if (field.type === "checkbox") return "false";
  return field.options ? field.options[0]?.value ?? "" : field.defaultValue;
}

function address(tab, values = {}) {
  const fields = Object.entries(FIELDS[tab]).map(([name, id]) => [name, byId(id)]);
  const changed = fields.filter(([, field]) => current(field) !== first(field));
  const query = new URLSearchParams([
    ...changed.map(([name, field]) => [name, current(field)]), ...Object.entries(values)]);
  return query.size ? `#${tab}?${query}` : `#${tab}`;
}

function enter(hash) {
  if (location.hash === hash) return;
  if (visiting) history.replaceState(null, "", hash);
  else history.pushState(null, "", hash);
}
