// The sentences of a treebank in which a rule is used; each leads to its tree.

import { attempt, uses } from "./api.js";
import { html, Pages, render, Table, useEffect } from "./components.js";
import { byId, counted, options, say } from "./dom.js";
import { Wait } from "./wait.js";

const PAGE = 50;
let model = null;
let shown = null;
let note = null;
let wait = null;

/** Start the list; `remember` gives it an address. */
export function startUses(remember) {
  note = remember;
  wait = new Wait(byId("uses-list"), "uses", byId("uses-treebank"));
  byId("uses-treebank").addEventListener("change", () => {
    showUses(model, { rule: shown.rule, treebank: byId("uses-treebank").value });
  });
}

export function hideUses() {
  byId("uses").hidden = true;
  render(null, byId("uses-list"));
}

/** List the sentences of a rule in a treebank, by default the chosen one. */
export async function showUses(chosen, { rule, treebank, from = 0 }) {
  const isNew = byId("uses").hidden || shown.rule !== rule;
  [model, shown] = [chosen, { rule, treebank: treebank || byId("treebanks").value, from }];
  byId("uses").hidden = false;
  byId("uses-rule").textContent = rule;
  options(byId("uses-treebank"), [...byId("treebanks").options].map((one) => one.value));
  byId("uses-treebank").value = shown.treebank;
  note(shown);
  const refuse = (message) => {
    say(byId("uses-error"), message);
    if (message) render(null, byId("uses-list"));
  };
  await attempt(byId("uses"), refuse, async () => {
    if (!shown.treebank) throw new Error("There is no treebank: open a file in the tab Treebank.");
    const wanted = { model: model.name, rule, treebank: shown.treebank, offset: from, limit: PAGE };
    const found = await wait.until(uses(wanted), "Looking for it in the treebank …");
    render(html`<${Uses} found=${found} isNew=${isNew} />`, byId("uses-list"));
  });
}

function Uses({ found: { total, trees, uses: found }, isNew }) {
  useEffect(() => {
    if (!isNew) return;
    (byId("uses-list").querySelector("tbody tr") ?? byId("uses-treebank")).focus();
    byId("uses-title").scrollIntoView();
  }, [found]);
  return html`<${Pages} total=${total} noun="use" offset=${shown.from} shown=${found.length} size=${PAGE}
    go=${(from) => showUses(model, { ...shown, from })}>
    <span class="hint">in ${counted(trees, "tree")}</span>
  <//>
  ${found.length > 0 && html`<div class="scroll context"><${Table}
    columns=${["sentence", "label", "#before", "words", "after"]}
    rows=${found.map((use) => [use.id, use.label, use.before, html`<mark>${use.words}</mark>`, use.after])}
    act=${(row) => open(found[row])} /></div>`}`;
}

/** Show a tree in its tab, with the constituent marked. */
function open({ number, marked }) {
  const values = { treebank: shown.treebank, transform: true, tree: number, marked };
  location.hash = `treebank?${new URLSearchParams(values)}`;
}
