// The derivation of a parse, step by step; a step lights up what it makes in the picture.

import { attempt, post, stop } from "./api.js";
import {
  html, Message, Steps, Table, useEffect, useLayoutEffect, useRef, useState,
} from "./components.js";
import { elementOf } from "./drawing.js";
import { short } from "./dom.js";

/** `step` is the step that stays lit, from 1, or 0 for none; `go` gets another step; `point` gets
 * the step under the pointer or the focus, or 0. `sentence` is what was parsed. */
export function Derivation({ parse, step, pointed, go, point, sentence }) {
  const { derivation, step: noun, measure, arcs, score } = parse;
  const details = Object.keys(derivation[0].details);
  const table = useRef(null);
  useEffect(() => step && show(table.current, step), [step, parse]);
  const words = (text) => html`<span class="words">${text}</span>`;
  const look = (_, row) => ({
    ...(row + 1 === step && { class: "lit", "aria-current": "step" }),
    onPointerEnter: () => point(row + 1, false),
    onPointerLeave: () => point(0),
    onFocus: () => point(row + 1, true),
    onBlur: () => point(0),
  });
  return html`<section id="derivation"><h2>Derivation</h2>
    <${Steps} step=${step} last=${derivation.length} go=${go} />
    <p class="hint step" role="status">${step ? said(derivation[step - 1]) : ""}</p>
    ${arcs && html`<${Arcs} svg=${arcs} step=${pointed || step} point=${point} />`}
    <div class="scroll" ref=${table}><${Table} rows=${derivation} look=${look}
      act=${(_, row) => go(row + 1)} columns=${[
        [noun, (one) => html`<span class="rule" title=${one.rule}>${one.clause}</span>`],
        [`#${measure}`, (one) => short(one.score)],
        ...details.map((name) => [name, (one) => words(one.details[name])]),
        ["words", (one) => (details.length ? words(one.words) : one.words)],
      ]} foot=${["whole parse", short(score), ...details.map(() => ""), ""]} /></div>
    <${Wants} sentence=${sentence} />
  </section>`;
}

const said = ({ clause, details }) => [clause, ...Object.entries(details).flatMap(
  ([name, text]) => (text ? `${name}: ${text}` : []))].join("; ");

/** Scroll the table to a step. */
function show(place, step) {
  const { offsetTop, offsetHeight } = place.querySelector("tbody").rows[step - 1];
  place.scrollTop = offsetTop - (place.clientHeight - offsetHeight) / 2;
}

function Arcs({ svg, step, point }) {
  const figure = useRef(null);
  const stepOf = (word) => (word ? Number(word.dataset.token) + 1 : 0);
  const pointAt = ({ target }) => point(stepOf(target.closest("[data-token]")), false);
  useLayoutEffect(() => figure.current.replaceChildren(elementOf(svg)), [svg]);
  useLayoutEffect(() => {
    for (const word of figure.current.querySelectorAll("[data-token]")) {
      word.classList.toggle("lit", stepOf(word) === step);
    }
  }, [svg, step]);
  return html`<figure id="arcs" class=${step ? "dimmed" : undefined} ref=${figure}
    onPointerOver=${pointAt} onPointerLeave=${() => point(0)} />`;
}

/** A form that asks why the best parse of a `sentence` lacks a constituent. */
function Wants({ sentence }) {
  const [lines, setLines] = useState([]);
  const [error, setError] = useState("");
  useEffect(() => {
    setError("");
    setLines([]);
    return () => stop("want");
  }, [sentence]);
  const explain = (event) => {
    event.preventDefault();
    const { want } = event.target;
    attempt(event.target, setError,
      async () => setLines((await post("want", { ...sentence, want: want.value })).lines));
  };
  return html`<form class="row" id="want-form" onSubmit=${explain}>
      <label>Why is there no <input id="want" size="12" placeholder="NP 0-1"
        spellcheck="false" autocomplete="off" required /></label>
      <button>Explain</button>
    </form>
    <${Message} text=${error} />
    <pre class="scroll" id="wanted" role="status" tabindex="0"
      hidden=${error || !lines.length}>${lines.join("\n")}</pre>`;
}
