// Elements of the page, and how texts and numbers are shown.

export const byId = (id) => document.getElementById(id);

export function options(select, names) {
  select.replaceChildren(...names.map((name) => new Option(name, name)));
}

/** Return a message as a sentence. File names keep their first letters. */
export const capitalized = (message) => message.replace(
  /^[a-z](?=[a-z]* )/, (letter) => letter.toUpperCase());

/** Show a message in an element, or hide the element. */
export function say(place, message) {
  place.textContent = capitalized(message);
  place.hidden = !message;
}

/** Let the arrow keys move the focus among elements, of which Tab reaches only one. */
export function roving(elements, neighbour) {
  elements.forEach((one, i) => one.setAttribute("tabindex", i === 0 ? "0" : "-1"));
  for (const one of elements) {
    one.addEventListener("keydown", (event) => {
      const next = neighbour(one, event.key);
      if (!next) return;
      event.preventDefault();
      focusOn(elements, next);
      next.focus();
    });
    one.addEventListener("focus", () => focusOn(elements, one));
  }
}

function focusOn(elements, chosen) {
  for (const one of elements) one.setAttribute("tabindex", one === chosen ? "0" : "-1");
}

/** Return a number with its noun: "1 tree", "2 trees". */
export const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

/** Return a number with four digits, for people. */
export function short(number) {
  if (number === null) return "–";
  return number !== 0 && Math.abs(number) < 0.001 ? number.toExponential(2)
    : String(Number(number.toPrecision(4)));
}
