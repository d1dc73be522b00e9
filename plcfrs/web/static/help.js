// Help for queries: what can be written, with examples that run with a click.

import { html, render, Table } from "./components.js";
import { byId } from "./dom.js";

/** Show the sections of the help; `run` gets the query of an example. */
export function showHelp(sections, run) {
  render(html`<${Help} sections=${sections} run=${run} />`, byId("query-help"));
}

const Help = ({ sections, run }) => html`<details>
  <summary>Help</summary>
  <p class="hint">A query describes a node: <code>${"VP < NP"}</code> is a VP with a child NP. An empty query
    shows all trees. Choose a row to run its example.</p>
  <div class="help">${sections.map(({ title, about, entries }) => html`
    <section aria-label=${title}><h3>${title}</h3>
      <p class="hint"><${Text} text=${about} /></p>
      <${Table} columns=${["written", "meaning", "example"]} act=${(row) => run(entries[row].example)}
        rows=${entries.map(({ written, meaning, example }) => [
          written.map((one) => html`<code>${one}</code> `), html`<${Text} text=${meaning} />`,
          html`<code>${example}</code>`])} />
    </section>`)}</div>
</details>`;

/** A text with parts of queries in backquotes. */
const Text = ({ text }) => text.split("`").map((part, i) => (i % 2 ? html`<code>${part}</code>` : part));
