// Help for queries: what can be written, with examples that run with a click.

import { html, Table } from "./components.js";

/** The sections of the help; `run` gets the query of an example. */
export const Help = ({ sections, run }) => sections.map(({ title, about, entries }) => html`
    <section aria-label=${title}><h2>${title}</h2>
      <p class="hint"><${Text} text=${about} /></p>
      <${Table} rows=${entries} act=${({ example }) => run(example)} columns=${[
        ["written", ({ written }) => written.map((one) => html`<code>${one}</code> `)],
        ["meaning", ({ meaning }) => html`<${Text} text=${meaning} />`],
        ["example", ({ example }) => html`<code>${example}</code>`],
      ]} />
    </section>`);

/** A text with parts of queries in backquotes. */
const Text = ({ text }) => text.split("`").map(
  (part, i) => (i % 2 ? html`<code>${part}</code>` : part));
