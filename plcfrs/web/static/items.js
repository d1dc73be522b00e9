// Surprisal of many sentences, a list or a table of stimuli: they are read a few at a time.

import { post, stop } from "./api.js";
import { bits } from "./bars.js";
import { html, Table, useState } from "./components.js";
import { byId, counted, on, short } from "./dom.js";
import { download } from "./files.js";
import { session } from "./model.js";
import { Panel } from "./panel.js";
import { guessKind, textOf } from "./sentence.js";

const fields = Object.fromEntries(
  ["text", "tagged", "tokenize"].map((name) => [name, byId(`items-${name}`)]));
const panel = new Panel("items", {
  place: "items-table", clear: () => {}, kinds: ["surprisal/items"], focus: "items-text",
});

/** `read` reads a sentence: a text, and whether it has tags. Return a function that removes the
 * table. */
export function startItems(read) {
  const submit = () => panel.attempt(() => panel.until(readAll(read), "Reading the sentences …"));
  on("items-form", "submit", submit);
  on("items-text", "input", () => guessKind(fields));
  on("items-file", "change", async ({ target }) => {
    fields.text.value = await target.files[0].text();
    guessKind(fields);
    submit();
  });
  return () => {
    stop("surprisal/items");
    panel.draw(null);
  };
}

/** Read all sentences; those already read stay if the user stops. */
async function readAll(read) {
  const { text: { value: text }, tagged: { checked: tagged }, tokenize } = fields;
  const wanted = { model: session.model.name, text, tagged, tokenize: tokenize.checked };
  panel.draw(null);
  let all = { items: [], total: 1, tsv: "", csv: "" };
  while (all.items.length < all.total) {
    const found = await post("surprisal/items", { ...wanted, first: all.items.length });
    all = {
      ...found, items: [...all.items, ...found.items],
      tsv: below(all.tsv, found.tsv), csv: below(all.csv, found.csv),
    };
    panel.draw(html`<${Items} ...${{ ...all, read }} />`);
  }
}

/** Return a table with the rows of another table below its own. */
export const below = (table, more) => (table ? table + more.slice(more.indexOf("\n") + 1) : more);

/** Return the sum of the bits of words, or null if it is not known. */
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
