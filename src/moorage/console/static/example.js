// A value that is like what a schema asks for, and small: what must be there, and of alternatives the first.

import { resolved } from "./openapi.js";

const UUID = "00000000-0000-0000-0000-000000000000";
const TEXTS = [UUID, "2030-01-31 12:00", "2030-01-31T12:00:00Z", "1", "CUSTOM_NAME"];
const DEEPEST = 8;

export function bodyLike(document, schema, name = "name", depth = 0) {
  const told = resolved(document, schema);
  if (typeof told !== "object" || depth > DEEPEST) return null;
  for (const known of [told.const, told.examples?.[0], told.default, told.enum?.[0]]) if (known !== undefined) return known;
  const inner = (part, key = name) => bodyLike(document, part, key, depth + 1);
  if (told.allOf) return Object.assign({}, ...told.allOf.map((part) => inner(part)));
  const choices = (told.anyOf ?? told.oneOf ?? []).filter((choice) => choice.type !== "null");
  if (choices.length && !told.properties) return inner(choices[0]);
  const kind = [told.type].flat()[0] ?? (told.properties ? "object" : "string");
  if (kind === "object") return objectLike(told, choices, inner);
  if (kind === "array") return told.items ? [inner(told.items)] : [];
  if (kind === "integer" || kind === "number") return told.minimum ?? (told.exclusiveMinimum ?? 0) + 1;
  if (kind === "string") return told.format === "uuid" ? UUID : textLike(told.pattern, name);
  return kind === "boolean" ? true : null;
}

function objectLike(told, choices, inner) {
  const properties = told.properties ?? {};
  const required = [...(told.required ?? []), ...(choices[0]?.required ?? [])].filter((key) => key in properties);
  const keys = required.length ? required : Object.keys(properties).slice(0, 1);
  const found = Object.fromEntries(keys.map((key) => [key, inner(properties[key], key)]));
  if (keys.length) return found;
  const [pattern, patterned] = Object.entries(told.patternProperties ?? {})[0] ?? [];
  if (pattern) return { [textLike(pattern, "key")]: inner(patterned, "value") };
  return typeof told.additionalProperties === "object" ? { key: inner(told.additionalProperties, "value") } : {};
}

/** The name, or whatever else may stand there. */
function textLike(pattern, name) {
  if (pattern === undefined) return name;
  const expression = new RegExp(pattern);
  return [name, name.toUpperCase(), ...TEXTS].find((text) => expression.test(text)) ?? name;
}
