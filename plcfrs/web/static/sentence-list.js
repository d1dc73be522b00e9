// The list of the sentences of a project: searched, filtered, and in some order.

import { html, PAGE, Pages, Table } from "./components.js";
import { counted } from "./dom.js";

const SIGNS = { accepted: ["✓", "accepted"], later: ["◷", "later"], begun: ["●", "begun"] };
const FILTERS = {
  all: () => true,
  todo: ({ status }) => status === "",
  later: ({ status }) => status === "later",
  note: ({ note }) => note,
};
const ORDERS = {
  text: () => 0,
  doubt: (one, other) => (other.doubt ?? -1) - (one.doubt ?? -1),
  mine: (one, other) => (other.acted ?? 0) - (one.acted ?? 0),
};

/** Return some of the sentences in some order; `found` has the findings by sentence. */
export function listed(sentences, { query, order, filter }, found) {
  const wanted = query.trim().toLowerCase();
  const isFound = ({ id, findings }) => findings ?? found?.has(id);
  const all = sentences.filter(filter === "findings" ? isFound : FILTERS[filter]).filter(
    ({ id, text, note }) => `${id} ${text} ${note}`.toLowerCase().includes(wanted));
  return order === "text" ? all : all.toSorted(ORDERS[order]);
}

/** `from` is the first sentence in sight, and `current` the open one; `go` gets another first one. */
export function SentenceList({ all, from, current, found, project, go, open }) {
  const shown = all.slice(from, from + PAGE);
  const total = project.sentences.length;
  const count = (status) => project.sentences.filter((one) => one.status === status).length;
  const accepted = count("accepted");
  const later = count("later");
  return html`<p class="status" role="status">${accepted} of ${counted(total, "sentence")} accepted
      ${later > 0 && `, ${later} for later`}
      <progress max=${total} value=${accepted} aria-label="Accepted sentences" /></p>
    <${Table} box="scroll" rows=${shown} act=${({ id }) => open(id)}
      lit=${({ id }) => id === current} look=${({ id }) => ({ key: id })} columns=${[
        ["", (row) => html`<${Sign} ...${row} />`],
        ["sentence", ({ id, text, note }) => html`<b>${id}</b> ${text}
          ${found?.has(id) && html`<br /><small>${found.get(id)[0].message}</small>`}
          ${note && html`<br /><small>✎ ${note}</small>`}`],
        ["#doubt", ({ doubt }) => doubt?.toFixed(2).replace(/^0/, "")],
      ]} />
    <${Pages} total=${all.length} noun="sentence" offset=${from} shown=${shown.length} go=${go} />`;
}

export function Sign({ status, revision, has_tree: hasTree }) {
  const [sign, name] = SIGNS[status || (hasTree && revision > 0 && "begun")] ?? ["", ""];
  return sign && html`<span role="img" aria-label=${name} title=${name}>${sign}</span>`;
}
