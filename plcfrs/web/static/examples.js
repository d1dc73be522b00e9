// Sentences to try, below the fields for sentences.

import { examples } from "./api.js";
import { html, render } from "./components.js";
import { roving } from "./dom.js";

/** Return the examples of a model. */
export const findExamples = (model) => examples(model.name).catch((error) => {
  if (error.name === "AbortError") return []; // another model was chosen
  throw error;
});

/** Show promised examples, and return them; `act` gets the text of one, and whether it has tags. */
export async function showExamples(promised, place, act) {
  const found = await promised;
  render(found.map(({ text, tagged }) => html`
    <button type="button" onClick=${() => act(text, tagged)}>${text}</button>`), place);
  roving([...place.children], (button, key) => ({
    ArrowLeft: button.previousElementSibling, ArrowRight: button.nextElementSibling })[key]);
  return found;
}
