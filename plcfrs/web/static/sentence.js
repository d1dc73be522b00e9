// A form with a field for a sentence, and boxes for the kind of text.

import { post } from "./api.js";
import { html, render } from "./components.js";
import { on } from "./dom.js";
import { session } from "./model.js";
import { activeTab, withoutHistory } from "./tab.js";

const BOXES = ["tagged", "tokenize"];
const HAS_SEVERAL = /[.!?]\S*\s|\n/; // perhaps

/** Start the form of a tab: Enter in the field submits it, and typing ticks the boxes. */
export function startSentence(tab, submit) {
  const { name, fields } = tab;
  const { text } = fields;
  const others = document.createElement("div");
  text.closest(".row").after(others);
  tab.submit = submit;
  on(`${name}-form`, "submit", () => tab.attempt(() => readFirst(tab, submit, others)));
  text.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    text.form.requestSubmit();
  });
  text.addEventListener("input", () => guessKind(fields));
  BOXES.forEach((box, i) => fields[box].addEventListener("change", () => {
    if (fields[box].checked) fields[BOXES[1 - i]].checked = false;
  }));
}

/** Read the first sentence of the field; buttons read the others, or all as one. */
async function readFirst(tab, submit, others) {
  const { text } = tab.fields;
  const whole = text.value.trim();
  const wanted = tab.values("text", ...BOXES);
  const { sentences } = HAS_SEVERAL.test(whole) ? await post("sentences", wanted)
    : { sentences: [whole] };
  const read = (one) => {
    text.value = one;
    return tab.submit();
  };
  render(sentences.length > 1 && html`<div class="row trying">
    <span role="status">${sentences.length} sentences:</span>
    <div class="examples" role="group" aria-label="Sentences">
      ${sentences.map((one) => html`
        <button type="button" onClick=${() => read(one)}>${one}</button>`)}</div>
    <button type="button" onClick=${() => read(whole)}>All as one</button></div>`, others);
  return sentences.length > 1 ? read(sentences[0]) : submit();
}

/** Fill the form with a sentence that is split into words. */
export function fillSentence({ fields }, text, isTagged) {
  fields.text.value = text;
  fields.tagged.checked = isTagged;
  fields.tokenize.checked = false;
}

/** Return words as a text, with their tags if they have any. */
export const textOf = (words) => words.map(
  ({ form, word = form, tag }) => (tag ? `${word}/${tag}` : word)).join(" ");

/** Start with the first example in some order, unless there is a sentence or a result. */
export async function begin(tab, order = () => 0) {
  const [first] = (await session.examples).toSorted(order);
  const { text } = tab.fields;
  if (tab.shownAddress || activeTab !== tab || text.form.hidden) return;
  if (first && !text.value) fillSentence(tab, first.text, first.tagged);
  if (text.value) withoutHistory(() => tab.submit());
}

/** Tick the box for tags if all words have tags, untick it if none has; without tags, tick the
 * box for running text if it has punctuation marks or contractions without blanks. */
export function guessKind({ text, tagged, tokenize }) {
  const words = text.value.split(/\s+/).filter(Boolean);
  const slashed = words.filter((word) => /[^]\/[^/]+$/.test(word)).length;
  if (words.length && slashed === words.length) tagged.checked = true;
  if (slashed === 0) tagged.checked = false;
  const isRunning = /\p{L}\.$/u.test(words.at(-1) ?? "")
    || words.some((word) => /\p{L}[,;:?!"”)]|["“(]\p{L}|\p{L}['’]\p{L}/u.test(word));
  tokenize.checked = isRunning && !tagged.checked;
}
