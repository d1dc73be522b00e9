// The tabs: what their fields say, and the address of what they show: #tab?field=value&…, without
// first values. Arrow keys change tabs, Back and Forward go through what they showed.

import { Asking } from "./asking.js";
import { byId, offered, roving } from "./dom.js";

const buttons = [...document.querySelectorAll("[role=tab]")];
const SENTENCE = ["text", "tagged", "tokenize"]; // its fields, in all tabs that have one
export let present = null; // the tab in sight
let speaking = null; // the last one with a sentence
let visiting = false;

export class Tab extends Asking {
  /** `first` are the first values of what it shows besides its fields. `open` is called when a user
   * opens it, `useModel` with another model, `visit` with the values of an address. What it shows
   * `needs` a capability of the model; `keys` are what some keys do. */
  constructor(name, { first, open, useModel, visit, needs, keys, hasModel = true, ...asking }) {
    super(name, asking);
    Object.assign(this, { name, first, open, useModel, visit, needs, keys });
    this.shown = { ...first };
    this.known = null; // the address of what it shows
    this.button = byId(`${name}-tab`);
    const fields = document.querySelectorAll(`${hasModel ? "#model," : ""} #${name} [name]`);
    this.fields = Object.fromEntries([...fields].map((field) => [field.name, field]));
    this.main = this.fields.query ?? this.fields.lhs ?? this.fields.text; // what one types first
  }

  /** Return the values of some fields, as the API wants them. */
  values(...names) {
    return Object.fromEntries(names.map((name) => [name, valueOf(this.fields[name])]));
  }

  /** Note what the tab shows now: its fields and other values. */
  note(values = {}) {
    Object.assign(this.shown, values);
    this.known = this.address(this.shown);
    if (present === this) this.enter(this.known);
  }

  /** Let fields and other values be those of an address, or the first ones. */
  restore(values) {
    for (const [name, field] of Object.entries(this.fields)) fill(field, values[name]);
    for (const [name, first] of Object.entries(this.first)) {
      const value = values[name] ?? first;
      this.shown[name] = typeof first === "number" ? Number(value) || 0 : value;
    }
  }

  /** Show the tab; with an action, do something that an address asks for. */
  arrive(action = null) {
    for (const button of buttons) {
      const isShown = button === this.button;
      byId(button.getAttribute("aria-controls")).hidden = !isShown;
      button.setAttribute("aria-selected", String(isShown));
      button.setAttribute("tabindex", isShown ? "0" : "-1");
    }
    present = this;
    if (this.fields.tagged) speaking = this;
    byId("guide").href = `/guide/page#${this.name}`;
    if (action) quietly(action);
    else this.enter(this.known ?? this.address({}));
  }

  /** Take over the sentence of another tab; return whether it is another one. */
  takeSentence() {
    const before = speaking?.fields;
    const isOther = before?.text.value && this.fields.tagged
      && SENTENCE.some((name) => textOf(this.fields[name]) !== textOf(before[name]));
    if (isOther) for (const name of SENTENCE) fill(this.fields[name], textOf(before[name]));
    return isOther;
  }

  /** Let the window have an address, and a title. */
  enter(hash) {
    const subject = this.main?.value;
    document.title = [subject, this.button.textContent, "plcfrs"].filter(Boolean).join(" - ");
    if (location.hash === hash) return;
    if (visiting) history.replaceState(null, "", hash);
    else history.pushState(null, "", hash);
  }

  address(shown) {
    const changed = Object.entries(this.fields).filter(([, one]) => textOf(one) !== firstOf(one));
    const query = new URLSearchParams([
      ...changed.map(([name, field]) => [name, textOf(field)]),
      ...Object.entries(shown).filter(([name, value]) => value !== this.first[name])]);
    return query.size ? `#${this.name}?${query}` : `#${this.name}`;
  }
}

const touched = new Set(); // the tabs where one has typed
document.addEventListener("input", ({ target }) => {
  if (target.name) touched.add(target.closest("[role=tabpanel]")?.id);
});
window.addEventListener("serverback", (event) => {
  const isNoted = location.hash === present.address(present.shown);
  if ([...touched].some((name) => name !== present.name || !isNoted)) event.preventDefault();
});

/** Let what is noted replace the address of now: Back does not lead there. */
export function quietly(action) {
  visiting = true;
  try {
    action();
  } finally {
    visiting = false;
  }
}

/** Return the name of the tab that the address names, and its values. */
export function addressed() {
  const [name, query = ""] = location.hash.slice(1).split("?");
  return { name, values: Object.fromEntries(new URLSearchParams(query)) };
}

/** Give a field a value of an address, or its first one. */
export function fill(field, value = firstOf(field)) {
  if (field.options && value && !offered(field).includes(value)) {
    throw new Error(`This server does not have ${value}, which the address names.`);
  }
  if (field.type === "checkbox") field.checked = value === "true";
  else field.value = value;
}

function valueOf(field) {
  if (field.type === "checkbox") return field.checked;
  return field.type === "number" ? Number(field.value) || null : field.value;
}

const textOf = (field) => (field.type === "checkbox" ? String(field.checked) : field.value);

function firstOf(field) {
  if (field.type === "checkbox") return String(field.defaultChecked);
  return field.options ? offered(field)[0] ?? "" : field.defaultValue;
}

/** Start some of the tabs; `prepare` is called before a user opens one, and `visit` lets a tab show
 * the values of an address. */
export function startTabs(tabs, visit, prepare = () => {}) {
  const started = tabs.map((tab) => tab.button);
  for (const button of buttons) button.hidden = !started.includes(button);
  roving(started, (button) => {
    const near = (step) => started.at((started.indexOf(button) + step) % started.length);
    return { ArrowLeft: near(-1), ArrowRight: near(1) };
  });
  for (const tab of tabs) {
    for (const event of ["focus", "click"]) {
      tab.button.addEventListener(event, () => {
        prepare(tab);
        tab.open?.();
        tab.arrive();
      });
    }
  }
  const showAddressed = () => {
    const { name, values } = addressed();
    const tab = tabs.find((one) => one.name === name) ?? tabs[0];
    tab.arrive(() => tab.known === location.hash || tab.attempt(() => visit(tab, values)));
  };
  window.addEventListener("popstate", showAddressed);
  showAddressed();
}
