// Elements of the page, and texts and numbers for people.

export const byId = (id) => document.getElementById(id);

/** Act on an event at some elements; forms are not sent. */
export function on(ids, event, act) {
  for (const id of ids.split(" ")) {
    byId(id).addEventListener(event, (happened) => {
      if (event === "submit") happened.preventDefault();
      act(happened);
    });
  }
}

export const optionValues = (select) => [...select.options].map((one) => one.value);

/** Set the options of a select. Their texts are `texts`, those in the page, or the values. The
 * chosen option stays if possible. */
export function setOptions(select, values, texts = {}, chosen = select.value) {
  select.texts ??= Object.fromEntries([...select.options].map(({ value, text }) => [value, text]));
  const all = { ...select.texts, ...texts };
  select.replaceChildren(...values.map((value) => new Option(all[value] ?? value, value)));
  if (values.includes(chosen)) select.value = chosen;
}

/** Return a message with a capital first letter, unless it starts with a file name. */
export const capitalized = (message) => message.replace(
  /^[a-z](?=[a-z]* )/, (letter) => letter.toUpperCase());

/** Show a message in an element, or hide the element. */
export function say(place, message) {
  place.textContent = capitalized(message);
  place.hidden = !message;
}

/** Put the focus on an element, and bring it into sight; of a part of a tree, only the label. */
export function focusOn(element) {
  const label = element.querySelector("text");
  element.focus({ preventScroll: Boolean(label) });
  label?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** Let a key move the focus to the neighbour for this key, if there is one. */
export function moveFocus(event, neighbours) {
  const next = neighbours[event.key];
  if (!next) return;
  event.preventDefault();
  focusOn(next);
}

/** Let keys move the focus between elements; Tab reaches only one of them. */
export function roving(elements, neighbours) {
  const reach = (chosen) => elements.forEach(
    (one) => one.setAttribute("tabindex", one === chosen ? "0" : "-1"));
  reach(elements[0]);
  for (const one of elements) {
    one.addEventListener("keydown", (event) => moveFocus(event, neighbours(one)));
    one.addEventListener("focus", () => reach(one));
  }
}

/** Return a number with its noun: "1 tree", "2 trees". */
export const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

/** Return a number with four significant digits. */
export function short(number) {
  if (number === null) return "–";
  return number !== 0 && Math.abs(number) < 0.001 ? number.toExponential(2)
    : String(Number(number.toPrecision(4)));
}

export const milliseconds = (seconds) => `${short(Math.round(10000 * seconds) / 10)} ms`;
