// Earlier queries: kept in this browser, chosen again, pinned and deleted.

import { html, render } from "./components.js";
import { byId } from "./dom.js";

const KEY = "plcfrs.queries";
const MOST = 50; // besides the pinned ones
let choose = null;
let place = -1; // of the query in the field among the earlier ones; -1 is a new one
let draft = "";

/** Start the list; `again` gets the query that is chosen. */
export function startHistory(again) {
  choose = again;
  byId("query").addEventListener("keydown", goBack);
  byId("query").addEventListener("input", () => { place = -1; });
  draw(read());
}

/** Keep a query: { treebank, query, transform }. The same one is kept once. */
export function keep(one) {
  place = -1;
  const earlier = read();
  const before = earlier.find((other) => same(one, other));
  const rest = earlier.filter((other) => other !== before);
  write([{ ...one, pinned: before?.pinned ?? false }, ...rest]);
}

const same = (one, other) => ["treebank", "query", "transform"].every((name) => one[name] === other[name]);

/** Return the earlier queries, the last first; none if the browser keeps nothing. */
function read() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found.filter((one) => typeof one?.query === "string") : [];
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
    // The browser keeps nothing: the list lasts as long as the page.
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
  const queries = [...new Set(read().map((one) => one.query))];
  if (place < 0) draft = event.target.value;
  if (place < 0 && queries[0] === draft && step > 0) place = 0; // the one that is shown
  const next = Math.min(Math.max(place + step, -1), queries.length - 1);
  event.preventDefault();
  if (next === place) return;
  place = next;
  event.target.value = place < 0 ? draft : queries[place];
}

/** The list: pinned queries come first. */
function Earlier({ all }) {
  const shown = [...all.filter((one) => one.pinned), ...all.filter((one) => !one.pinned)];
  const change = (one, changed) => write(all.flatMap((other) => (other === one ? changed : [other])));
  return html`<details>
    <summary>Earlier queries (${all.length})</summary>
    ${all.length === 0 && html`<p class="hint">There are none: each query that finds something is kept in this browser.</p>`}
    <ul class="earlier" aria-label="Earlier queries" onKeyDown=${move}>${shown.map((one, i) => html`
      <li key=${`${one.treebank} ${one.transform} ${one.query}`}>
        <button type="button" class="query" tabindex=${i === 0 ? "0" : "-1"} onClick=${() => choose(one)}>
          <code>${one.query}</code></button>
        <span class="hint">${one.treebank}${one.transform && ", crossing branches"}</span>
        <button type="button" tabindex="-1" aria-pressed=${String(one.pinned)} title="Keep it at the top"
          aria-label=${`Pin ${one.query}`}
          onClick=${() => change(one, [{ ...one, pinned: !one.pinned }])}>Pin</button>
        <button type="button" tabindex="-1" data-delete aria-label=${`Delete ${one.query}`}
          title="Delete it (Del)" onClick=${() => change(one, [])}>×</button>
      </li>`)}</ul>
  </details>`;
}

/** Arrow keys move the focus in the list, and Delete deletes a query. */
function move(event) {
  const { target, currentTarget: list, key } = event;
  const row = target.closest("li");
  const rows = [...list.children];
  const buttons = [...row.querySelectorAll("button")];
  const [y, x] = [rows.indexOf(row), buttons.indexOf(target)];
  if (key === "Delete") {
    row.querySelector("[data-delete]").click();
    requestAnimationFrame(() => list.children[Math.min(y, list.children.length - 1)]?.querySelector("button").focus());
  }
  const next = {
    ArrowUp: rows[y - 1]?.querySelectorAll("button")[x],
    ArrowDown: rows[y + 1]?.querySelectorAll("button")[x],
    ArrowLeft: buttons[x - 1], ArrowRight: buttons[x + 1],
  }[key];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
