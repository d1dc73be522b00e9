// The words of a sentence, each with a bar that is as high as the word is surprising.

import { html, useState } from "./components.js";
import { moveFocus } from "./dom.js";

const TICKS = 6; // at most, besides 0
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200]; // bits

export const bits = (number) => number.toFixed(2);

/** Return the highest number of words, at least 1. */
export const highest = (words, series) => Math.max(1, ...words.flatMap(
  (one) => [one.surprisal, one.at_most, one[series]]).filter(Number.isFinite));

/** `top` ends the axis; `series` is what is beside surprisal, and `name` says it. With `choose`,
 * which gets the position of a word, one is `chosen`. */
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

function said(one, series, name) {
  if (one.surprisal === null) return `${one.word}: ${one.status}`;
  const bounds = one.status === "bounded"
    && `between ${bits(one.at_least)} and ${one.at_most === null ? "infinity" : bits(one.at_most)}`;
  return `${one.word}: ${[
    `${bits(one.surprisal)} bits`, bounds, `syntactic ${bits(one.tag_surprisal)}`,
    `lexical ${bits(one.word_surprisal)}`, one.known === false && "unknown word",
    Number.isFinite(one[series]) && `${name} ${bits(one[series])}`,
  ].filter(Boolean).join(", ")}`;
}

/** Return what the server needs to draw the bar of a word. */
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
