// The tabs, their fields, and the address of what they show: #tab?field=value&…, without default
// values. Arrow keys change tabs; Back and Forward go through what was shown.

import { byId, optionValues, roving } from "./dom.js";
import { Panel } from "./panel.js";

const buttons = [...document.querySelectorAll("[role=tab]")];
const SENTENCE = ["text", "tagged", "tokenize"]; // its fields, in all tabs that have one
export let activeTab = null; // the tab in sight
let sentenceTab = null; // the last active tab with a sentence
let isReplacing = false;

export class Tab extends Panel {
  /** `first` has the default values of what it shows besides its fields. `open` is called when the
   * user opens it, `useModel` after a change of the model, `visit` with the values of an address.
   * It `needs` a capability of the model; `keys` are the actions of some keys. */
  constructor(name, { first, open, useModel, visit, needs, keys, hasModel = true, ...asking }) {
    super(name, asking);
    Object.assign(this, { name, first, open, useModel, visit, needs, keys });
    this.shown = { ...first };
    this.shownAddress = null; // the address of what it shows
    this.button = byId(`${name}-tab`);
    const fields = document.querySelectorAll(`${hasModel ? "#model," : ""} #${name} [name]`);
    this.fields = Object.fromEntries([...fields].map((field) => [field.name, field]));
    this.main = this.fields.query ?? this.fields.lhs ?? this.fields.text;
  }

  /** Return the values of some fields, as the API wants them. */
  values(...names) {
    return Object.fromEntries(names.map((name) => [name, valueOf(this.fields[name])]));
  }

  /** Note what the tab shows now: its fields and other values. */
  note(values = {}) {
    Object.assign(this.shown, values);
    this.shownAddress = this.address(this.shown);
    if (activeTab === this) this.enter(this.shownAddress);
  }

  /** Set fields and other values to those of an address, or to the defaults. */
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
    activeTab = this;
    if (this.fields.tagged) sentenceTab = this;
    byId("guide").href = `/guide/page#${this.name}`;
    if (action) withoutHistory(action);
    else this.enter(this.shownAddress ?? this.address({}));
  }

  /** Take over the sentence of another tab; return whether it differs. */
  takeSentence() {
    const before = sentenceTab?.fields;
    const isOther = before?.text.value && this.fields.tagged
      && SENTENCE.some((name) => textOf(this.fields[name]) !== textOf(before[name]));
    if (isOther) for (const name of SENTENCE) fill(this.fields[name], textOf(before[name]));
    return isOther;
  }

  /** Set the address and the title of the window. */
  enter(hash) {
    const subject = this.shown.sentence || this.main?.value;
    document.title = [subject, this.button.textContent, "plcfrs"].filter(Boolean).join(" - ");
    if (location.hash === hash) return;
    if (isReplacing) history.replaceState(null, "", hash);
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

const touched = new Set(); // the tabs where the user has typed
document.addEventListener("input", ({ target }) => {
  if (target.name) touched.add(target.closest("[role=tabpanel]")?.id);
});
window.addEventListener("serverback", (event) => {
  const isNoted = location.hash === activeTab.address(activeTab.shown);
  if ([...touched].some((name) => name !== activeTab.name || !isNoted)) event.preventDefault();
});

/** Run an action without a new step of history: new addresses replace the current one. */
export function withoutHistory(action) {
  isReplacing = true;
  try {
    action();
  } finally {
    isReplacing = false;
  }
}

/** Return the name of the tab that the address names, and its values. */
export function addressed() {
  const [name, query = ""] = location.hash.slice(1).split("?");
  return { name, values: Object.fromEntries(new URLSearchParams(query)) };
}

/** Set a field to a value of an address, or to its default. */
export function fill(field, value = firstOf(field)) {
  if (field.options && value && !optionValues(field).includes(value)) {
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
  return field.options ? optionValues(field)[0] ?? "" : field.defaultValue;
}

/** Start some of the tabs. `prepare` is called before the user opens a tab, and `visit` shows the
 * values of an address in a tab. */
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
    tab.arrive(() => tab.shownAddress === location.hash || tab.attempt(() => visit(tab, values)));
  };
  window.addEventListener("popstate", showAddressed);
  showAddressed();
}
