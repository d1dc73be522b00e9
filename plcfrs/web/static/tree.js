// The tree in the tab of treebanks, with its place, its named nodes, and chosen nodes.

import { html, useState } from "./components.js";
import { Picture } from "./picture.js";

const NOTHING = { tokens: [], nodes: [], dims: false };

/** `to` gets the number of another tree, and `findMore` the chosen nodes and tokens. `parse` may be
 * missing. The words of a `hit` are lit. */
export function Tree({ total, matches, number, tree, hit, to, findMore, parse, editAt, ...found }) {
  const [chosen, setChosen] = useState(null); // nodes and tokens of a tree
  const isChoosing = Boolean(chosen);
  const picked = chosen?.tree === tree ? chosen : NOTHING;
  const choose = (event) => {
    const part = event.target.closest("[data-place]");
    if (!isChoosing || !part || (event.key && event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    event.stopPropagation();
    const kind = part.dataset.node ? "nodes" : "tokens";
    const place = Number(part.dataset.place);
    const places = new Set(picked[kind]);
    if (!places.delete(place)) places.add(place);
    setChosen({ ...picked, tree, [kind]: [...places] });
  };
  const marked = matches ? `, ${found.trees[0].matches} of ${matches} matches marked` : "";
  const button = (name, step) => html`
    <button type="button" id=${name.toLowerCase()} onClick=${() => to(number + step)}
      disabled=${number + step < 1 || number + step > total}>${name}</button>`;
  const hasFunctions = picked.nodes.some((node) => tree.functions[node].length);
  const labels = [...picked.nodes.map((node) => tree.labels[node]),
    ...picked.tokens.map((token) => tree.tokens[token].form)];
  return html`<div class="row tools">
      ${button("Previous", -1)}
      <label>Tree <input type="number" id="number" min="1" max=${total} value=${number}
        onChange=${(event) => to(Number(event.target.value))} /></label>
      <span class="status" id="treebank-status" role="status">
        of ${total}: ${tree.id}${marked}</span>
      ${button("Next", 1)}
      ${parse && html`<button type="button" id="parse-this" onClick=${parse}>
        Parse this sentence</button>`}
      <button type="button" id="choose" aria-pressed=${String(isChoosing)}
        title="Choose nodes in the tree by clicking or with Enter, to find more like them"
        onClick=${() => setChosen(chosen ? null : { tree, ...NOTHING })}>Choose nodes</button>
      ${isChoosing && html`<button type="button" id="find-more" class="main"
        disabled=${!labels.length} onClick=${() => {
          setChosen(null);
          findMore(picked);
        }}>Find more like this</button>
        ${hasFunctions && html`<label><input type="checkbox" id="functions"
          checked=${picked.functions} title="NP-SBJ, not every NP"
          onChange=${({ target }) => setChosen({ ...picked, functions: target.checked })} />
          with these functions</label>`}
        <span role="status" id="chosen">${labels.join(", ") || "no nodes chosen"}</span>`}
      <${Legend} named=${tree.named} />
    </div>
    <div class=${isChoosing ? "choosing" : undefined} onClickCapture=${choose}
      onKeyDownCapture=${choose}>
      <${Picture} id="treebank-picture" tree=${tree} editAt=${editAt}
        lit=${isChoosing ? picked : { ...NOTHING, tokens: hit?.positions ?? [] }} /></div>`;
}

const Legend = ({ named }) => named.length > 0 && html`<ul class="names" aria-label="Named nodes">
  ${named.map(({ name }, i) => html`<li><svg width="22" height="14" aria-hidden="true"
    data-named=${i % 5}><rect x="2" y="2" width="18" height="10" rx="3" /></svg> ${name}</li>`)}
  </ul>`;
