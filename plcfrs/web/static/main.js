// The page: tabs, and the model that all of them use.

import { models } from "./api.js";
import { byId, options, say } from "./dom.js";
import { startGrammar, useModel as useGrammar } from "./grammar.js";
import { startParsing, useModel as useParser } from "./parse.js";
import { startTabs } from "./tabs.js";
import { listTreebanks, startTreebanks } from "./treebank.js";

async function start() {
  const { models: found, limits } = await models();
  options(byId("model"), found.map((model) => model.name));
  const use = () => {
    const chosen = found[byId("model").selectedIndex];
    useParser(chosen, limits);
    useGrammar(chosen);
  };
  startParsing();
  startGrammar();
  startTreebanks();
  startTabs();
  byId("model").addEventListener("change", use);
  use();
  await listTreebanks();
  byId("text").focus();
  document.body.dataset.ready = "yes";
}

start().catch((error) => say(byId("parse-error"), error.message));
