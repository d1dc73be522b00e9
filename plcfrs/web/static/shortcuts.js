// Keys that work everywhere on the page but where one types.

import { byId, on } from "./dom.js";
import { present } from "./tab.js";

const KEYS = {
  "/": () => present.main?.focus(),
  "?": () => byId("shortcuts").showModal(),
};

export function startShortcuts() {
  on("skip", "click", (event) => {
    event.preventDefault(); // the address says what is shown
    byId("main").focus();
  });
  on("keys", "click", KEYS["?"]);
  document.addEventListener("keydown", (event) => {
    const { target, key, ctrlKey, metaKey, altKey } = event;
    const isElsewhere = document.querySelector("dialog[open]")
      || target.matches("input:not([type=checkbox], [type=radio]), textarea, select");
    const act = { ...KEYS, ...present.keys }[key];
    if (!act || isElsewhere || ctrlKey || metaKey || altKey) return;
    event.preventDefault();
    act();
  });
}
