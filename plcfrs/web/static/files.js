// Files of a tree to copy or download: its picture as shown, or the tree itself.

import { attempt, post } from "./api.js";
import { html, Message, useRef, useState } from "./components.js";

const FORMATS = {
  svg: "SVG", png: "PNG", pdf: "PDF", tikz: "LaTeX", discbracket: "discbracket", export: "export",
  json: "JSON", conllu: "CoNLL-U",
};

/** `wanted` returns what the server needs to draw the tree as shown; `all` is the text with the
 * tree, and its number of trees; `edit` is where the tree can be edited, if not in Draw. */
export function Files({ tree, wanted, all, edit }) {
  const [format, setFormat] = useState("svg");
  const [rules, setRules] = useState("collins");
  const [error, setError] = useState("");
  const [said, say] = useState("");
  const row = useRef(null);
  const [isOne, setOne] = useState(false);
  const isAll = all?.count > 1 && !isOne;
  const own = { discbracket: tree.discbracket, export: tree.export, json: tree.json_line };
  const content = async () => (!isAll && own[format]) || post("draw/file", {
    ...wanted(), ...isAll && { text: all.text, transform: all.transform }, format,
    head_rules: rules }, null);
  const act = (action, done) => {
    say("");
    attempt(row.current, setError, async () => {
      await action();
      say(done);
    });
  };
  const name = isAll ? "trees" : (tree.id || "tree").replace(/[^\w.-]+/g, "_");
  const extension = { tikz: "tex", json: "jsonl" }[format] ?? format;
  const save = async () => download(`${name}.${extension}`, await content());
  return html`<div class="files"><div class="row tools" ref=${row}>
    ${all?.count > 1 && html`<select aria-label="Trees" value=${isOne ? "one" : "all"}
      onChange=${(event) => setOne(event.target.value === "one")}>
      <option value="all">All ${all.count} trees</option>
      <option value="one">This tree</option></select>`}
    <label>As${" "}
      <select value=${format} onChange=${(event) => { setFormat(event.target.value); say(""); }}>
        ${Object.entries(FORMATS).map(([value, text]) => html`
          <option value=${value}>${text}</option>`)}</select></label>
    ${format === "conllu" && html`<label>Heads by${" "}
      <select value=${rules} onChange=${(event) => setRules(event.target.value)}>
        <option value="collins">Collins (1999)</option>
        <option value="negra">NeGra and TIGER</option></select></label>`}
    <button type="button" disabled=${format === "pdf"}
      onClick=${() => act(() => copy(content(), format === "png"), "Copied.")}>Copy</button>
    <button type="button" onClick=${() => act(save, "")}>Download</button>
    <a href=${edit ?? `#draw?${new URLSearchParams({ text: tree.json_line.trim() })}`}>Edit</a>
    <span class="hint" role="status">${said}</span>
  </div><${Message} text=${error} /></div>`;
}

/** Download a file: a text, or a blob. */
export function download(name, content) {
  const url = URL.createObjectURL(new Blob([content]));
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** Copy what is promised, a text or a PNG, to the clipboard. */
async function copy(promised, isImage) {
  if (navigator.clipboard?.write) {
    const type = isImage ? "image/png" : "text/plain";
    const blob = promised.then((content) => new Blob([content], { type }));
    // Safari needs the promise at once, while it handles the click.
    await navigator.clipboard.write([new ClipboardItem({ [type]: blob })]);
    return;
  }
  // Without https, browsers can only copy texts from other machines, and only this way.
  if (isImage) throw new Error("This browser copies pictures only over https: download the picture.");
  const content = await promised;
  const field = document.createElement("textarea");
  field.value = content instanceof Blob ? await content.text() : content;
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}
