// How a parse was made, step by step; a step lights up what it makes in the picture.

import { html, Steps, Table, useEffect, useLayoutEffect, useRef, useState } from "./components.js";
import { elementOf } from "./drawing.js";
import { short } from "./dom.js";
import { Wants } from "./want.js";

/** `step` is the step that stays lit, from 1, or 0; `go` gets another one; `point` gets the step that
 * the pointer or the focus is on, or 0. `sentence` is what was parsed, if the model compares parses. */
export function Derivation({ parse, step, pointed, go, point, sentence }) {
  const { derivation, step: noun, measure, arcs, score } = parse;
  const details = Object.keys(derivation[0].details);
  const table = useRef(null);
  useEffect(() => step && show(table.current, step), [step, parse]);
  const look = (row) => ({
    class: row + 1 === step ? "lit" : undefined,
    "aria-current": row + 1 === step ? "step" : undefined,
    onPointerEnter: () => point(row + 1, false),
    onPointerLeave: () => point(0),
    onFocus: () => point(row + 1, true),
    onBlur: () => point(0),
  });
  return html`<section id="derivation"><h2>Derivation</h2>
    <${Steps} step=${step} last=${derivation.length} go=${go} />
    <p class="hint step" role="status">${step ? said(derivation[step - 1]) : ""}</p>
    ${arcs && html`<${Arcs} svg=${arcs} step=${pointed || step} point=${point} />`}
    <div class="scroll" ref=${table}><${Table}
      columns=${[noun, `#${measure}`, ...details, "words"]}
      look=${look} act=${(row) => go(row + 1)}
      rows=${derivation.map((one) => [
        html`<span class="rule" title=${one.rule}>${one.clause}</span>`, short(one.score),
        ...details.map((name) => html`<span class="words">${one.details[name]}</span>`),
        html`<span class="words">${one.words}</span>`])}
      foot=${["whole parse", short(score), ...details.map(() => ""), ""]} /></div>
    ${sentence && html`<${Wants} sentence=${sentence} />`}
  </section>`;
}

const said = ({ clause, details }) => [
  clause, ...Object.entries(details).filter(([, text]) => text).map((pair) => pair.join(": "))].join("; ");

/** Scroll to a step, but not the page. */
function show(place, step) {
  const row = place.querySelector("tbody").rows[step - 1];
  const { top, height } = row.getBoundingClientRect();
  const frame = place.getBoundingClientRect();
  place.scrollTop += top + height / 2 - (frame.top + frame.height / 2);
}

/** The dependencies: an arc for each step. */
function Arcs({ svg, step, point }) {
  const figure = useRef(null);
  const [words, setWords] = useState([]);
  useLayoutEffect(() => {
    figure.current.replaceChildren(elementOf(svg));
    const found = [...figure.current.querySelectorAll("[data-token]")];
    found.forEach((word, i) => {
      word.addEventListener("pointerenter", () => point(i + 1, false));
      word.addEventListener("pointerleave", () => point(0));
    });
    setWords(found);
  }, [svg]);
  useLayoutEffect(() => {
    words.forEach((word, i) => word.classList.toggle("lit", i + 1 === step));
  }, [words, step]);
  return html`<figure id="arcs" class=${step ? "dimmed" : undefined} ref=${figure} />`;
}
