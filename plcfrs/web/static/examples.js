// Sentences to try, below the fields for sentences.

import { examples } from "./api.js";
import { html, render } from "./components.js";
import { byId, roving, say } from "./dom.js";

/** Return the examples of a model; none, and say why, if there is an error. */
export const findExamples = (model) => examples(model.name).catch((error) => {
  if (error.name !== "AbortError") say(byId("parse-error"), error.message);
  return []; // perhaps another model was chosen
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
