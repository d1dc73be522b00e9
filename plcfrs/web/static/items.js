// Many sentences, a list or a table of stimuli: they are read a few at a time, into one table.

import { post, stop } from "./api.js";
import { Asking } from "./asking.js";
import { bits } from "./bars.js";
import { html, Table, useState } from "./components.js";
import { byId, counted, on, short } from "./dom.js";
import { download } from "./files.js";
import { used } from "./model.js";
import { guessKind, textOf } from "./sentence.js";

const fields = Object.fromEntries(
  ["text", "tagged", "tokenize"].map((name) => [name, byId(`items-${name}`)]));
const asking = new Asking("items", {
  place: "items-table", clear: () => {}, kinds: ["surprisal/items"], focus: "items-text",
});

/** `read` reads one of the sentences: a text, and whether it has tags. Return a function that takes
 * the table away. */
export function startItems(read) {
  const submit = () => asking.attempt(() => asking.until(readAll(read), "Reading the sentences …"));
  on("items-form", "submit", submit);
  on("items-text", "input", () => guessKind(fields));
  on("items-file", "change", async ({ target }) => {
    fields.text.value = await target.files[0].text();
    guessKind(fields);
    submit();
  });
  return () => {
    stop("surprisal/items");
    asking.draw(null);
  };
}

/** Read all sentences; when this is stopped, those that are read stay. */
async function readAll(read) {
  const { text: { value: text }, tagged: { checked: tagged }, tokenize } = fields;
  const wanted = { model: used.model.name, text, tagged, tokenize: tokenize.checked };
  asking.draw(null);
  let all = { items: [], total: 1, tsv: "", csv: "" };
  while (all.items.length < all.total) {
    const found = await post("surprisal/items", { ...wanted, first: all.items.length });
    all = {
      ...found, items: [...all.items, ...found.items],
      tsv: below(all.tsv, found.tsv), csv: below(all.csv, found.csv),
    };
    asking.draw(html`<${Items} ...${{ ...all, read }} />`);
  }
}

/** Return a table with the rows of another one below its own. */
export const below = (table, more) => (table ? table + more.slice(more.indexOf("\n") + 1) : more);

/** Return the bits of words together, or null if they are not known. */
export const totalOf = (words) => (words.some((one) => one.surprisal === null) || !words.length
  ? null : words.reduce((sum, one) => sum + one.surprisal, 0));

function Items({ items, total, tsv, csv, read }) {
  const columns = [...new Set(items.flatMap(({ kept }) => Object.keys(kept)))];
  const [chosen, choose] = useState(-1);
  const again = ({ words, text }, i) => {
    choose(i);
    read(textOf(words) || text, words.some(({ tag }) => tag));
  };
  return html`<div class="row tools">
    <p class="status" role="status">
      ${items.length < total && `${items.length} of `}${counted(total, "sentence")}</p>
    <button type="button" onClick=${() => download("surprisal.tsv", tsv)}>TSV</button>
    <button type="button" onClick=${() => download("surprisal.csv", csv)}>CSV</button></div>
  <${Table} box="scroll" rows=${items} act=${again} lit=${(_, i) => i === chosen} columns=${[
    ["sentence", "sentence"], ...columns.map((name) => [name, ({ kept }) => kept[name]]),
    ["bits of each word", ({ words, text, message }) => html`
      ${words.length ? words.map((one) => html`<${Word} ...${one} />`) : text}
      ${message && html`<p class="problem">${message}</p>`}`],
    ["#bits", ({ words }) => short(totalOf(words))],
    ["#per word", ({ words }) => short(totalOf(words) && totalOf(words) / words.length)],
  ]} />`;
}

const Word = ({ word, known, surprisal }) => html`<span class="read">
  <span class=${known === false && "unknown"}>${word}</span>
  <small>${surprisal === null ? "–" : bits(surprisal)}</small></span> `;
