// Sentences to try, below the field for the sentence.

import { examples } from "./api.js";
import { byId, element, roving } from "./dom.js";

/** Show the examples of a model, and return them; `parse` gets a text and whether it has tags. */
export async function showExamples(model, parse) {
  const found = await examples(model.name).catch((error) => {
    if (error.name === "AbortError") return []; // another model was chosen
    throw error;
  });
  const buttons = found.map(({ text, tagged }) => {
    const button = element("button", { type: "button" }, text);
    button.addEventListener("click", () => parse(text, tagged));
    return button;
  });
  roving(buttons, (button, key) => ({
    ArrowLeft: button.previousElementSibling, ArrowRight: button.nextElementSibling })[key]);
  byId("examples").replaceChildren(...buttons);
  return found;
}
