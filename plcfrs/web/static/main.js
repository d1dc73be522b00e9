// The page: tabs, and the model that all of them use.

import { models } from "./api.js";
import { byId, options, say } from "./dom.js";
import { showExamples } from "./examples.js";
import { startGrammar, useModel as useGrammar } from "./grammar.js";
import { parseSentence, startParsing, useModel as useParser } from "./parse.js";
import { startTabs } from "./tabs.js";
import { listTreebanks, startTreebanks } from "./treebank.js";

async function start() {
  const { models: found, limits } = await models();
  startTreebanks();
  if (found.length) await startModels(found, limits);
  else startWithoutModel();
  await listTreebanks();
  document.body.dataset.ready = "yes";
}

async function startModels(found, limits) {
  options(byId("model"), found.map((model) => model.name));
  const use = () => {
    const chosen = found[byId("model").selectedIndex];
    useParser(chosen, limits);
    useGrammar(chosen);
    return showExamples(chosen, parseSentence);
  };
  startParsing();
  startGrammar();
  startTabs();
  byId("model").addEventListener("change", use);
  const [first] = await use();
  if (first && !byId("parse").hidden && !byId("text").value) {
    parseSentence(first.text, first.tagged);
    byId("text").select(); // typing replaces it
  }
  byId("text").focus();
}

/** Serve only treebanks. */
function startWithoutModel() {
  byId("model").parentElement.hidden = true;
  byId("parse-this").hidden = true;
  startTabs(["treebank"]);
}

start().catch((error) => {
  if (error.name !== "AbortError") say(byId("parse-error"), error.message);
});
