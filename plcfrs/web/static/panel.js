// A part of the page that asks the server: it shows results, waits and errors.

import { attempt, stop } from "./api.js";
import { html, render } from "./components.js";
import { byId, say } from "./dom.js";

const QUIET = 300; // milliseconds before a wait is shown: most answers arrive sooner

export class Panel {
  /** The element `id` is busy during calls, and the element `place` shows their results. Errors are
   * shown in `error`, and `clear` removes old results. With `kinds` of calls, a line above the
   * element `before` says what the user waits for, with a button that stops these calls; then
   * `focus` gets the focus. */
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

  /** Return what is promised, and show `text` if it takes long. The caller may change `progress`
   * meanwhile: the `value` of the bar, its `max`, and another `text`. */
  async until(promise, text, progress = {}) {
    const start = performance.now();
    const timer = setInterval(() => this.showWait(
      { text, ...progress }, Math.floor((performance.now() - start) / 1000)), QUIET);
    try {
      return await promise;
    } finally {
      clearInterval(timer);
      this.showWait({});
    }
  }

  // The line stays, hidden: screen readers only announce changes of existing lines.
  showWait({ text, value, max }, seconds) {
    render(html`<div class="row wait" hidden=${!text}>
      ${text && html`<progress max=${max} value=${value} aria-label="Working" />`}
      <span role="status">${text}</span>
      ${text && html`<span class="hint">${seconds} s</span>
        <button type="button" onClick=${this.halt}>Stop</button>`}</div>`, this.line);
  }
}
