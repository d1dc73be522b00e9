// The page: tabs, and the model that all of them use.

import { fill, visit } from "./address.js";
import { models } from "./api.js";
import { byId, options, say } from "./dom.js";
import { showExamples } from "./examples.js";
import { scoreAgain, startErrors, useModel as useErrors, visit as visitErrors } from "./errors.js";
import { startGrammar, useModel as useGrammar, visit as visitGrammar } from "./grammar.js";
import {
  parseAgain, parseSentence, startParsing, useModel as useParser, visit as visitParse,
} from "./parse.js";
import {
  readSentence, startSurprisal, useModel as useReader, visit as visitSurprisal,
} from "./surprisal.js";
import { startTeaching, useModel as useTeacher, visit as visitTeaching } from "./teach.js";
import { startTabs } from "./tabs.js";
import { listTreebanks, startTreebanks, visit as visitTreebank } from "./treebank.js";

async function start() {
  const explained = startTreebanks();
  startErrors();
  const [{ models: found, limits }] = await Promise.all([models(), listTreebanks(), explained]);
  if (found.length) await startModels(found, limits);
  else startWithoutModel();
  document.body.dataset.ready = "yes";
}

async function startModels(found, limits) {
  options(byId("model"), found.map((model) => model.name));
  let examples;
  const use = () => {
    const chosen = found[byId("model").selectedIndex];
    useParser(chosen, limits, found);
    useGrammar(chosen, found);
    useErrors(chosen);
    examples = showExamples(chosen, { examples: parseSentence, "surprisal-examples": readSentence });
    useReader(chosen, limits, examples);
    useTeacher(chosen, examples);
  };
  const withModel = (tab, show) => (values) => {
    if (fill(tab, "model", values.model)) use();
    show(values);
  };
  startParsing();
  startSurprisal();
  startGrammar();
  startTeaching();
  byId("model").addEventListener("change", () => {
    use();
    parseAgain();
    if (!byId("errors").hidden) scoreAgain();
  });
  use();
  startTabs({
    parse: withModel("parse", visitParse),
    surprisal: withModel("surprisal", visitSurprisal),
    grammar: withModel("grammar", visitGrammar),
    treebank: visitTreebank,
    errors: withModel("errors", visitErrors),
    teach: withModel("teach", visitTeaching),
  });
  await showFirst(examples);
  byId("text").focus();
}

/** Parse the first example, unless the address asks for something. */
async function showFirst(examples) {
  const [first] = await examples;
  if (!first || byId("parse").hidden || location.hash.includes("?") || byId("text").value) return;
  visit("parse", () => parseSentence(first.text, first.tagged));
  byId("text").select(); // typing replaces it
}

/** Serve only treebanks. */
function startWithoutModel() {
  byId("model").parentElement.hidden = true;
  startTabs({ treebank: visitTreebank, errors: visitErrors });
}

start().catch((error) => say(byId("parse-error"), error.message));
