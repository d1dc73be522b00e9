// The training of the parser of a project on its accepted trees.

import { get, post } from "./api.js";
import { html, useEffect, useState } from "./components.js";

const PAUSE = 2000; // milliseconds before it is asked again how far it is

/** A button that trains the parser, and how far or how good it is; `attempt` says errors. */
export function Training({ attempt }) {
  const [{ running: isRunning, stage, done, total, curve }, setState] = useState({ curve: [] });
  const show = (state) => {
    setState(state);
    if (state.running) setTimeout(look, PAUSE);
  };
  const look = () => get("project/training").then(show, () => {}); // errors come with other calls
  useEffect(() => { look(); }, []);
  const last = curve.findLast(({ is_taken: isTaken }) => isTaken);
  const quality = last?.f1 != null && `Trained on ${last.trees} trees: F1 ${last.f1.toFixed(1)}`;
  return html`<div class="row training"><button type="button" disabled=${isRunning}
      onClick=${() => attempt(async () => show(await post("project/train", {})))}>Train the parser</button>
    <span class="hint" role="status">${isRunning && total ? `${stage}: ${done} of ${total}`
      : stage || quality}</span></div>`;
}
