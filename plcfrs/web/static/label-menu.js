// A menu of labels beside a part of a tree: letters narrow it, digits and arrows choose, Enter takes.

import { html, render, useLayoutEffect } from "./components.js";
import { byId } from "./dom.js";

const MOST = 200; // labels in sight

/** The menu that is open: keys that were typed before it was can be given to `press`. */
export let menu = null;

/** Ask for a label: `labels` have a `label` and perhaps a `probability`; what is typed can be another
 * one. Without labels, ask for a text; `text` is in the field at first. */
export function askInMenu({ title, labels = [], text = "", beside, take }) {
  const dialog = byId("menu");
  const state = { title, text, labels, place: 0, isSelected: true };
  const draw = () => render(html`<${Menu} ...${state} found=${found(state)} take=${end}
    change=${change} />`, dialog);
  const change = (values) => {
    Object.assign(state, { isSelected: false, ...values });
    draw();
  };
  const end = (label) => {
    menu = null;
    dialog.close(); // the focus goes back
    take(label);
  };
  const press = (key) => {
    const all = found(state);
    const { place } = state;
    if (key === "Enter" && !labels.length) end(state.text.trim());
    else if (key === "Enter") all[place] && end(all[place].label);
    else if (isPlace(key, state)) end(all[key - 1].label);
    else if (key === "ArrowDown") change({ place: (place + 1) % all.length });
    else if (key === "ArrowUp") change({ place: (place - 1 + all.length) % all.length });
    else if (key.length === 1) change({ text: (state.isSelected ? "" : state.text) + key, place: 0 });
  };
  dialog.onkeydown = (event) => {
    const isOurs = ["Enter", "ArrowDown", "ArrowUp"].includes(event.key);
    if (event.isComposing || !(isOurs || isPlace(event.key, state))) return;
    event.preventDefault();
    press(event.key);
  };
  dialog.onclose = () => { if (!dialog.open) menu = null; };
  menu = { press };
  draw();
  dialog.showModal();
  put(dialog, beside);
  dialog.querySelector("input").select();
}

/** Return the labels that begin with the text, and the text itself, which may be a new one. */
function found({ labels, text }) {
  const wanted = text.trim();
  const isWhole = ({ label }) => wanted && label.toLowerCase() === wanted.toLowerCase();
  const all = labels.filter(
    ({ label }) => label.toLowerCase().startsWith(wanted.toLowerCase()));
  const others = all.filter((one) => !isWhole(one)).slice(0, MOST);
  const isNew = labels.length && wanted && !all.some(({ label }) => label === wanted);
  return [...all.filter(isWhole), ...others, ...(isNew ? [{ label: wanted, isNew }] : [])];
}

/** Whether a key is the number of a label; in a text, digits are digits. */
const isPlace = (key, { labels, text }) => /^[1-9]$/.test(key) && !text
  && labels.length >= key;

/** Put a dialog beside the label of an element, where there is room. */
function put(dialog, beside) {
  dialog.removeAttribute("style");
  if (!beside || innerWidth < 640) return;
  const { right, bottom } = beside.querySelector("text").getBoundingClientRect();
  const { width, height } = dialog.getBoundingClientRect();
  const within = (place, most) => `${Math.max(8, Math.min(place + 4, most - 8))}px`;
  dialog.style.inset = `${within(bottom, innerHeight - height)} auto auto
    ${within(right, innerWidth - width)}`;
}

function Menu({ title, text, place, labels, found: shown, change, take }) {
  useLayoutEffect(() => byId(`menu-${place}`)?.scrollIntoView({ block: "nearest" }), [place]);
  const isList = labels.length > 0;
  const combobox = isList && { role: "combobox", "aria-expanded": "true",
    "aria-controls": "menu-list", "aria-autocomplete": "list",
    "aria-activedescendant": shown.length ? `menu-${place}` : undefined };
  return html`<label>${title} <input value=${text} spellcheck="false" autocomplete="off"
      maxlength="1000" ...${combobox}
      onInput=${({ target }) => change({ text: target.value, place: 0 })} /></label>
    ${isList ? html`<ul id="menu-list" role="listbox" aria-label=${title}>
      ${shown.map(({ label, probability, isNew }, i) => html`<li role="option" id=${`menu-${i}`}
        key=${label} aria-selected=${String(i === place)} onClick=${() => take(label)}>
        <kbd>${i < 9 && !text ? i + 1 : ""}</kbd><span>${label || html`<em>none</em>`}</span>
        <small>${isNew ? "new" : probability >= 0.005 ? share(probability) : ""}</small></li>`)}</ul>`
      : html`<p class="hint">Enter saves it, Esc leaves it as it was.</p>`}`;
}

/** Return a probability as people write it: .58 */
export const share = (probability) => (probability < 0.005 ? "<.01"
  : probability > 0.995 ? "1" : probability.toFixed(2).replace(/^0/, ""));
