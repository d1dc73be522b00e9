// The list of the sentences of a project: searched, filtered, and in some order.

import { html, PAGE, Pages, Table } from "./components.js";
import { counted } from "./dom.js";
import { share } from "./label-menu.js";
import { Training } from "./training.js";

const SIGNS = { accepted: ["✓", "accepted"], later: ["◷", "for later"], begun: ["●", "begun"] };
const FILTERS = {
  all: () => true,
  todo: ({ status }) => status === "",
  later: ({ status }) => status === "later",
  note: ({ note }) => note,
  findings: ({ findings, finding }) => findings > 0 || finding,
};
const ORDERS = {
  text: () => 0,
  doubt: (one, other) => (other.doubt ?? -1) - (one.doubt ?? -1),
  mine: (one, other) => (other.acted ?? 0) - (one.acted ?? 0),
};

/** Return some of the sentences in some order. */
export function listed(sentences, { query, order, filter }) {
  const wanted = query.trim().toLowerCase();
  return sentences.filter((one) => FILTERS[filter](one) && (!wanted
    || `${one.id} ${one.text} ${one.note}`.toLowerCase().includes(wanted))).toSorted(ORDERS[order]);
}

/** Return the next sentence after a place without a decision, or the first of those for later. */
export function nextOpen(all, place) {
  const others = [...all.slice(place + 1), ...all.slice(0, Math.max(place, 0))];
  return others.find(FILTERS.todo) ?? others.find(FILTERS.later);
}

/** `from` is the first sentence in sight, and `current` the open one; `go` gets another first one, and
 * `attempt` says errors. */
export function SentenceList({ all, from, current, project, go, open, attempt }) {
  const shown = all.slice(from, from + PAGE);
  const { length: total } = project.sentences;
  const { length: accepted } = project.sentences.filter(({ status }) => status === "accepted");
  const { untouched } = project.progress;
  const later = project.sentences.filter(FILTERS.later).length;
  return html`<p class="status" role="status">${accepted} of ${counted(total, "sentence")} accepted
      ${later > 0 && `, ${later} for later`}
      ${untouched !== null && `, ${Math.round(100 * untouched)} % as proposed`}
      <progress max=${total} value=${accepted} aria-label="Accepted sentences" /></p>
    <${Table} box="scroll" rows=${shown} act=${({ id }) => open(id)}
      lit=${({ id }) => id === current} columns=${[
        ["status", ({ status, revision }) => {
          const [sign, name] = SIGNS[status || (revision && "begun")] ?? [];
          return sign && html`<span role="img" aria-label=${name} title=${name}>${sign}</span>`;
        }],
        ["sentence", ({ id, text, note, findings, finding }) => html`<b>${id}</b> ${text}
          ${findings > 0 && html` <small class="finding">${counted(findings, "finding")}</small>`}
          ${finding && html`<br /><small class="finding">${finding}</small>`}
          ${note && html`<br /><small>✎ ${note}</small>`}`],
        ["#doubt", ({ doubt }) => doubt != null && share(doubt)],
      ]} />
    <${Pages} total=${all.length} noun="sentence" offset=${from} shown=${shown.length} go=${go} />
    <${Training} attempt=${attempt} />`;
}
