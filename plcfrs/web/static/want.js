// Why the best parse does not have a constituent.

import { attempt, stop, want } from "./api.js";
import { html, Message, useEffect, useRef, useState } from "./components.js";

/** `sentence` is what was parsed, as the API wants it. */
export function Wants({ sentence }) {
  const [wanted, setWanted] = useState("");
  const [lines, setLines] = useState([]);
  const [error, setError] = useState("");
  const form = useRef(null);
  useEffect(() => {
    stop("want");
    setLines([]);
    setError("");
  }, [sentence]);
  const explain = (event) => {
    event.preventDefault();
    const refuse = (message) => {
      setError(message);
      if (message) setLines([]);
    };
    attempt(form.current, refuse, async () => setLines((await want({ ...sentence, want: wanted })).lines));
  };
  return html`<form class="row" id="want-form" ref=${form} onSubmit=${explain}>
      <label>Why is there no <input id="want" size="12" placeholder="NP 0-1" spellcheck="false"
        autocomplete="off" required value=${wanted} onInput=${(event) => setWanted(event.target.value)} /></label>
      <button>Explain</button>
    </form>
    <${Message} text=${error} />
    <pre class="scroll" id="wanted" role="status" tabindex="0" hidden=${!lines.length}>${lines.join("\n")}</pre>`;
}
