// The files of a tree: its picture as it is shown, or the tree itself, to copy or to download.

import { attempt, drawFile } from "./api.js";
import { html, Message, useRef, useState } from "./components.js";
import { copy, download } from "./saving.js";

const FORMATS = {
  svg: "SVG", png: "PNG", pdf: "PDF", tikz: "LaTeX", discbracket: "discbracket", export: "export",
  conllu: "CoNLL-U",
};
const EXTENSIONS = { tikz: "tex" };

/** `wanted` returns what the server needs to draw the tree as it is shown. */
export function Files({ tree, wanted }) {
  const [format, setFormat] = useState("svg");
  const [rules, setRules] = useState("collins");
  const [error, setError] = useState("");
  const [said, say] = useState("");
  const row = useRef(null);
  const content = async () => (format === "discbracket" || format === "export" ? tree[format]
    : drawFile({ ...wanted(), format, head_rules: rules }));
  const act = (action, done) => {
    say("");
    attempt(row.current, setError, async () => {
      await action();
      say(done);
    });
  };
  const name = (tree.id || "tree").replace(/[^\w.-]+/g, "_");
  const save = async () => download(`${name}.${EXTENSIONS[format] ?? format}`, await content());
  return html`<div class="files"><div class="row tools" ref=${row}>
    <label>As <select onChange=${(event) => { setFormat(event.target.value); say(""); }}>
      ${Object.entries(FORMATS).map(([value, text]) => html`
        <option value=${value} selected=${value === format}>${text}</option>`)}</select></label>
    ${format === "conllu" && html`<label>Heads by <select onChange=${(event) => setRules(event.target.value)}>
      <option value="collins" selected=${rules === "collins"}>Collins (1999)</option>
      <option value="negra" selected=${rules === "negra"}>NeGra and TIGER</option></select></label>`}
    <button type="button" disabled=${format === "pdf"}
      onClick=${() => act(() => copy(content(), format === "png"), "Copied.")}>Copy</button>
    <button type="button" onClick=${() => act(save, "")}>Download</button>
    <span class="hint" role="status">${said}</span>
  </div><${Message} text=${error} /></div>`;
}
