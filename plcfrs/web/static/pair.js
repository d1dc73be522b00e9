// A gold tree and its parse side by side, with their differences marked.

import { attempt, errorsOfSentence } from "./api.js";
import { html, render } from "./components.js";
import { byId, say } from "./dom.js";
import { Picture } from "./picture.js";

let gold = null;
let parse = null;

export function startPair() {
  gold = new Picture(byId("pair-gold"), []);
  parse = new Picture(byId("pair-parse"), []);
}

export function hidePair() {
  byId("pair").hidden = true;
}

/** Show a sentence of what is compared, by its number. */
export async function showPair(compared, number) {
  await attempt(byId("pair"), (message) => say(byId("errors-error"), message), async () => {
    const found = await errorsOfSentence({ ...compared, number });
    byId("pair").hidden = false;
    render(html`<${Errors} sentence=${found.sentence} />`, byId("pair-errors"));
    gold.show(found.gold);
    parse.show(found.parse);
    byId("pair").scrollIntoView();
  });
}

const Errors = ({ sentence: { number, id, missed, spurious, errors } }) => html`
  <h2 id="pair-title">Sentence ${number}${id && ` (${id})`}: ${missed} missed, ${spurious} spurious</h2>
  <ul>${errors.map(({ kind, text }) => html`<li>${kind}: ${text}</li>`)}</ul>`;
