// Components that all tabs use, in Preact: text is set as text, never parsed as HTML.

import { html, useEffect, useRef } from "./vendor/htm-preact.js";
import { counted, roving } from "./dom.js";

export { html, render, useEffect } from "./vendor/htm-preact.js";

/** A table: columns whose names begin with # are numbers; `look` gives the attributes of a row.
 * Rows that have an action get the focus with the arrow keys; Enter or a click acts. Columns with a
 * key in `order` can be sorted, highest first, or lowest first if the key is in `lowest`:
 * { keys: { column: key }, lowest: [keys], by: the key of now, sort: (key) => … }. */
export function Table({
  columns, rows, look = () => ({}), act = null, foot = null, order = { keys: {} },
}) {
  const body = useRef(null);
  useEffect(() => {
    if (!act) return;
    roving([...body.current.rows], (row, key) => ({
      ArrowUp: row.previousElementSibling, ArrowDown: row.nextElementSibling })[key]);
  }, [rows]);
  const kind = (i) => (columns[i].startsWith("#") ? "number" : undefined);
  return html`<table>
    <thead><tr>${columns.map((name, i) => html`
      <${Heading} name=${name.replace("#", "")} kind=${kind(i)} order=${order} />`)}</tr></thead>
    <tbody ref=${body}>${rows.map((cells, row) => html`
      <tr ...${look(row)} onClick=${act && (() => act(row))}
          onKeyDown=${act && ((event) => event.key === "Enter" && act(row))}>
        ${cells.map((cell, i) => html`<td class=${kind(i)}>${cell}</td>`)}
      </tr>`)}</tbody>
    ${foot && html`<tfoot><tr>${foot.map((cell, i) => html`
      <td class=${kind(i)}>${cell}</td>`)}</tr></tfoot>`}
  </table>`;
}

function Heading({ name, kind, order }) {
  const key = order.keys[name];
  if (key === undefined) return html`<th scope="col" class=${kind}>${name}</th>`;
  const [way, arrow, first] = order.lowest?.includes(key)
    ? ["ascending", " ↑", "Lowest"] : ["descending", " ↓", "Highest"];
  const isSorted = key === order.by;
  return html`<th scope="col" class=${kind} aria-sort=${isSorted ? way : undefined}>
    <button type="button" class="sort" title=${`${first} ${name} first`} onClick=${() => order.sort(key)}>
      ${name}${isSorted ? arrow : ""}</button></th>`;
}

/** How many things there are, and buttons to go through their pages. */
export function Pages({ total, noun, offset, shown, size, go, children }) {
  const range = shown && total > shown ? `, ${offset + 1} to ${offset + shown} shown` : "";
  return html`<div class="row tools">
    <p class="status" role="status">${counted(total, noun)}${range}</p>
    ${total > size && html`<span class="pages">
      <button type="button" disabled=${offset === 0} onClick=${() => go(offset - size)}>Previous</button>
      ${" "}
      <button type="button" disabled=${offset + shown >= total} onClick=${() => go(offset + size)}>Next</button>
    </span>`}
    ${children}
  </div>`;
}
