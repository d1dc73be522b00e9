// Components of all tabs, in Preact: text is set as text, never parsed as HTML.

import { html, useState } from "./vendor/htm-preact.js";
import { capitalized, counted, moveFocus } from "./dom.js";

export {
  html, render, useEffect, useLayoutEffect, useMemo, useRef, useState,
} from "./vendor/htm-preact.js";

export const Message = ({ text }) => html`
  <p class="error" role="alert" hidden=${!text}>${capitalized(text)}</p>`;

/** A table of items. A column is [name, cell, key], or false to leave it out. The cell is a field of
 * an item, or a function of the item and its number. Names of columns of numbers start with #.
 * `lit` says whether a row is lit, and `look` returns its attributes. With `act`, arrow keys move
 * the focus between rows, and Enter or a click acts. Columns with a key can be sorted: `order` has
 * the current key (`by`), and `sort`, which gets another. The highest items come first, or for
 * `lowest` keys the lowest. With `both`, the lowest come first, and a hyphen before the key or
 * another click reverses the order. A `box` (classes) scrolls; a `label` makes it a region. */
export function Table({ columns, rows, lit, look, act, foot, order = {}, box, label }) {
  const [reached, setReached] = useState(0); // the row that Tab reaches
  const shown = columns.filter(Boolean);
  const attributes = (item, i) => {
    const isLit = lit?.(item, i);
    const looks = { ...(isLit && { class: "lit", "aria-current": "true" }), ...look?.(item, i) };
    return act ? {
      ...looks,
      tabindex: i === Math.min(reached, rows.length - 1) ? "0" : "-1",
      onClick: () => act(item, i),
      onKeyDown: (event) => {
        const { previousElementSibling, nextElementSibling } = event.currentTarget;
        if (event.key === "Enter") act(item, i);
        moveFocus(event, { ArrowUp: previousElementSibling, ArrowDown: nextElementSibling });
      },
      onFocus: () => {
        setReached(i);
        looks.onFocus?.();
      },
    } : looks;
  };
  const kind = (i) => (shown[i][0].startsWith("#") ? "number" : undefined);
  const table = html`<table>
    <thead><tr>${shown.map(([name, , key], i) => html`
      <${Heading} ...${{ name: name.replace("#", ""), kind: kind(i), by: key, order }} />`)}
    </tr></thead>
    <tbody>${rows.map((item, row) => html`<tr ...${attributes(item, row)}>
      ${shown.map(([, cell], i) => html`<td class=${kind(i)}>
        ${typeof cell === "string" ? item[cell] : cell(item, row)}</td>`)}</tr>`)}</tbody>
    ${foot && html`<tfoot><tr>${foot.map((cell, i) => html`
      <td class=${kind(i)}>${cell}</td>`)}</tr></tfoot>`}
  </table>`;
  const region = label && { role: "region", "aria-label": label, tabindex: "0" };
  return box ? html`<div class=${box} ...${region}>${table}</div>` : table;
}

function Heading({ name, kind, by, order }) {
  if (!by) return html`<th scope="col" class=${kind}>${name}</th>`;
  const isSorted = order.by === by || order.by === `-${by}`;
  const isLowest = order.both ? order.by !== `-${by}` : order.lowest?.includes(by);
  const [way, arrow] = isLowest ? ["ascending", " ↑"] : ["descending", " ↓"];
  const next = order.both && order.by === by ? `-${by}` : by; // a click asks for it
  const first = next.startsWith("-") || !(order.both || isLowest) ? "Highest" : "Lowest";
  return html`<th scope="col" class=${kind} aria-sort=${isSorted ? way : undefined}>
    <button type="button" class="sort" title=${`${first} ${name} first`}
      onClick=${() => order.sort(next)}>${name}${isSorted ? arrow : ""}</button></th>`;
}

export const PAGE = 50; // items

/** The number of items, and buttons to go through their pages. */
export function Pages({ total, noun, offset, shown, go, children }) {
  const button = (name, target, disabled) => html`
    <button type="button" disabled=${disabled} onClick=${() => go(target)}>${name}</button>`;
  const range = shown && total > shown ? `, ${offset + 1} to ${offset + shown} shown` : "";
  return html`<div class="row tools">
    <p class="status" role="status">${counted(total, noun)}${range}</p>
    ${total > PAGE && html`<span class="pages">
      ${button("Previous", offset - PAGE, offset === 0)}
      ${" "}${button("Next", offset + PAGE, offset + shown >= total)}</span>`}
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
