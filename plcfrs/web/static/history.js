// Earlier queries, which this browser keeps. The user can choose, pin and delete them.

import { html, render } from "./components.js";
import { byId, moveFocus, on } from "./dom.js";

const KEY = "plcfrs.queries";
const MOST = 50; // besides the pinned ones
let choose = null;
let place = 0; // the place of the query in the field among the earlier ones; 0: typed
let draft = "";

/** Start the list; `again` gets the chosen query. */
export function startHistory(again) {
  choose = again;
  on("query", "keydown", goBack);
  on("query", "input", () => { place = 0; });
  draw(read());
}

/** Keep a query, once: { treebank, query, within, transform }. */
export function keep(entry) {
  place = 0;
  const isSame = (other) => Object.keys(entry).every((name) => entry[name] === other[name]);
  const earlier = read();
  const pinned = earlier.find(isSame)?.pinned ?? false;
  write([{ ...entry, pinned }, ...earlier.filter((other) => !isSame(other))]);
}

/** Return the earlier queries, the last one first. */
function read() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return [found].flat().filter((one) => typeof one?.query === "string");
  } catch {
    return [];
  }
}

function write(all) {
  const rest = all.filter((one) => !one.pinned).slice(0, MOST);
  const kept = all.filter((one) => one.pinned || rest.includes(one));
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // The browser does not keep the list: it lasts as long as the page.
  }
  draw(kept);
}

function draw(all) {
  render(html`<${Earlier} all=${all} />`, byId("history"));
}

/** Let ↑ and ↓ in the field go through the earlier queries, as in a shell. */
function goBack(event) {
  const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
  if (!step || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (!place) draft = event.target.value;
  const queries = [...new Set([draft, ...read().map((one) => one.query)])];
  if (queries[place + step] === undefined) return;
  place += step;
  event.target.value = queries[place];
}

/** The list: pinned queries come first. */
function Earlier({ all }) {
  const shown = all.toSorted((one, other) => Boolean(other.pinned) - Boolean(one.pinned));
  const change = (entry, ...changed) => write(
    all.flatMap((other) => (other === entry ? changed : other)));
  return html`<h2>Earlier queries (${all.length})</h2>
    ${all.length === 0 && html`<p class="hint">
      There are none: each query that finds something is kept in this browser.</p>`}
    <ul class="earlier" aria-label="Earlier queries" onKeyDown=${move}>
    ${shown.map((entry, i) => html`
      <li key=${`${entry.treebank} ${entry.transform} ${entry.query} ${entry.within}`}>
        <button type="button" class="query" tabindex=${i === 0 ? "0" : "-1"}
          onClick=${() => {
            byId("history").hidePopover();
            choose(entry);
          }}><code>${entry.query}</code></button>
        <button type="button" tabindex="-1" aria-pressed=${String(entry.pinned)}
          title="Keep it at the top" aria-label=${`Pin ${entry.query}`}
          onClick=${() => change(entry, { ...entry, pinned: !entry.pinned })}>Pin</button>
        <button type="button" tabindex="-1" aria-label=${`Delete ${entry.query}`}
          title="Delete it (Del)" onClick=${() => change(entry)}>×</button>
        <span class="hint">${entry.treebank}${entry.within && `, in ${entry.within}`}
          ${entry.transform && ", crossing branches"}</span>
      </li>`)}</ul>`;
}

/** Arrow keys move the focus in the list, and Delete deletes a query. */
function move(event) {
  const row = event.target.closest("li");
  const { previousElementSibling: above, nextElementSibling: below } = row;
  const place = [...row.children].indexOf(event.target);
  if (event.key === "Delete") {
    row.children[2].click();
    (below ?? above)?.firstElementChild.focus();
  }
  moveFocus(event, {
    ArrowUp: above?.children[place], ArrowDown: below?.children[place],
    ArrowLeft: row.children[place - 1], ArrowRight: row.children[place + 1],
  });
}
