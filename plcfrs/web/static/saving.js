// What the user takes along: a file, or something on the clipboard.

const blobOf = (content, type = "text/plain;charset=utf-8") => (
  content instanceof Blob && content.type === type ? content : new Blob([content], { type }));

/** Give the user a file: a text, or a blob. */
export function download(name, content) {
  const blob = content instanceof Blob ? content : blobOf(content);
  const url = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
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
