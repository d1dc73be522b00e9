// The tabs: arrow keys change them, and the address shows the present tab.

import { byId, roving } from "./dom.js";

let names = ["parse", "grammar", "treebank"];

export function showTab(name) {
  for (const one of names) {
    const shown = one === name;
    byId(one).hidden = !shown;
    byId(`${one}-tab`).setAttribute("aria-selected", String(shown));
    byId(`${one}-tab`).setAttribute("tabindex", shown ? "0" : "-1");
  }
  if (location.hash !== `#${name}`) history.replaceState(null, "", `#${name}`);
}

/** Start the tabs; only some of them if the server has no model. */
export function startTabs(shown = names) {
  for (const name of names) byId(`${name}-tab`).hidden = !shown.includes(name);
  for (const name of names) byId(name).hidden = true;
  names = shown;
  const tabs = names.map((name) => byId(`${name}-tab`));
  roving(tabs, (tab, key) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
    return step && tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
  });
  tabs.forEach((tab, i) => tab.addEventListener("focus", () => showTab(names[i])));
  tabs.forEach((tab, i) => tab.addEventListener("click", () => showTab(names[i])));
  window.addEventListener("hashchange", showAddressed);
  showAddressed();
}

function showAddressed() {
  const name = location.hash.slice(1);
  showTab(names.includes(name) ? name : names[0]);
}
