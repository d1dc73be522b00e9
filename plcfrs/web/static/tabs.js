// The tabs: arrow keys change them, Back and Forward go through what they showed.

import { addressed, arrive, visit } from "./address.js";
import { byId, roving, say } from "./dom.js";

let names = ["parse", "surprisal", "grammar", "treebank", "errors", "teach"];

/** Do something whenever a user opens a tab, with the keyboard or the mouse. */
export function whenOpened(name, action) {
  for (const event of ["focus", "click"]) byId(`${name}-tab`).addEventListener(event, action);
}

export function showTab(name) {
  display(name);
  arrive(name);
}

function display(name) {
  for (const one of names) {
    const shown = one === name;
    byId(one).hidden = !shown;
    byId(`${one}-tab`).setAttribute("aria-selected", String(shown));
    byId(`${one}-tab`).setAttribute("tabindex", shown ? "0" : "-1");
  }
}

/** Start some of the tabs; each has a function that shows the values of an address. */
export function startTabs(visitors) {
  for (const name of names.filter((one) => !(one in visitors))) {
    byId(name).hidden = true;
    byId(`${name}-tab`).hidden = true;
  }
  names = Object.keys(visitors);
  const tabs = names.map((name) => byId(`${name}-tab`));
  roving(tabs, (tab, key) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
    return step && tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
  });
  for (const name of names) whenOpened(name, () => showTab(name));
  window.addEventListener("popstate", () => showAddressed(visitors));
  showAddressed(visitors);
}

function showAddressed(visitors) {
  const { tab, values, shown } = addressed();
  const name = tab in visitors ? tab : names[0];
  display(name);
  visit(name, () => {
    if (shown) return;
    say(byId(`${name}-error`), "");
    try {
      visitors[name](values);
    } catch (error) {
      say(byId(`${name}-error`), error.message);
    }
  });
}
