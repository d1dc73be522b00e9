// The page: the first tab, then the others, and the model that all of them use.

import { addressed, fill, remember, renew, visit } from "./address.js";
import { models } from "./api.js";
import { byId, options, say } from "./dom.js";
import { findExamples, showExamples } from "./examples.js";
import { parseAgain, parseSentence, startParsing, useModel, visit as visitParse } from "./parse.js";
import { startTabs } from "./tabs.js";

const PATIENCE = 300; // milliseconds, in which the first picture usually comes
let others = null; // the other tabs, once they are loaded

async function start() {
  const { models: all, limits } = await models();
  if (all.length) await startModels(all, limits);
  else await startWithoutModel();
  document.body.dataset.ready = "yes";
}

async function startModels(all, limits) {
  options(byId("model"), all.map((model) => model.name));
  let used = null; // the chosen model, of which models, within which limits, and its examples
  const use = () => {
    const model = all[byId("model").selectedIndex];
    used = { model, all, limits, examples: findExamples(model) };
    useModel(used);
    others?.useModel(used);
    return showExamples(used.examples, byId("examples"), parseSentence);
  };
  const withModel = (tab, show) => (values) => {
    if (fill(tab, "model", values.model)) {
      use();
      if (tab !== "parse") parseAgain();
    }
    show(values);
  };
  startParsing();
  byId("model").addEventListener("change", () => {
    use();
    parseAgain();
    if (!byId("errors").hidden) others?.scoreAgain();
    renew();
  });
  byId("text").focus();
  await Promise.race([showFirst(use()), pause(PATIENCE)]); // the first picture comes first
  await loadOthers();
  others.useModel(used);
  if (["", "#parse"].includes(location.hash)) visit("parse", () => remember("parse")); // what was typed stays
  startTabs({
    parse: withModel("parse", visitParse),
    surprisal: withModel("surprisal", others.visitSurprisal),
    grammar: withModel("grammar", others.visitGrammar),
    treebank: others.visitTreebank,
    errors: withModel("errors", others.visitErrors),
    teach: withModel("teach", others.visitTeaching),
  });
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Parse the first of promised examples, unless the address asks for something. */
async function showFirst(examples) {
  const [first] = await examples;
  const { tab, values } = addressed();
  const isElsewhere = tab !== "parse" && document.getElementById(`${tab}-tab`);
  if (!first || isElsewhere || Object.keys(values).length || byId("text").value) return;
  let parsed;
  visit("parse", () => { parsed = parseSentence(first.text, first.tagged); });
  byId("text").select(); // typing replaces it
  await parsed;
}

/** Load the other tabs: the first picture does not wait for them. */
async function loadOthers() {
  const loaded = await import("./others.js");
  await loaded.start();
  others = loaded;
}

/** Serve only treebanks. */
async function startWithoutModel() {
  byId("model").parentElement.hidden = true;
  await loadOthers();
  startTabs({ treebank: others.visitTreebank, errors: others.visitErrors });
}

start().catch((error) => say(byId("parse-error"), error.message));
