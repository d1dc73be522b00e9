// The tabs besides the first.

import { startErrors, useModel as useErrors } from "./errors.js";
import { showExamples } from "./examples.js";
import { startGrammar, useModel as useGrammar } from "./grammar.js";
import { byId } from "./dom.js";
import { readSentence, startSurprisal, useModel as useReader } from "./surprisal.js";
import { startTeaching, useModel as useTeacher } from "./teach.js";
import { listTreebanks, startTreebanks } from "./treebank.js";

export { scoreAgain, visit as visitErrors } from "./errors.js";
export { visit as visitGrammar } from "./grammar.js";
export { visit as visitSurprisal } from "./surprisal.js";
export { visit as visitTeaching } from "./teach.js";
export { visit as visitTreebank } from "./treebank.js";

export async function start() {
  startSurprisal();
  startGrammar();
  startErrors();
  startTeaching();
  await Promise.all([startTreebanks(), listTreebanks()]);
}

/** Use a model, one of several, with promised examples. */
export function useModel(used) {
  for (const use of [useGrammar, useErrors, useReader, useTeacher]) use(used);
  showExamples(used.examples, byId("surprisal-examples"), readSentence);
}
