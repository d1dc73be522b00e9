// What is being waited for, for how long, and a button that stops it.

import { stop } from "./api.js";
import { element } from "./dom.js";

const PATIENCE = 300; // milliseconds, in which most answers arrive

export class Wait {
  /** Stands before an element; stops calls of a kind, and then gives a field the focus. */
  constructor(before, kind, field) {
    this.text = element("span", { role: "status" });
    this.seconds = element("span", { class: "hint" });
    const button = element("button", { type: "button" }, "Stop");
    button.addEventListener("click", () => {
      stop(kind);
      field.focus();
    });
    this.line = element("div", { class: "row wait", hidden: "" },
      element("progress", { "aria-label": "Working" }), this.text, this.seconds, button);
    before.before(this.line);
  }

  /** Return what is promised; say so if it takes long. */
  async until(promise, text) {
    const start = performance.now();
    const timer = setInterval(() => {
      this.line.hidden = false;
      if (this.text.textContent !== text) this.text.textContent = text;
      this.seconds.textContent = `${Math.floor((performance.now() - start) / 1000)} s`;
    }, PATIENCE);
    try {
      return await promise;
    } finally {
      clearInterval(timer);
      this.line.hidden = true;
    }
  }
}
