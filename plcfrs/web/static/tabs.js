// The tabs: arrow keys change them, and the address shows the present tab.

import { byId, roving } from "./dom.js";

const NAMES = ["parse", "grammar", "treebank"];
const tabs = NAMES.map((name) => byId(`${name}-tab`));

export function showTab(name) {
  for (const one of NAMES) {
    const shown = one === name;
    byId(one).hidden = !shown;
    byId(`${one}-tab`).setAttribute("aria-selected", String(shown));
    byId(`${one}-tab`).setAttribute("tabindex", shown ? "0" : "-1");
  }
  if (location.hash !== `#${name}`) history.replaceState(null, "", `#${name}`);
}

export function startTabs() {
  roving(tabs, (tab, key) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
    return step && tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
  });
  tabs.forEach((tab, i) => tab.addEventListener("focus", () => showTab(NAMES[i])));
  tabs.forEach((tab, i) => tab.addEventListener("click", () => showTab(NAMES[i])));
  window.addEventListener("hashchange", showAddressed);
  showAddressed();
}

function showAddressed() {
  const name = location.hash.slice(1);
  showTab(NAMES.includes(name) ? name : NAMES[0]);
}
