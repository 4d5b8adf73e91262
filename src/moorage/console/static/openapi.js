// The APIs as their OpenAPI documents tell of them: what can be asked for, and what a request looks like.

import { placeOf } from "./api.js";

/** The APIs that are served here: name, title, and where the document is. */
export const listApis = (api) => api.openapi("");

/** An API with all its operations; `server` is the address that their paths begin at. */
export async function readApi(api, { name, title, document: file }) {
  const document = await api.openapi(file);
  const address = placeOf(`openapi/${file}`);
  const server = new URL(document.servers[0].url, address).href;
  return { name, title, document, address, server, operations: operationsOf(document) };
}

function operationsOf({ paths }) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, told]) => ({ ...told, method: method.toUpperCase(), path, parameters: told.parameters ?? [] })));
}

/** A test for operations: each word must be in the path, the method or the summary. */
export function finder(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return ({ method, path, summary }) => {
    const told = `${method} ${path} ${summary}`.toLowerCase();
    return words.every((word) => told.includes(word));
  };
}

/** Operations by their paths, in the order of the document. */
export function byPath(operations) {
  const groups = new Map();
  for (const operation of operations) groups.set(operation.path, [...(groups.get(operation.path) ?? []), operation]);
  return groups;
}

/** What a schema says itself, wherever that is written. */
export function resolved(document, schema) {
  if (typeof schema !== "object" || schema.$ref === undefined) return schema;
  const { $ref: pointer, ...more } = schema;
  const target = pointer.slice(2).split("/").reduce((found, step) => found[step.replaceAll("~1", "/").replaceAll("~0", "~")], document);
  return { ...resolved(document, target), ...more };
}

/** What a parameter's values are kept by: one name may be in the path and in the query. */
export const keyOf = ({ in: place, name }) => `${place} ${name}`;

/**
 * A request with the texts that are given for its parameters: what comes after the server's address, and headers.
 * `standIn` gives a text for what must be in the address and is not given.
 */
export function composed(operation, values, standIn = () => "") {
  let path = operation.path;
  const query = [];
  const headers = {};
  for (const parameter of operation.parameters) {
    const { in: place, name, required, schema } = parameter;
    const given = values[keyOf(parameter)] ?? (schema.const === undefined ? [] : [String(schema.const)]);
    if (place === "header") {
      if (given.length) headers[name] = given[0];
      continue;
    }
    const texts = given.length || !required ? given.map(encoded) : [standIn(name)];
    if (place === "path") path = path.replace(`{${name}}`, () => texts[0]);
    else query.push(...texts.map((text) => `${encoded(name)}=${text}`));
  }
  return { address: query.length ? `${path}?${query.join("&")}` : path, headers };
}

/** Nothing is left that means something to an address or to a shell. */
const encoded = (text) => encodeURIComponent(text).replace(/[!'()*]/g, (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`);
