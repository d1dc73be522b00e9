// The third tab: the trees of a treebank one by one, or the trees that match a query.

import { fillAll, remember } from "./address.js";
import { attempt, treebanks, trees, upload } from "./api.js";
import { html, render } from "./components.js";
import { byId, counted, options, say } from "./dom.js";
import { showHits, startHits } from "./hits.js";
import { parseSentence } from "./parse.js";
import { Picture } from "./picture.js";
import { Wait } from "./wait.js";

let shown = null; // the tree in sight
let wait = null;
let number = 1;
let total = 0;

export function startTreebanks() {
  startHits(show);
  wait = new Wait(byId("treebank-result"), "trees", byId("query"));
  byId("treebank-form").addEventListener("submit", (event) => {
    event.preventDefault();
    show(1);
  });
  for (const id of ["treebanks", "transform"]) {
    byId(id).addEventListener("change", () => {
      total = 0;
      show(1);
    });
  }
  byId("previous").addEventListener("click", () => show(number - 1));
  byId("next").addEventListener("click", () => show(number + 1));
  byId("number").addEventListener("change", () => show(Number(byId("number").value)));
  byId("file").addEventListener("change", open);
  byId("parse-this").addEventListener("click", parseThis);
  byId("treebank-tab").addEventListener("focus", showOnce);
  byId("treebank-tab").addEventListener("click", showOnce);
}

/** List the treebanks, and choose one. */
export async function listTreebanks(chosen = null) {
  const names = (await treebanks()).map((one) => one.name);
  options(byId("treebanks"), names);
  byId("treebanks").disabled = names.length === 0;
  if (chosen !== null) byId("treebanks").value = chosen;
}

/** Show the tree of an address. */
export function visit(values) {
  fillAll("treebank", values);
  total = 0;
  if (byId("treebanks").value) show(Number(values.tree ?? 1), values.marked);
}

function showOnce() {
  if (byId("treebank-result").hidden && byId("treebanks").value) show(1);
}

const refuse = (message) => {
  say(byId("treebank-error"), message);
  const [, column] = /^query, column (\d+):/.exec(message) ?? [];
  if (column) {
    byId("query").focus();
    byId("query").setSelectionRange(column - 1, byId("query").value.length);
  }
  if (message) byId("treebank-result").hidden = true;
  if (message) byId("hits").hidden = true;
};

async function open() {
  const [file] = byId("file").files;
  if (!file) return;
  await attempt(byId("treebank"), refuse, async () => {
    const { name } = await upload(file);
    byId("query").value = "";
    await listTreebanks(name);
    show(1); // even if a tree of another treebank has arrived in the meantime
  });
  byId("file").value = "";
}

/** Show a tree, with more constituents marked: their numbers with commas. */
async function show(wanted, marked = "") {
  if (!byId("treebanks").value) {
    refuse("There is no treebank: open a file.");
    return;
  }
  const first = Math.max(1, wanted || 1);
  remember("treebank", { ...(first > 1 && { tree: first }), ...(marked && { marked }) });
  await attempt(byId("treebank"), refuse, async () => {
    const search = {
      treebank: byId("treebanks").value,
      query: byId("query").value,
      transform: byId("transform").checked,
    };
    const answer = await wait.until(trees({
      ...search,
      offset: first - 1,
      limit: 1,
      marked: marked ? marked.split(",") : [],
    }), total ? "Searching …" : "Reading the treebank …");
    if (answer.total === 0) throw new Error(answer.message);
    if (!answer.trees.length) throw new Error(`There is no tree ${first}, only ${counted(answer.total, "tree")}.`);
    [number, total] = [first, answer.total];
    showTree(answer.trees[0], answer);
    showHits(search);
  });
}

function showTree(found, { matches }) {
  byId("treebank-result").hidden = false;
  byId("number").value = number;
  byId("number").max = total;
  const marked = matches ? `, ${found.matches} of ${matches} matches in red` : "";
  byId("treebank-status").textContent = `of ${total}: ${found.tree.id}${marked}`;
  byId("previous").disabled = number <= 1;
  byId("next").disabled = number >= total;
  shown = found.tree;
  render(html`<${Picture} id="treebank-picture" tree=${shown} />`, byId("treebank-tree"));
}

/** Parse the words with their tags, without traces. */
function parseThis() {
  const words = shown.tokens.filter((token) => token.tag !== "-NONE-");
  const tagged = words.every((token) => token.tag);
  const text = words.map(({ form, tag }) => (tagged ? `${form}/${tag}` : form)).join(" ");
  parseSentence(text, tagged, {
    treebank: byId("treebanks").value,
    tree: number,
    ...(byId("query").value && { query: byId("query").value }),
    ...(byId("transform").checked && { transform: "true" }),
  });
}
