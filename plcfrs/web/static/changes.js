// The differences of two grammars, as plcfrs inspect --diff lists them.

import { attempt, changes } from "./api.js";
import { html, Pages, render, Table } from "./components.js";
import { byId, counted, options, say, short } from "./dom.js";

const PAGE = 50;
const KINDS = { changed: "probabilities that differ", appeared: "only in", disappeared: "only in" };
let model = null;

/** Start the comparison; `note` gives it an address. */
export function startChanges(note) {
  for (const id of ["other", "change", "change-sort"]) {
    byId(id).addEventListener("change", () => {
      note({});
      showChanges(model);
    });
  }
}

/** Offer all other models that have rules. */
export function useModels(chosen, all) {
  model = chosen;
  const others = all.filter((one) => one !== chosen && one.rules !== null).map((one) => one.name);
  options(byId("other"), ["", ...others]);
  byId("other").options[0].textContent = others.length ? "…" : "no other model with rules";
  byId("other").disabled = !others.length;
  say(byId("changes-error"), "");
  showChanges(model);
}

const clear = () => render(null, byId("changes-list"));

export async function showChanges(chosen, first = 0) {
  model = chosen;
  const other = byId("other").value;
  for (const one of document.querySelectorAll(".changes")) one.hidden = !other;
  if (!other) return clear();
  const names = { changed: "", appeared: ` ${model.name}`, disappeared: ` ${other}` };
  for (const one of byId("change").options) one.textContent = KINDS[one.value] + names[one.value];
  const refuse = (message) => {
    say(byId("changes-error"), message);
    if (message) clear();
  };
  await attempt(byId("changes"), refuse, async () => {
    const kind = byId("change").value;
    const found = await changes({
      model: model.name, other, kind, sort: byId("change-sort").value, offset: first, limit: PAGE });
    render(html`<${Changes} found=${found} kind=${kind} first=${first} other=${other} />`, byId("changes-list"));
  });
}

const Changes = ({ found, kind, first, other }) => html`
  <p class="hint">From ${other} to ${model.name}, before binarization: ${found.changed} rules change their
    probability, ${found.appeared} appear, ${found.disappeared} disappear, ${found.unchanged} stay the same.
    ${" "}${symbols(found.new_symbols, "appear")} ${symbols(found.lost_symbols, "disappear")}
    ${" "}${counted(found.new_words, "word")} appear, ${found.lost_words} disappear.</p>
  <${Pages} total=${found[kind]} noun="rule" offset=${first} shown=${found.changes.length} size=${PAGE}
    go=${(offset) => showChanges(model, offset)} />
  <div class="columns">
    ${found.changes.length > 0 && html`<div class="scroll long" role="region" aria-label="Changes" tabindex="0"><${Table}
      columns=${["rule", "#from", "#to", "#change", "#counts"]}
      rows=${found.changes.map((one) => [
        html`<span class="rule">${one.clause}</span>`,
        short(one.before), short(one.after), signed(one.change),
        `${short(one.count_before)} → ${short(one.count_after)}`])} /></div>`}
    ${found.divergences.length > 0 && html`<div class="scroll"><${Table}
      columns=${["left-hand side", "#bits that it changes"]}
      rows=${found.divergences.map(({ symbol, bits }) => [symbol, bits.toFixed(4)])} /></div>`}
  </div>`;

const signed = (number) => `${number < 0 ? "−" : "+"}${short(Math.abs(number))}`;

const symbols = (names, what) => names.length > 0 && `${counted(names.length, "symbol")} ${what}: `
  + `${names.slice(0, 10).join(", ")}${names.length > 10 ? ", …" : ""}.`;
