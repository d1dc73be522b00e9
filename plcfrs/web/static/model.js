// The model that all tabs use, and sentences to try with it.

import { get, isStop } from "./api.js";
import { html, render } from "./components.js";
import { byId, roving, say } from "./dom.js";

/** The `model`, one of `all`, the `limits` of the server, and the promised `examples`. */
export const used = {};

export function use(model, all, limits) {
  const examples = get("examples", { model: model.name }).catch((error) => {
    if (!isStop(error)) say(byId("parse-error"), error.message);
    return []; // perhaps another model was chosen
  });
  Object.assign(used, { model, all, limits, examples });
}

export const can = (what) => used.model.capabilities.includes(what);

/** Show the examples; `act` gets the text of one, and whether it has tags. */
export async function showExamples(place, act) {
  const found = await used.examples;
  render(found.map(({ text, tagged }) => html`
    <button type="button" onClick=${() => act(text, tagged)}>${text}</button>`), place);
  roving([...place.children], (button) => ({
    ArrowLeft: button.previousElementSibling, ArrowRight: button.nextElementSibling }));
}
