// The words of a sentence, each with a bar that is as high as the word is surprising.

import { html, useState } from "./components.js";

/** What can be beside surprisal. */
export const SERIES = {
  entropy: "entropy",
  entropy_reduction: "reduction of entropy",
  derivation_entropy: "entropy of derivations",
  derivation_entropy_reduction: "reduction of entropy of derivations",
};
const KEYS = {
  ArrowLeft: (one) => one.previousElementSibling,
  ArrowRight: (one) => one.nextElementSibling,
  Home: (one) => one.parentElement.firstElementChild,
  End: (one) => one.parentElement.lastElementChild,
};
const INFINITE = ["no sentence", "unknown word"];

const bits = (number) => number.toFixed(2);

/** `chosen` is the position of a word, or null; `series` one of SERIES, or empty; `choose` gets the
 * position of a word. */
export function Bars({ words, chosen, series, choose }) {
  const [reached, setReached] = useState(0); // the word that Tab reaches
  const numbers = words.flatMap((one) => [one.surprisal, one.at_most, one[series]]);
  const top = Math.max(1, ...numbers.filter(Number.isFinite));
  const reachable = Math.min(reached, words.length - 1);
  return html`
    <div class="bars" role="toolbar" aria-label="Words with their surprisal">${words.map((one, i) => html`
      <button type="button" aria-pressed=${String(i === chosen)} aria-label=${said(one, series)}
        tabindex=${i === reachable ? "0" : "-1"} onFocus=${() => setReached(i)} onKeyDown=${move}
        onClick=${() => choose(i)}>
        <span class="plot"><${Stack} one=${one} top=${top} />
          ${Number.isFinite(one[series]) && html`<span class="series" style=${high(one[series], top)} />`}</span>
        <span class="bits">${written(one)}</span>
        <span>${one.word}</span>
      </button>`)}</div>
    <${Legend} words=${words} series=${series} />`;
}

function move(event) {
  const next = KEYS[event.key]?.(event.currentTarget);
  if (!next) return;
  event.preventDefault();
  next.focus();
}

const high = (number, top) => ({ height: `${(100 * number) / top}%` });

/** The two parts of a surprisal, and its bounds. */
function Stack({ one, top }) {
  if (one.surprisal === null) return null;
  const { at_least: least, at_most: most } = one;
  const interval = { bottom: `${(100 * least) / top}%`, height: `${(100 * ((most ?? top) - least)) / top}%` };
  return html`<span class="stack">
    <span class="lexical" style=${high(one.word_surprisal, top)} />
    <span class="syntactic" style=${high(one.surprisal - one.word_surprisal, top)} />
    ${one.status === "bounded" && html`<span class="interval" style=${interval} />`}
  </span>`;
}

/** Return the number below a bar. */
function written(one) {
  if (one.surprisal === null) return INFINITE.includes(one.status) ? "∞" : "–";
  return one.status === "bounded" ? `≈ ${bits(one.surprisal)}` : bits(one.surprisal);
}

/** Return a bar in words. */
function said(one, series) {
  if (one.surprisal === null) return `${one.word}: ${one.status}`;
  const bounds = one.status === "bounded"
    && `between ${bits(one.at_least)} and ${one.at_most === null ? "infinity" : bits(one.at_most)}`;
  return `${one.word}: ${[
    `${bits(one.surprisal)} bits`, bounds, `syntactic ${bits(one.tag_surprisal)}`,
    `lexical ${bits(one.word_surprisal)}`,
    Number.isFinite(one[series]) && `${SERIES[series]} ${bits(one[series])}`,
  ].filter(Boolean).join(", ")}`;
}

const Legend = ({ words, series }) => html`<p class="hint legend">
  <span><span class="swatch syntactic" /> syntactic part of surprisal: the tag</span>
  <span><span class="swatch lexical" /> lexical part: the word, given its tag</span>
  ${words.some((one) => one.status === "bounded") && html`
    <span><span class="swatch interval" /> proven bounds</span>`}
  ${series && html`<span><span class="swatch series" /> ${SERIES[series]}</span>`}
</p>`;
