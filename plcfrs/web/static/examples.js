// Sentences to try, below the fields for sentences.

import { examples } from "./api.js";
import { html, render } from "./components.js";
import { byId, roving } from "./dom.js";

/** Show the examples of a model, and return them; `acts` has the places by their identifiers, each
 * with a function that gets a text and whether it has tags. */
export async function showExamples(model, acts) {
  const found = await examples(model.name).catch((error) => {
    if (error.name === "AbortError") return []; // another model was chosen
    throw error;
  });
  for (const [id, act] of Object.entries(acts)) show(found, byId(id), act);
  return found;
}

function show(found, place, act) {
  render(found.map(({ text, tagged }) => html`
    <button type="button" onClick=${() => act(text, tagged)}>${text}</button>`), place);
  roving([...place.children], (button, key) => ({
    ArrowLeft: button.previousElementSibling, ArrowRight: button.nextElementSibling })[key]);
}
