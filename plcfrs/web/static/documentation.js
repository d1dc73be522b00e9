// The OpenAPI document as a page.

import { html, render, Table } from "./components.js";
import { byId } from "./dom.js";

const { info, paths, components } = await (await fetch("/openapi.json")).json();
const types = Object.entries(components.schemas).filter(([name]) => !name.includes("Validation"));
const operations = Object.entries(paths).flatMap(([path, methods]) => Object.entries(methods).map(
  ([method, operation]) => ({ ...operation, name: `${method.toUpperCase()} ${path}` })));

function Operation({ name, description, summary, parameters, requestBody, responses }) {
  const isGood = ([status]) => status.startsWith("2");
  const answers = Object.entries(responses);
  const errors = answers.filter((one) => !isGood(one)).map(
    ([status, answer]) => `${status}: ${answer.description}`);
  return html`
    <h2><code>${name}</code></h2>
    <p>${description ?? summary}</p>
    ${parameters && html`<${Table} rows=${parameters} columns=${[
      ["parameter", (one) => html`<code>${one.name}</code>`],
      ["type", (one) => html`<${Type} schema=${one.schema} />`],
      ["default", ({ required, schema }) => (
        required ? "required" : JSON.stringify(schema.default ?? null))],
      ["meaning", "description"],
    ]} />`}
    ${requestBody && html`<${Content} what="Request" kinds=${requestBody.content} />`}
    ${answers.filter((one) => isGood(one) && one[1].content).map(([status, answer]) => html`
      <${Content} what=${`Answer (${status})`} kinds=${answer.content} />`)}
    <p class="hint">${errors.join(" ")}</p>`;
}

function Content({ what, kinds }) {
  const [[kind, { schema }]] = Object.entries(kinds);
  return html`<p>${what} ${kind}: <${Type} schema=${schema} /></p>`;
}

const Description = ({ name, schema }) => html`
  <h3 id=${name}>${name}</h3>
  <p>${schema.description}</p>
  <${Table} rows=${Object.entries(schema.properties)} columns=${[
    ["field", ([key]) => html`<code>${key}</code>`],
    ["type", ([, property]) => html`<${Type} schema=${property} />`],
    ["meaning", ([, property]) => property.description],
  ]} />`;

/** The name of a type, with a link if it is described on the page. */
function Type({ schema: { $ref, anyOf, prefixItems, type, items, enum: values } }) {
  if ($ref) {
    const name = $ref.split("/").at(-1);
    return html`<a href=${`#${name}`}>${name}</a>`;
  }
  const listed = (schemas, word) => schemas.map((one, i) => html`
    ${i ? word : ""}<${Type} schema=${one} />`);
  if (anyOf) return listed(anyOf, " or ");
  if (prefixItems) return listed(prefixItems, ", ");
  if (type === "array") return html`list of <${Type} schema=${items} />`;
  if (values) return values.map((value) => JSON.stringify(value)).join(" or ");
  return type ?? "any";
}

render(html`
  <p>${info.description}</p>
  ${operations.map((one) => html`<${Operation} ...${one} />`)}
  <h2>Types</h2>
  ${types.map(([name, schema]) => html`<${Description} ...${{ name, schema }} />`)}`,
byId("documentation"));
