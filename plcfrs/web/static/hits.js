// The hits of a query, listed or counted by kind: the left pane of the tab of treebanks.

import { link } from "./api.js";
import { html, Pages, Table, useState } from "./components.js";
import { byId, counted, moveFocus } from "./dom.js";

const NUMBERS = ["gap-degree", "length"];

/** Return the default order of counts: numbers form a distribution. */
export const usualOrder = (by) => (NUMBERS.includes(by) ? "value" : "-count");

const printed = (value) => value.split("\t").map((one) => one || "none").join(", ");

/** `hit` is the number of the hit in sight. `go` gets other values of what is shown; `begin` does,
 * too, and starts with the first hit. `pick` gets a hit. */
export function HitList({ shown, hits, hit, go, begin, pick, searchWithin, ...others }) {
  const { side, from, by, value } = shown;
  const tab = (name, text) => html`<button type="button" role="tab" id=${`${name}-side`}
    aria-selected=${String(side === name)} aria-controls="hits-panel"
    tabindex=${side === name ? "0" : "-1"} onClick=${() => go({ side: name, by: by || "label" })}
    onKeyDown=${(event) => moveFocus(event, {
      ArrowLeft: byId("hits-side"), ArrowRight: byId("counts-side") })}
    onFocus=${({ currentTarget }) => side === name || currentTarget.click()}>${text}</button>`;
  return html`
    <div class="row sides"><div role="tablist" aria-label="What the query has found">
      ${tab("hits", counted(hits.total, "hit"))}${tab("counts", "Counts")}</div>
      ${value !== null ? html`<span>${by}: <mark>${printed(value)}</mark>
        ${" "}<button type="button" onClick=${() => begin({ value: null })}>All hits</button>
        </span>`
        : !others.search.within && html`<button type="button" id="search-within"
          title="Search only the trees with these hits"
          onClick=${searchWithin}>Search within these</button>`}
    </div>
    <div role="tabpanel" id="hits-panel" aria-labelledby=${`${side}-side`}>
      ${side === "counts" ? html`<div id="hits-counts">
        <${Counts} ...${{ ...others, shown, go, begin }} /></div>`
        : html`<div id="hits-list"><${List} ...${hits} ...${{ shown, hit, begin, pick }} /></div>
          <${Pages} total=${hits.total} noun="hit" offset=${from} shown=${hits.hits.length}
            go=${(place) => go({ from: place })} />`}
    </div>`;
}

function List({ hits, shown, hit, begin, pick }) {
  const hasFunctions = hits.some((one) => one.function && !one.label.endsWith(`-${one.function}`));
  return html`<${Table} box="scroll context" rows=${hits} act=${(_, i) => pick(i)}
    look=${(_, i) => ({ onFocus: () => pick(i) })} lit=${(_, i) => i === hit}
    order=${{ both: true, by: shown.sort, sort: (sort) => begin({ sort }) }} columns=${[
      ["sentence", "id", "sentence"], ["label", "label", "label"],
      hasFunctions && ["function", "function", "function"], ["#before", "before", "before"],
      ["words", ({ parts }) => parts.map((part, i) => (i % 2
        ? html` <small class="gap">[${part}]</small> ` : html`<mark>${part}</mark>`)), "words"],
      ["after", "after", "after"], ["#length", (one) => one.positions.length, "length"],
      ["#gaps", "gap_degree", "gap-degree"],
    ]} />`;
}

/** The number of hits of each kind: a table with bars. */
function Counts({ counts, search, shown, keys, names, go, begin }) {
  const { by, value, order } = shown;
  const [typed, type] = useState(by);
  const columns = by.split(",").map((key) => key.trim()).filter(Boolean);
  const before = typed.slice(0, typed.lastIndexOf(",") + 1); // more keys may follow
  const all = [...keys, ...names.flatMap((name) => keys.map((key) => `${name}.${key}`))];
  const count = (text) => {
    type(text);
    begin({ by: text.trim(), order: "", value: null });
  };
  const rest = counts && counts.kinds - counts.counts.length;
  const most = counts && Math.max(...counts.counts.map((one) => one.count));
  return html`
    <div class="row"><label>Count by <input id="hits-by" list="hits-keys" value=${typed}
      placeholder="a.label, b.function" autocomplete="off" spellcheck="false"
      title="One or more keys, separated by commas; a.label is the label of the node named a"
      onInput=${(event) => type(event.target.value)}
      onChange=${(event) => count(event.target.value)} /></label>
      <datalist id="hits-keys">${all.map((key) => html`
        <option value=${before ? `${before} ${key}` : key} />`)}</datalist></div>
    ${counts && html`
    <p class="status" role="status">${counted(counts.kinds, "kind")}
      ${rest > 0 && `; the first ${counts.counts.length} are shown`}
      ${" "}<a href=${link("counts.tsv", { ...search, by })} download="counts.tsv">TSV</a></p>
    <${Table} box="scroll long" rows=${counts.counts}
      lit=${({ values }) => values.join("\t") === value}
      act=${({ values }) => begin({ value: values.join("\t"), side: "hits" })}
      order=${{ both: true, by: order || usualOrder(by), sort: (sort) => go({ order: sort }) }}
      columns=${[
        ["#count", "count", "count"],
        ["#%", (one) => ((100 * one.count) / counts.total).toFixed(1)],
        ["share", (one) => html`<span class="bar" aria-hidden="true"
          style=${{ width: `${(100 * one.count) / most}%` }} />`],
        ...columns.map((key, i) => [
          key, ({ values }) => values[i] || html`<em>none</em>`, i === 0 ? "value" : undefined]),
      ]} />`}`;
}
