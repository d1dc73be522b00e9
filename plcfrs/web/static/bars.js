// The words of a sentence, each with a bar that is as high as the word is surprising.

import { html, useState } from "./components.js";
import { moveFocus } from "./dom.js";

const bits = (number) => number.toFixed(2);

/** `chosen` is the position of a word; `series` is what is beside surprisal, and `name` says it;
 * `choose` gets the position of a word. */
export function Bars({ words, chosen, series, name, choose }) {
  const [reached, setReached] = useState(0); // the word that Tab reaches
  const numbers = words.flatMap((one) => [one.surprisal, one.at_most, one[series]]);
  const top = Math.max(1, ...numbers.filter(Number.isFinite));
  const reachable = Math.min(reached, words.length - 1);
  return html`
    <div class="bars" role="toolbar" aria-label="Words with their surprisal">
      ${words.map((one, i) => html`<button type="button"
        aria-pressed=${String(i === chosen)} aria-label=${said(one, series, name)}
        tabindex=${i === reachable ? "0" : "-1"} onFocus=${() => setReached(i)}
        onKeyDown=${move} onClick=${() => choose(i)}>
        <span class="plot"><${Stack} ...${one} top=${top} />${Number.isFinite(one[series]) && html`
          <span class="series" style=${high(one[series], top)} />`}</span>
        <span class="bits">${written(one)}</span>
        <span>${one.word}</span>
      </button>`)}</div>
    <${Legend} words=${words} name=${series && name} />`;
}

function move(event) {
  const { previousElementSibling, nextElementSibling, parentElement } = event.currentTarget;
  moveFocus(event, {
    ArrowLeft: previousElementSibling, ArrowRight: nextElementSibling,
    Home: parentElement.firstElementChild, End: parentElement.lastElementChild,
  });
}

const high = (number, top) => ({ height: `${(100 * number) / top}%` });

/** The two parts of a surprisal, and its bounds. */
function Stack({ surprisal, word_surprisal: lexical, at_least, at_most, status, top }) {
  if (surprisal === null) return null;
  const interval = {
    ...high((at_most ?? top) - at_least, top), bottom: high(at_least, top).height };
  return html`<span class="stack">
    <span class="lexical" style=${high(lexical, top)} />
    <span class="syntactic" style=${high(surprisal - lexical, top)} />
    ${status === "bounded" && html`<span class="interval" style=${interval} />`}
  </span>`;
}

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
    `lexical ${bits(one.word_surprisal)}`,
    Number.isFinite(one[series]) && `${name} ${bits(one[series])}`,
  ].filter(Boolean).join(", ")}`;
}

const Legend = ({ words, name }) => html`<p class="hint legend">
  <span><span class="swatch syntactic" /> syntactic part of surprisal: the tag</span>
  <span><span class="swatch lexical" /> lexical part: the word, given its tag</span>
  ${words.some((one) => one.status === "bounded") && html`
    <span><span class="swatch interval" /> proven bounds</span>`}
  ${name && html`<span><span class="swatch series" /> ${name}</span>`}
</p>`;
