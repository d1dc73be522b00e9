// The page: the first tab, then the others, and the model that all of them use.

import { get } from "./api.js";
import { byId, on, options, say } from "./dom.js";
import { can, showExamples, use, used } from "./model.js";
import { parseAgain, parseSentence, tab as parseTab } from "./parse.js";
import { startShortcuts } from "./shortcuts.js";
import { addressed, fill, present, startTabs } from "./tab.js";

const PATIENCE = 300; // milliseconds, in which the first picture usually comes
let tabs = [parseTab]; // those that are loaded

async function start() {
  const { models, limits } = await get("models");
  await (models.length ? startModels(models, limits) : startWithoutModel());
  startShortcuts();
  document.body.dataset.ready = "yes";
}

async function startModels(all, limits) {
  options(byId("model"), all.map((model) => model.name), Object.fromEntries(
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
    present?.open?.();
    present?.arrive();
  });
  byId("text").focus();
  const pause = new Promise((resolve) => setTimeout(resolve, PATIENCE));
  await Promise.race([showFirst(), pause]); // the first picture comes first
  const { others } = await import("./others.js");
  tabs = [parseTab, ...others];
  for (const tab of others) tab.useModel?.();
  // What was typed stays.
  if (["", "#parse"].includes(location.hash)) parseTab.arrive(() => parseTab.note());
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
    // Only some models can do what the tab shows; other tabs go on with the one before.
    const name = tab.needs ? !can(tab.needs) && ableTo(tab.needs) : before;
    before = tab.needs ? before ?? used.model.name : null;
    if (name && name !== used.model.name) {
      byId("model").value = name;
      useChosen();
    }
    if ((!tab.needs || can(tab.needs)) && tab.takeSentence()) tab.submit();
  });
}

/** Parse the first example, unless the address asks for something. */
async function showFirst() {
  const [first] = await used.examples;
  const { name, values } = addressed();
  const isElsewhere = name !== "parse" && byId(`${name}-tab`);
  if (!first || isElsewhere || Object.keys(values).length || byId("text").value) return;
  let parsed;
  parseTab.arrive(() => { parsed = parseSentence(first.text, first.tagged); });
  byId("text").select(); // typing replaces it
  await parsed;
}

async function startWithoutModel() {
  byId("model").parentElement.hidden = true;
  const { others } = await import("./others.js");
  startTabs(others.filter((tab) => ["treebank", "compare", "draw"].includes(tab.name)),
    (tab, values) => tab.visit(values));
}

start().catch((error) => say(byId("parse-error"), error.message));
