// The draft of a text. This browser keeps it, with the text before it, so that a reload does not
// lose it. A tab of the browser does not overwrite what another tab has written.

const KEY = "plcfrs.draft";
let seen = null; // the draft that this tab has read or written last
export let trouble = ""; // why the text in sight is not kept; otherwise empty

function stored() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // the browser does not keep anything
  }
}

const parsed = (draft) => ({ text: "", number: 1, ...JSON.parse(draft ?? "{}") });

/** Return the draft: its `text`, the `number` of a tree, the text `noted` in the address, and the
 * text and number before (`earlier`). */
export function readDraft() {
  seen = stored();
  trouble = "";
  return parsed(seen);
}

/** Return the text before the draft, with the number of a tree, if there is one. */
export const earlier = () => parsed(seen).earlier;

/** Keep a text; `before` is another one, with a number. */
export function keepDraft(text, { number, noted }, before = earlier()) {
  checkDraft(text);
  if (trouble) return;
  const next = JSON.stringify({ text, number, noted, earlier: before });
  try {
    localStorage.setItem(KEY, next);
    seen = next;
  } catch {
    trouble = "This browser has no space for the text: download it before you leave the page.";
  }
}

/** Check whether another tab has written a text that differs from the one in sight. */
function checkDraft(text) {
  const there = stored();
  const { text: other } = parsed(there);
  trouble = there !== seen && other && other !== text
    ? "Another tab has changed the draft: the text here is not kept." : "";
  if (!trouble) seen = there;
}

/** Call a function when another tab has written a draft that differs from a text. */
export function onOtherDraft(textOf, act) {
  window.addEventListener("storage", ({ key }) => {
    if (key !== KEY || !textOf()) return;
    checkDraft(textOf());
    act();
  });
}

for (const event of ["beforeunload", "serverback"]) {
  window.addEventListener(event, (happened) => trouble && happened.preventDefault());
}
