// The page: the first tab, then the others, and the model for all of them.

import { get } from "./api.js";
import { byId, on, say, setOptions } from "./dom.js";
import { can, session, showExamples, use } from "./model.js";
import { parseAgain, parseSentence, tab as parseTab } from "./parse.js";
import { activeTab, addressed, fill, startTabs } from "./tab.js";

const KEYS = {
  "/": () => activeTab.main?.focus(),
  "?": () => byId("shortcuts").showModal(),
};
const FIRST_PICTURE = 300; // milliseconds to wait for it before other tabs are loaded
let tabs = [parseTab]; // the loaded tabs

async function start() {
  const { models, limits, project } = await get("models");
  const first = project ? [(await import("./annotate.js")).tab] : [];
  await (models.length ? startModels(models, limits, first) : startWithoutModel(first));
  startShortcuts();
  document.body.dataset.ready = "yes";
}

/** Start with the tabs `first` before that of parses. */
async function startModels(all, limits, first) {
  setOptions(byId("model"), all.map((model) => model.name), Object.fromEntries(
    all.map(({ name, title }) => [name, `${name} – ${title}`])));
  const useChosen = () => {
    use(all[byId("model").selectedIndex], all, limits);
    for (const tab of tabs) tab.useModel?.();
    showExamples(byId("examples"), parseSentence);
  };
  useChosen();
  let before = null; // the model before a tab needed another one
  const ableTo = (needed) => all.find((model) => model.capabilities.includes(needed))?.name;
  on("model", "change", () => {
    before = null;
    useChosen();
    parseAgain();
    activeTab?.open?.();
    activeTab?.arrive();
  });
  byId("text").focus();
  const pause = new Promise((resolve) => setTimeout(resolve, FIRST_PICTURE));
  if (!first.length) await Promise.race([showFirst(), pause]);
  const { others } = await import("./other-tabs.js");
  tabs = [...first, parseTab, ...others];
  for (const tab of others) tab.useModel?.();
  // What was typed stays.
  if (location.hash === "#parse" || (!location.hash && !first.length)) parseTab.arrive(() => parseTab.note());
  startTabs(tabs, (tab, values) => {
    const earlier = byId("model").value;
    const { model = ableTo(tab.needs) } = values;
    if (model && !values.model) before ??= earlier;
    if (tab.fields.model) fill(tab.fields.model, model);
    if (byId("model").value !== earlier) {
      useChosen();
      if (tab !== parseTab) parseAgain();
    }
    tab.visit({ ...values, model });
  }, (tab) => {
    // Some tabs need a capability of the model; other tabs go on with the model before.
    const name = tab.needs ? !can(tab.needs) && ableTo(tab.needs) : before;
    before = tab.needs ? before ?? session.model.name : null;
    if (name && name !== session.model.name) {
      byId("model").value = name;
      useChosen();
    }
    if ((!tab.needs || can(tab.needs)) && tab.takeSentence()) tab.submit();
  });
}

/** Parse the first example, unless the address asks for something. */
async function showFirst() {
  const [first] = await session.examples;
  const { name, values } = addressed();
  const isElsewhere = name !== "parse" && byId(`${name}-tab`);
  if (!first || isElsewhere || Object.keys(values).length || byId("text").value) return;
  let parsed;
  parseTab.arrive(() => { parsed = parseSentence(first.text, first.tagged); });
  byId("text").select(); // typing replaces it
  await parsed;
}

async function startWithoutModel(first) {
  byId("model").parentElement.hidden = true;
  const { others } = await import("./other-tabs.js");
  const able = others.filter((tab) => ["treebank", "compare", "draw"].includes(tab.name));
  startTabs([...first, ...able], (tab, values) => tab.visit(values));
}

/** Start keys that work everywhere on the page except where one types. */
function startShortcuts() {
  on("skip", "click", (event) => {
    event.preventDefault(); // the address says what is shown
    byId("main").focus();
  });
  on("keys", "click", KEYS["?"]);
  document.addEventListener("keydown", (event) => {
    const { target, key, ctrlKey, metaKey, altKey } = event;
    const isElsewhere = document.querySelector("dialog[open]")
      || target.matches("input:not([type=checkbox], [type=radio]), textarea, select");
    const act = { ...KEYS, ...activeTab.keys }[key];
    if (!act || isElsewhere || ctrlKey || metaKey || altKey) return;
    event.preventDefault();
    act();
  });
}

start().catch((error) => say(byId("parse-error"), error.message));
