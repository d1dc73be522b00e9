// Fields for a sentence: what kind of text is in them.

import { byId } from "./dom.js";

/** Let two boxes, for tags and for running text, exclude each other. */
export function excludeEachOther(tagged, tokenize) {
  for (const [one, other] of [[tagged, tokenize], [tokenize, tagged]]) {
    byId(one).addEventListener("change", () => {
      if (byId(one).checked) byId(other).checked = false;
    });
  }
}

/** Tick the box for tags if all words have tags, untick it if none has; without tags, tick the
 * box for running text if it has punctuation marks or contractions without blanks. */
export function guessKind(text, tagged, tokenize) {
  const words = byId(text).value.split(/\s+/).filter(Boolean);
  const slashed = words.filter((word) => /[^]\/[^/]+$/.test(word)).length;
  if (words.length && slashed === words.length) byId(tagged).checked = true;
  if (slashed === 0) byId(tagged).checked = false;
  const isRunning = words.some((word) => /\p{L}[,;:?!"”)]|["“(]\p{L}|\p{L}['’]\p{L}/u.test(word))
    || /\p{L}\.$/u.test(words.at(-1) ?? "");
  byId(tokenize).checked = isRunning && !byId(tagged).checked;
}
