// What a model consists of besides rules, as plcfrs inspect prints it.

import { attempt, inspection } from "./api.js";
import { byId, say } from "./dom.js";

let model = null;

/** Start it; `note` gives it an address. */
export function startInspection(note) {
  byId("symbol-form").addEventListener("submit", (event) => {
    event.preventDefault();
    note({});
    showInspection(model);
  });
}

export async function showInspection(chosen) {
  model = chosen;
  const wanted = { model: model.name, symbol: byId("symbol").value };
  await attempt(byId("inspection"), (message) => say(byId("inspection-error"), message), async () => {
    const { lines, substates } = await inspection(wanted);
    byId("symbol-form").hidden = !substates;
    byId("inspected").textContent = lines.join("\n");
    byId("inspected").hidden = !lines.length;
  });
}
