// Why the best parse does not have a constituent.

import { attempt, want } from "./api.js";
import { byId, say } from "./dom.js";

/** Start the form; `parsed` returns the model, and the sentence whose parse is shown. */
export function startWants(parsed) {
  byId("want-form").addEventListener("submit", (event) => {
    event.preventDefault();
    explain(parsed());
  });
}

/** Offer the form for a new parse, if the model can compare parses. */
export function offerWants(model) {
  byId("want-form").hidden = !model.capabilities.includes("wants");
  refuse("");
}

const refuse = (message) => {
  say(byId("want-error"), message);
  byId("wanted").hidden = true;
};

async function explain(sentence) {
  await attempt(byId("derivation"), refuse, async () => {
    const { lines } = await want({ ...sentence, want: byId("want").value });
    byId("wanted").textContent = lines.join("\n");
    byId("wanted").hidden = false;
  });
}
