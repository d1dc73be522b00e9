// Sentences to try, below the field for the sentence.

import { examples } from "./api.js";
import { html, render } from "./components.js";
import { byId, roving } from "./dom.js";

/** Show the examples of a model, and return them; `parse` gets a text and whether it has tags. */
export async function showExamples(model, parse) {
  const found = await examples(model.name).catch((error) => {
    if (error.name === "AbortError") return []; // another model was chosen
    throw error;
  });
  render(found.map(({ text, tagged }) => html`
    <button type="button" onClick=${() => parse(text, tagged)}>${text}</button>`), byId("examples"));
  roving([...byId("examples").children], (button, key) => ({
    ArrowLeft: button.previousElementSibling, ArrowRight: button.nextElementSibling })[key]);
  return found;
}
