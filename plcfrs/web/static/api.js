// Calls of the JSON API; every error becomes an Error with a message for people.

const PREFIX = "/api/v1/";
const PAUSE = 1000; // milliseconds between checks whether the server runs again
let isAwaited = false;
const running = {}; // controllers that stop the current calls, by kind
const actions = new WeakMap(); // the number of current actions of each busy element

/** Return an address of the API. Lists become repeated parameters, and null is left out. */
export function link(path, wanted = {}) {
  const parameters = new URLSearchParams(Object.entries(wanted).flatMap(
    ([name, value]) => [value ?? []].flat().map((one) => [name, one])));
  return PREFIX + path + (parameters.size ? `?${parameters}` : "");
}

/** Ask for something. A call stops an earlier call of the same kind; `kind` may be null. */
export const get = (path, wanted = {}, kind = path) => call(kind, link(path, wanted));

export const post = (path, wanted, kind = path) => send(
  kind, PREFIX + path, "application/json", JSON.stringify(wanted));

export const upload = (file) => send(
  "upload", link("treebanks", { name: file.name }), "application/octet-stream", file);

const send = (kind, address, type, body) => call(
  kind, address, { method: "POST", headers: { "Content-Type": type }, body });

/** Stop calls of some kinds, without an answer. */
export function stop(...kinds) {
  for (const kind of kinds) running[kind]?.abort();
}

async function call(kind, address, init = {}) {
  const controller = new AbortController();
  if (kind) stop(kind);
  running[kind] = controller;
  const response = await fetch(address, { ...init, signal: controller.signal }).catch((error) => {
    if (isStop(error)) throw error;
    awaitServer();
    throw new Error("The server does not answer. The page continues when plcfrs serve runs again.");
  });
  document.getElementById("server-back").hidden = true;
  const isJson = response.headers.get("Content-Type").startsWith("application/json");
  const answer = await (isJson ? response.json() : response.blob());
  if (!response.ok) throw Object.assign(new Error(answer.error.message), answer.error);
  return answer;
}

/** Reload the page when the server answers again, since its uploaded treebanks are gone. Only offer
 * this if the user has typed something that is not in the address. */
async function awaitServer() {
  if (isAwaited) return;
  isAwaited = true;
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    const answer = await fetch(`${PREFIX}models`).catch(() => null);
    if (answer?.ok) break;
  }
  isAwaited = false;
  if (window.dispatchEvent(new Event("serverback", { cancelable: true }))) location.reload();
  else document.getElementById("server-back").hidden = false;
}

export const isStop = (error) => error.name === "AbortError";

/** Run a function that calls the API; mark an element as busy, and say errors. */
export async function attempt(busy, say, action) {
  actions.set(busy, (actions.get(busy) ?? 0) + 1);
  busy.setAttribute("aria-busy", "true");
  say("");
  try {
    await action();
  } catch (error) {
    if (!isStop(error)) say(error.message);
  } finally {
    actions.set(busy, actions.get(busy) - 1);
    if (!actions.get(busy)) busy.removeAttribute("aria-busy");
  }
}
