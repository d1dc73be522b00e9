// Elements of the page. Text is only ever set as text: nothing is parsed as HTML.

export const byId = (id) => document.getElementById(id);

/** Return a new element: attributes, then children (elements or text). */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Return a table; cells are elements or text, columns whose names begin with # are numbers. */
export function table(columns, rows, attributes = () => ({})) {
  const looks = columns.map((name) => (name.startsWith("#") ? { class: "number" } : {}));
  const head = columns.map((name, i) => element("th", { scope: "col", ...looks[i] },
    name.replace("#", "")));
  const body = rows.map((cells, row) => element("tr", attributes(row),
    ...cells.map((cell, i) => element("td", looks[i], cell))));
  return element("table", {}, element("thead", {}, element("tr", {}, ...head)),
    element("tbody", {}, ...body));
}

export function options(select, names) {
  select.replaceChildren(...names.map((name) => element("option", { value: name }, name)));
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

const blobOf = (content, type = "text/plain;charset=utf-8") => (
  content instanceof Blob && content.type === type ? content : new Blob([content], { type }));

/** Give the user a file: a text, or a blob. */
export function download(name, content) {
  const blob = content instanceof Blob ? content : blobOf(content);
  const url = URL.createObjectURL(blob);
  const link = element("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** Put what is promised on the clipboard: a text, or a PNG. */
export async function copy(promised, isImage) {
  if (navigator.clipboard?.write) {
    const type = isImage ? "image/png" : "text/plain";
    const blob = promised.then((content) => blobOf(content, type));
    // Safari wants the promise at once, while it remembers the click.
    await navigator.clipboard.write([new ClipboardItem({ [type]: blob })]);
    return;
  }
  // Without https, from another machine, browsers have only this, for texts.
  if (isImage) throw new Error("This browser copies pictures only with https: download it.");
  const content = await promised;
  const field = document.createElement("textarea");
  field.value = content instanceof Blob ? await content.text() : content;
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}

/** Return a number with its noun: "1 tree", "2 trees". */
export const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

/** Return a number with four digits, for people. */
export function short(number) {
  if (number === null) return "–";
  return number !== 0 && Math.abs(number) < 0.001 ? number.toExponential(2)
    : String(Number(number.toPrecision(4)));
}
