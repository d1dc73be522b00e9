// Components that all tabs use, in Preact: text is set as text, never parsed as HTML.

import { html, useEffect, useRef } from "./vendor/htm-preact.js";
import { roving } from "./dom.js";

export { html, render } from "./vendor/htm-preact.js";

/** A table: columns whose names begin with # are numbers; `look` gives the attributes of a row.
 * Rows that have an action get the focus with the arrow keys; Enter or a click acts. */
export function Table({ columns, rows, look = () => ({}), act = null, foot = null }) {
  const body = useRef(null);
  useEffect(() => {
    if (!act) return;
    roving([...body.current.rows], (row, key) => ({
      ArrowUp: row.previousElementSibling, ArrowDown: row.nextElementSibling })[key]);
  }, [rows]);
  const kind = (i) => (columns[i].startsWith("#") ? "number" : undefined);
  return html`<table>
    <thead><tr>${columns.map((name, i) => html`
      <th scope="col" class=${kind(i)}>${name.replace("#", "")}</th>`)}</tr></thead>
    <tbody ref=${body}>${rows.map((cells, row) => html`
      <tr ...${look(row)} onClick=${act && (() => act(row))}
          onKeyDown=${act && ((event) => event.key === "Enter" && act(row))}>
        ${cells.map((cell, i) => html`<td class=${kind(i)}>${cell}</td>`)}
      </tr>`)}</tbody>
    ${foot && html`<tfoot><tr>${foot.map((cell, i) => html`
      <td class=${kind(i)}>${cell}</td>`)}</tr></tfoot>`}
  </table>`;
}
