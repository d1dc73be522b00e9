// Two trees of a sentence side by side, such as a gold tree and its parse.

import { attempt, errorsOfSentence, stop } from "./api.js";
import { html, render } from "./components.js";
import { byId, say } from "./dom.js";
import { Picture } from "./picture.js";

/** One tree, or two with titles; each has what a picture has, and a `title`. */
export const Pair = ({ trees }) => html`<div class="pair">
  ${trees.map(({ title, ...one }) => html`<section key=${one.id}>
    ${title && html`<h3>${title}</h3>`}<${Picture} ...${one} /></section>`)}</div>`;

export function hidePair() {
  stop("pair");
  byId("pair").hidden = true;
}

/** Show a sentence of what is compared, by its number. */
export async function showPair(compared, number) {
  await attempt(byId("pair"), (message) => say(byId("errors-error"), message), async () => {
    const found = await errorsOfSentence({ ...compared, number });
    byId("pair").hidden = false;
    render(html`<${Errors} found=${found} />`, byId("pair"));
    byId("pair").scrollIntoView();
  });
}

const Errors = ({ found: { sentence: { number, id, missed, spurious, errors }, gold, parse } }) => html`
  <h2 id="pair-title">Sentence ${number}${id && ` (${id})`}: ${missed} missed, ${spurious} spurious</h2>
  <ul>${errors.map(({ kind, text }) => html`<li>${kind}: ${text}</li>`)}</ul>
  <${Pair} trees=${[
    { id: "pair-gold", title: "Gold tree, missed constituents in red", tree: gold, hasFiles: false },
    { id: "pair-parse", title: "Parse, spurious constituents in red", tree: parse, hasFiles: false },
  ]} />`;
