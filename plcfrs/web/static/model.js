// The model for all tabs, and sentences to try with it.

import { get, isStop } from "./api.js";
import { html, render } from "./components.js";
import { byId, roving, say } from "./dom.js";

/** The chosen `model`, `all` models, the `limits` of the server, a promise of `examples`, and the
 * `project` that is annotated. */
export const session = {};

export function use(model, all, limits) {
  const examples = get("examples", { model: model.name }).catch((error) => {
    if (!isStop(error)) say(byId("parse-error"), error.message);
    return [];
  });
  Object.assign(session, { model, all, limits, examples });
}

export const can = (what) => session.model.capabilities.includes(what);

/** Show the examples; `act` gets a text, and whether it has tags. */
export async function showExamples(place, act) {
  const found = await session.examples;
  render(found.map(({ text, tagged }) => html`
    <button type="button" onClick=${() => act(text, tagged)}>${text}</button>`), place);
  roving([...place.children], (button) => ({
    ArrowLeft: button.previousElementSibling, ArrowRight: button.nextElementSibling }));
}
