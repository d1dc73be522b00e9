// A part of the page that asks the server: what it waits for, for how long, and what is wrong.

import { attempt, stop } from "./api.js";
import { html, render } from "./components.js";
import { byId, say } from "./dom.js";

const PATIENCE = 300; // milliseconds, in which most answers arrive

export class Asking {
  /** The element `id` is busy meanwhile, the element `place` shows what is found. An error is in
   * `error`, and `clear` takes away what it is about. What is waited for is said above the element
   * `before`, with a button that stops calls of some `kinds`; then `focus` gets the focus. */
  constructor(id, {
    place, error = `${id}-error`, clear = () => this.draw(null), before = place, kinds, focus,
  }) {
    this.draw = (found) => render(found, byId(place));
    this.clear = clear;
    this.say = (message) => {
      say(byId(error), message);
      if (message) clear(message);
    };
    this.attempt = (action, sayIt = this.say) => attempt(byId(id), sayIt, action);
    if (!kinds) return;
    this.line = document.createElement("div");
    this.line.id = `${id}-progress`;
    this.halt = () => {
      this.isHalted = true;
      stop(...kinds);
      byId(focus).focus();
    };
    byId(before).before(this.line);
    this.showWait({});
  }

  /** Return what is promised; say so if it takes long. The `progress` may change meanwhile: the
   * `value` of the bar, its `max`, and another text. */
  async until(promise, text, progress = {}) {
    const start = performance.now();
    const timer = setInterval(() => this.showWait(
      { text, ...progress }, Math.floor((performance.now() - start) / 1000)), PATIENCE);
    try {
      return await promise;
    } finally {
      clearInterval(timer);
      this.showWait({});
    }
  }

  // The line stays, hidden, so that readers notice when its text changes.
  showWait({ text, value, max }, seconds) {
    render(html`<div class="row wait" hidden=${!text}>
      ${text && html`<progress max=${max} value=${value} aria-label="Working" />`}
      <span role="status">${text}</span>
      ${text && html`<span class="hint">${seconds} s</span>
        <button type="button" onClick=${this.halt}>Stop</button>`}</div>`, this.line);
  }
}
