// The words of a sentence, each with a bar for its surprisal.

import { html, useState } from "./components.js";
import { moveFocus } from "./dom.js";

const TICKS = 6; // the most, besides 0
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200]; // bits

export const bits = (number) => number.toFixed(2);

/** Return the highest number of words, at least 1. */
export const highest = (words, series) => Math.max(1, ...words.flatMap(
  (one) => [one.surprisal, one.at_most, one[series]]).filter(Number.isFinite));

/** `top` is the end of the axis; `series` is the number beside surprisal, with its `name`. `choose`
 * gets the position of a word, and `chosen` is that of the chosen word. */
export function Bars({ words, top, series, name, chosen, choose }) {
  const [reached, setReached] = useState(0); // the word that Tab reaches
  const reachable = Math.min(reached, words.length - 1);
  const step = STEPS.find((one) => top / one <= TICKS);
  const ticks = Array.from({ length: Math.floor(top / step) + 1 }, (_, i) => i * step);
  const Word = choose ? "button" : "span";
  const attributes = (i) => (choose ? {
    type: "button", "aria-pressed": String(i === chosen), tabindex: i === reachable ? "0" : "-1",
    onFocus: () => setReached(i), onKeyDown: move, onClick: () => choose(i),
  } : { role: "img" });
  return html`<div class="chart"
    style=${{ "--top": top, "--step": step, "--words": words.length }}>
    <div class="axis" aria-hidden="true"><span>bits</span>
      ${ticks.map((tick) => html`<b style=${{ "--from": tick }}>${tick}</b>`)}</div>
    <div class="bars" role=${choose ? "toolbar" : "group"}
      aria-label=${`${choose ? "Words" : "Words of the control"} with their surprisal`}>
      ${words.map((one, i) => html`<${Word} class=${one.known === false ? "word unknown" : "word"}
        aria-label=${said(one, series, name)} ...${attributes(i)}>
        <span class="plot"><${Stack} ...${one} top=${top} />${Number.isFinite(one[series]) && html`
          <span class="series" style=${{ "--bits": one[series] }} />`}</span>
        <span class="bits">${written(one)}</span>
        <span>${one.word}</span>
      <//>`)}</div></div>`;
}

function move(event) {
  const { previousElementSibling, nextElementSibling, parentElement } = event.currentTarget;
  moveFocus(event, {
    ArrowLeft: previousElementSibling, ArrowRight: nextElementSibling,
    Home: parentElement.firstElementChild, End: parentElement.lastElementChild,
  });
}

/** The two parts of a surprisal, and its bounds. */
const Stack = ({ surprisal, word_surprisal: lexical, at_least, at_most, status, top }) => (
  surprisal !== null && html`<span class="stack">
    <span class="lexical" style=${{ "--bits": lexical }} />
    <span class="syntactic" style=${{ "--bits": surprisal - lexical }} />
    ${status === "bounded" && html`<span class="interval"
      style=${{ "--from": at_least, "--bits": (at_most ?? top) - at_least }} />`}</span>`);

function written({ surprisal, status }) {
  if (surprisal === null) return ["no sentence", "unknown word"].includes(status) ? "∞" : "–";
  return status === "bounded" ? `≈ ${bits(surprisal)}` : bits(surprisal);
}

function said(word, series, name) {
  if (word.surprisal === null) return `${word.word}: ${word.status}`;
  const atMost = word.at_most === null ? "infinity" : bits(word.at_most);
  const bounds = word.status === "bounded" && `between ${bits(word.at_least)} and ${atMost}`;
  return `${word.word}: ${[
    `${bits(word.surprisal)} bits`, bounds, `syntactic ${bits(word.tag_surprisal)}`,
    `lexical ${bits(word.word_surprisal)}`, word.known === false && "unknown word",
    Number.isFinite(word[series]) && `${name} ${bits(word[series])}`,
  ].filter(Boolean).join(", ")}`;
}

/** Return the bar of a word as the server draws it. */
export const barOf = (one, series) => ({
  word: one.word, written: written(one), known: one.known, series: one[series] ?? null,
  syntactic: one.tag_surprisal, lexical: one.word_surprisal,
  ...(one.status === "bounded" && { at_least: one.at_least, at_most: one.at_most }),
});

export const Legend = ({ words, name }) => html`<p class="hint legend">
  <span><span class="swatch syntactic" /> syntactic part of surprisal: the tag</span>
  <span><span class="swatch lexical" /> lexical part: the word, given its tag</span>
  ${words.some((one) => one.known === false) && html`<span><span class="unknown">
    <span class="swatch lexical" /></span> a word that the model does not know</span>`}
  ${words.some((one) => one.status === "bounded") && html`
    <span><span class="swatch interval" /> proven bounds</span>`}
  ${name && html`<span><span class="swatch series" /> ${name}</span>`}
</p>`;
