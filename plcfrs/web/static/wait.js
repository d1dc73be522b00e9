// What is being waited for, for how long, and a button that stops it.

import { stop } from "./api.js";
import { html, render } from "./components.js";

const PATIENCE = 300; // milliseconds, in which most answers arrive

export class Wait {
  /** Stands before an element; stops calls of a kind, and then gives a field the focus. */
  constructor(before, kind, field) {
    this.place = document.createElement("div");
    this.halt = () => {
      stop(kind);
      field.focus();
    };
    before.before(this.place);
    this.show("");
  }

  /** Return what is promised; say so if it takes long. */
  async until(promise, text) {
    const start = performance.now();
    const timer = setInterval(
      () => this.show(text, Math.floor((performance.now() - start) / 1000)), PATIENCE);
    try {
      return await promise;
    } finally {
      clearInterval(timer);
      this.show("");
    }
  }

  // The line stays, hidden, so that readers notice when its text changes.
  show(text, seconds = 0) {
    render(html`<div class="row wait" hidden=${!text}>
      <progress aria-label="Working" /><span role="status">${text}</span>
      <span class="hint">${seconds} s</span>
      <button type="button" onClick=${this.halt}>Stop</button></div>`, this.place);
  }
}
