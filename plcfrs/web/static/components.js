// Components that all tabs use, in Preact: text is set as text, never parsed as HTML.

import { html, useState } from "./vendor/htm-preact.js";
import { capitalized, counted } from "./dom.js";

export {
  html, render, useEffect, useLayoutEffect, useMemo, useRef, useState,
} from "./vendor/htm-preact.js";

/** An error, if there is one. */
export const Message = ({ text }) => html`
  <p class="error" role="alert" hidden=${!text}>${capitalized(text)}</p>`;

/** A table: columns whose names begin with # are numbers; `look` gives the attributes of a row.
 * Rows that have an action get the focus with the arrow keys; Enter or a click acts. Columns with a
 * key in `order` can be sorted, highest first, or lowest first if the key is in `lowest`:
 * { keys: { column: key }, lowest: [keys], by: the key of now, sort: (key) => … }. With `both`, the
 * lowest come first, and a hyphen before the key, or another click, lets the highest come first. */
export function Table({
  columns, rows, look = () => ({}), act = null, foot = null, order = { keys: {} },
}) {
  const [reached, setReached] = useState(0); // the row that Tab reaches
  const active = (row) => ({
    tabindex: row === Math.min(reached, rows.length - 1) ? "0" : "-1",
    onClick: () => act(row),
    onFocus: (event) => {
      setReached(row);
      look(row).onFocus?.(event);
    },
    onKeyDown: (event) => onKey(event, () => act(row)),
  });
  const kind = (i) => (columns[i].startsWith("#") ? "number" : undefined);
  return html`<table>
    <thead><tr>${columns.map((name, i) => html`
      <${Heading} name=${name.replace("#", "")} kind=${kind(i)} order=${order} />`)}</tr></thead>
    <tbody>${rows.map((cells, row) => html`
      <tr ...${look(row)} ...${act && active(row)}>
        ${cells.map((cell, i) => html`<td class=${kind(i)}>${cell}</td>`)}
      </tr>`)}</tbody>
    ${foot && html`<tfoot><tr>${foot.map((cell, i) => html`
      <td class=${kind(i)}>${cell}</td>`)}</tr></tfoot>`}
  </table>`;
}

function onKey(event, act) {
  const { previousElementSibling: before, nextElementSibling: after } = event.currentTarget;
  const next = { ArrowUp: before, ArrowDown: after }[event.key];
  if (event.key === "Enter") act();
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function Heading({ name, kind, order }) {
  const key = order.keys[name];
  if (key === undefined) return html`<th scope="col" class=${kind}>${name}</th>`;
  const isSorted = order.by === key || order.by === `-${key}`;
  const isLowest = order.both ? order.by !== `-${key}` : order.lowest?.includes(key);
  const [way, arrow] = isLowest ? ["ascending", " ↑"] : ["descending", " ↓"];
  const next = order.both && order.by === key ? `-${key}` : key; // a click asks for it
  const first = next.startsWith("-") || !(order.both || isLowest) ? "Highest" : "Lowest";
  return html`<th scope="col" class=${kind} aria-sort=${isSorted ? way : undefined}>
    <button type="button" class="sort" title=${`${first} ${name} first`} onClick=${() => order.sort(next)}>
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

/** Buttons and a slider that go from step to step; `go` gets the number of a step. */
export function Steps({ step, last, go }) {
  const button = (text, name, target, disabled) => html`
    <button type="button" aria-label=${name} title=${name} disabled=${disabled}
      onClick=${() => go(target)}>${text}</button>`;
  return html`<div class="row tools" role="group" aria-label="Steps">
    ${button("|◀", "First step", 0, step === 0)}
    ${button("◀", "Previous step", step - 1, step === 0)}
    <input type="range" min="0" max=${last} value=${step} aria-label="Step"
      onInput=${(event) => go(Number(event.target.value))} />
    ${button("▶", "Next step", step + 1, step === last)}
    ${button("▶|", "Last step", last, step === last)}
    <span>Step ${step} of ${last}</span>
  </div>`;
}
