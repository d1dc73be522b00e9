// Calls of the JSON API; every error becomes an Error with a message for people.

const PREFIX = "/api/v1";

const post = (wanted) => ({
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(wanted),
});

/** Return the parameters of a request: a list is a parameter that is repeated. */
const parameters = (wanted) => new URLSearchParams(
  Object.entries(wanted).flatMap(([name, value]) => [value].flat().map((one) => [name, one])));

/** Return the answer of the API; a later call of the same kind cancels an earlier one. */
async function call(kind, path, init = {}) {
  running[kind]?.abort();
  running[kind] = new AbortController();
  let response;
  try {
    response = await fetch(PREFIX + path, { ...init, signal: running[kind].signal });
  } catch (error) {
    if (error === STOPPED || error.name === "AbortError") throw error;
    throw new Error("The server does not answer: is plcfrs serve still running?");
  }
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error.message);
  return answer;
}

const running = {};
const STOPPED = "stopped";

/** Stop calls of a kind, or of several: the user no longer wants their answers. */
export const stop = (kinds) => [kinds].flat().forEach((kind) => running[kind]?.abort(STOPPED));

export const models = () => call("models", "/models");

export const examples = (model) => call(
  "examples", `/examples?${new URLSearchParams({ model })}`);

export const parse = (wanted) => call("parse", "/parse", post(wanted));

/** Parse with the model beside. */
export const parseBeside = (wanted) => call("beside", "/parse", post(wanted));

export const compare = (wanted) => call("compare", "/compare", post(wanted));

export const want = (wanted) => call("want", "/want", post(wanted));

export const draw = (wanted, place) => call(`draw ${place}`, "/draw", post(wanted));

/** Return a tree, or its picture, as a file. */
export async function drawFile(wanted) {
  const response = await fetch(`${PREFIX}/draw/file`, post(wanted));
  if (response.ok) return response.blob();
  throw new Error((await response.json()).error.message);
}

export const surprisal = (wanted) => call("surprisal", "/surprisal", post(wanted));

/** Return the same with the analyses after some words. */
export const analyses = (wanted) => call("analyses", "/surprisal", post(wanted));

export const course = (wanted) => call("course", "/course", post(wanted));

export const rules = (wanted) => call("rules", `/rules?${new URLSearchParams(wanted)}`);

export const rulesFile = (wanted) => `${PREFIX}/rules.yaml?${new URLSearchParams(wanted)}`;

export const uses = (wanted) => call("uses", `/rules/uses?${new URLSearchParams(wanted)}`);

export const changes = (wanted) => call("changes", `/rules/changes?${new URLSearchParams(wanted)}`);

export const inspection = (wanted) => call(
  "inspection", `/inspection?${new URLSearchParams(wanted)}`);

export const parseFirst = (wanted) => call("parses", "/parses", post(wanted));

export const errors = (wanted) => call("errors", `/errors?${new URLSearchParams(wanted)}`);

export const errorsOfSentence = (wanted) => call(
  "pair", `/errors/sentence?${new URLSearchParams(wanted)}`);

export const treebanks = () => call("treebanks", "/treebanks");

export const upload = (file) => call(
  "upload", `/treebanks?${new URLSearchParams({ name: file.name })}`, {
    method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file,
  });

export const trees = (wanted) => call("trees", `/trees?${parameters(wanted)}`);

/** Return trees to compare parses with. */
export const goldTrees = (wanted) => call("beside", `/trees?${parameters(wanted)}`);

export const hits = (wanted) => call("hits", `/hits?${new URLSearchParams(wanted)}`);

export const counts = (wanted) => call("counts", `/counts?${new URLSearchParams(wanted)}`);

export const hitsTable = (wanted) => `${PREFIX}/hits.tsv?${new URLSearchParams(wanted)}`;

export const countsTable = (wanted) => `${PREFIX}/counts.tsv?${new URLSearchParams(wanted)}`;

export const queries = () => call("queries", "/queries");

export const treesFile = (wanted) => `${PREFIX}/trees/file?${new URLSearchParams(wanted)}`;

const actions = new WeakMap(); // how many are under way, by the element that they make busy

/** Run a function that calls the API; show that it is busy, and its error. */
export async function attempt(busy, say, action) {
  actions.set(busy, (actions.get(busy) ?? 0) + 1);
  busy.setAttribute("aria-busy", "true");
  say("");
  try {
    await action();
  } catch (error) {
    if (error !== STOPPED && error.name !== "AbortError") say(error.message);
  } finally {
    actions.set(busy, actions.get(busy) - 1);
    if (!actions.get(busy)) busy.removeAttribute("aria-busy");
  }
}
