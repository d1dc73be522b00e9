// A form with a field for a sentence, and boxes that say what kind of text it is.

import { byId } from "./dom.js";

/** Start a form: Enter in the field submits it, and typing ticks the boxes. The names are those of
 * the field, of the box for tags and of that for running text; `submit` reads them. */
export function startSentence(form, [text, tagged, tokenize], submit) {
  byId(form).addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  byId(text).addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    byId(form).requestSubmit();
  });
  byId(text).addEventListener("input", () => guessKind(text, tagged, tokenize));
  for (const [one, other] of [[tagged, tokenize], [tokenize, tagged]]) {
    byId(one).addEventListener("change", () => {
      if (byId(one).checked) byId(other).checked = false;
    });
  }
}

/** Tick the box for tags if all words have tags, untick it if none has; without tags, tick the
 * box for running text if it has punctuation marks or contractions without blanks. */
function guessKind(text, tagged, tokenize) {
  const words = byId(text).value.split(/\s+/).filter(Boolean);
  const slashed = words.filter((word) => /[^]\/[^/]+$/.test(word)).length;
  if (words.length && slashed === words.length) byId(tagged).checked = true;
  if (slashed === 0) byId(tagged).checked = false;
  const isRunning = words.some((word) => /\p{L}[,;:?!"”)]|["“(]\p{L}|\p{L}['’]\p{L}/u.test(word))
    || /\p{L}\.$/u.test(words.at(-1) ?? "");
  byId(tokenize).checked = isRunning && !byId(tagged).checked;
}
