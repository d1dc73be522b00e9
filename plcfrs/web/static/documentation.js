// The OpenAPI document as a page.

import { byId, element, table } from "./dom.js";

async function start() {
  const document_ = await (await fetch("/openapi.json")).json();
  const operations = Object.entries(document_.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => describe(method, path, operation)));
  const types = Object.entries(document_.components.schemas)
    .filter(([name]) => !name.includes("Validation"))
    .map(([name, schema]) => describeType(name, schema));
  byId("documentation").append(
    element("p", {}, document_.info.description), ...operations.flat(),
    element("h2", {}, "Types"), ...types.flat());
}

function describe(method, path, operation) {
  const parts = [
    element("h2", {}, element("code", {}, `${method.toUpperCase()} ${path}`)),
    element("p", {}, operation.description ?? operation.summary),
  ];
  if (operation.parameters) {
    parts.push(table(["parameter", "type", "default", "meaning"], operation.parameters.map((one) => [
      element("code", {}, one.name), type(one.schema),
      one.required ? "required" : JSON.stringify(one.schema.default ?? null),
      one.description ?? "",
    ])));
  }
  if (operation.requestBody) parts.push(content("Request", operation.requestBody.content));
  for (const [status, answer] of Object.entries(operation.responses)) {
    if (status.startsWith("2")) parts.push(content(`Answer (${status})`, answer.content));
  }
  const errors = Object.entries(operation.responses).filter(([status]) => !status.startsWith("2"));
  const named = errors.map(([status, answer]) => `${status}: ${answer.description}`);
  parts.push(element("p", { class: "hint" }, named.join(" ")));
  return parts;
}

function content(what, kinds) {
  const [kind, { schema }] = Object.entries(kinds)[0];
  return element("p", {}, `${what} ${kind}: `, type(schema));
}

function describeType(name, schema) {
  const rows = Object.entries(schema.properties).map(([key, property]) => [
    element("code", {}, key), type(property), property.description ?? "",
  ]);
  return [
    element("h3", { id: name }, name), element("p", {}, schema.description ?? ""),
    table(["field", "type", "meaning"], rows),
  ];
}

/** Return the name of a type, with a link if it is described on the page. */
function type(schema) {
  if (schema.$ref) {
    const name = schema.$ref.split("/").at(-1);
    return element("a", { href: `#${name}` }, name);
  }
  if (schema.anyOf) {
    const parts = schema.anyOf.flatMap((one, i) => [i ? " or " : "", type(one)]);
    return element("span", {}, ...parts);
  }
  if (schema.type === "array") return element("span", {}, "list of ", type(schema.items));
  return element("span", {}, schema.type ?? "any");
}

start();
