// The OpenAPI document as a page.

import { html, render, Table } from "./components.js";
import { byId } from "./dom.js";

async function start() {
  const { info, paths, components } = await (await fetch("/openapi.json")).json();
  const types = Object.entries(components.schemas).filter(([name]) => !name.includes("Validation"));
  render(html`
    <p>${info.description}</p>
    ${Object.entries(paths).map(([path, methods]) => Object.entries(methods).map(
      ([method, operation]) => html`
        <${Operation} name=${`${method.toUpperCase()} ${path}`} operation=${operation} />`))}
    <h2>Types</h2>
    ${types.map(([name, schema]) => html`<${Description} name=${name} schema=${schema} />`)}`,
  byId("documentation"));
}

function Operation({ name, operation }) {
  const answers = Object.entries(operation.responses);
  const isGood = ([status]) => status.startsWith("2");
  const errors = answers.filter((one) => !isGood(one));
  return html`
    <h2><code>${name}</code></h2>
    <p>${operation.description ?? operation.summary}</p>
    ${operation.parameters && html`<${Table} columns=${["parameter", "type", "default", "meaning"]}
      rows=${operation.parameters.map((one) => [
        html`<code>${one.name}</code>`, html`<${Type} schema=${one.schema} />`,
        one.required ? "required" : JSON.stringify(one.schema.default ?? null),
        one.description])} />`}
    ${operation.requestBody && html`
      <${Content} what="Request" kinds=${operation.requestBody.content} />`}
    ${answers.filter((one) => isGood(one) && one[1].content).map(([status, answer]) => html`
      <${Content} what=${`Answer (${status})`} kinds=${answer.content} />`)}
    <p class="hint">${errors.map(([status, { description }]) => `${status}: ${description}`).join(" ")}</p>`;
}

function Content({ what, kinds }) {
  const [[kind, { schema }]] = Object.entries(kinds);
  return html`<p>${what} ${kind}: <${Type} schema=${schema} /></p>`;
}

const Description = ({ name, schema }) => html`
  <h3 id=${name}>${name}</h3>
  <p>${schema.description}</p>
  <${Table} columns=${["field", "type", "meaning"]}
    rows=${Object.entries(schema.properties).map(([key, property]) => [
      html`<code>${key}</code>`, html`<${Type} schema=${property} />`, property.description])} />`;

/** The name of a type, with a link if it is described on the page. */
function Type({ schema }) {
  if (schema.$ref) {
    const name = schema.$ref.split("/").at(-1);
    return html`<a href=${`#${name}`}>${name}</a>`;
  }
  const listed = (types, word) => types.map((one, i) => html`
    ${i ? word : ""}<${Type} schema=${one} />`);
  if (schema.anyOf) return listed(schema.anyOf, " or ");
  if (schema.prefixItems) return listed(schema.prefixItems, ", ");
  if (schema.type === "array") return html`list of <${Type} schema=${schema.items} />`;
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" or ");
  return schema.type ?? "any";
}

start();
