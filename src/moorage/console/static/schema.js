// What a JSON Schema says, in few words: of what type a value is, within which limits, and what is in it.

import { number, plural } from "./format.js";
import { resolved } from "./openapi.js";

const isNull = (schema) => schema.type === "null";

/** The schema itself; what may also be null is told as the other of the two. */
export function plain(document, schema) {
  const told = resolved(document, schema);
  const [only, ...others] = alternatives(told).filter((choice) => !isNull(choice));
  return only && !others.length && !told.properties ? resolved(document, only) : told;
}

const alternatives = (schema) => schema.anyOf ?? schema.oneOf ?? [];

/** "list of Flavor or null": the type, with the names that the document has for some of them. */
export function typeOf(document, schema) {
  if (typeof schema !== "object") return schema ? "anything" : "nothing";
  if (schema.$ref) return schema.$ref.split("/").pop();
  const choices = alternatives(schema);
  if (choices.length && !schema.properties) return [...new Set(choices.map((choice) => typeOf(document, choice)))].join(" or ");
  const types = [schema.type ?? implied(schema)].flat();
  return types.map((type) => (type === "array" ? listOf(document, schema.items) : type)).join(" or ");
}

const listOf = (document, items) => (items === undefined ? "list" : `list of ${typeOf(document, items)}`);

function implied(schema) {
  if (schema.allOf || schema.properties || schema.required || schema.patternProperties) return "object";
  const values = schema.enum ?? ("const" in schema ? [schema.const] : []);
  return values.length ? [...new Set(values.map((value) => (value === null ? "null" : typeof value)))] : "anything";
}

/** What limits a value, as texts. */
export function limitsOf(schema) {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, format, uniqueItems } = schema;
  return [
    format,
    range(minimum, maximum, number),
    exclusiveMinimum === undefined ? null : `more than ${number(exclusiveMinimum)}`,
    exclusiveMaximum === undefined ? null : `less than ${number(exclusiveMaximum)}`,
    multipleOf ? `a multiple of ${number(multipleOf)}` : null,
    range(schema.minLength, schema.maxLength, (count) => plural(count, "character")),
    range(schema.minItems, schema.maxItems, (count) => plural(count, "item")),
    range(schema.minProperties, schema.maxProperties, (count) => plural(count, "key")),
    uniqueItems ? "each once" : null,
    schema.default === undefined ? null : `default ${JSON.stringify(schema.default)}`,
  ].filter(Boolean);
}

/** "at least 1 item", "at most 255 characters", "1 to 5 keys", "exactly 1 key". */
function range(least, most, told) {
  if (most === undefined) return least ? `at least ${told(least)}` : least === 0 && told === number ? "at least 0" : null;
  if (least === most) return `exactly ${told(most)}`;
  return least === undefined ? `at most ${told(most)}` : `${number(least)} to ${told(most)}`;
}

/** The values that there are, where there are only some. */
export const valuesOf = (schema) => ("const" in schema ? [schema.const] : (schema.enum ?? []));

/** What is in a value: a name, a schema, and whether it must be there. Lists have what each of their items has. */
export function partsOf(document, schema) {
  const told = plain(document, schema);
  if (typeof told !== "object") return [];
  const required = new Set(told.required);
  const part = (name, inner, kind = "key") => ({ name, schema: inner, kind, required: kind === "key" && required.has(name) });
  const properties = Object.entries(told.properties ?? {}).map(([name, inner]) => part(name, inner));
  const patterned = Object.entries(told.patternProperties ?? {}).map(([pattern, inner]) => part(pattern, inner, "pattern"));
  const other = typeof told.additionalProperties === "object" ? [part(properties.length ? "any other key" : "any key", told.additionalProperties, "word")] : [];
  const names = told.propertyNames ? [part("the name of each key", told.propertyNames, "word")] : [];
  const choices = alternatives(told).filter((choice) => !isNull(choice));
  const either = choices.length > 1 && choices.some((choice) => isNested(document, choice)) ? choices.map((choice, place) => part(place ? "or" : "either", choice, "word")) : [];
  const conditions = ["if", "then", "else", "not"].filter((word) => told[word]).map((word) => part(word, told[word], "word"));
  const all = (told.allOf ?? []).flatMap((each) => partsOf(document, each));
  const items = told.items ? partsOf(document, told.items) : [];
  return [...properties, ...patterned, ...other, ...names, ...all, ...either, ...conditions, ...items];
}

/** Whether there is anything in it to be opened. */
export function isNested(document, schema) {
  const told = plain(document, schema);
  if (typeof told !== "object") return false;
  if (told.items) return isNested(document, told.items);
  const words = ["properties", "patternProperties", "propertyNames", "allOf", "if", "not"];
  return words.some((word) => told[word]) || typeof told.additionalProperties === "object" || alternatives(told).some((choice) => isNested(document, choice));
}

/** Whether it has no keys but those that are told. */
export function isClosed(document, schema) {
  const told = plain(document, schema);
  return told.items ? isClosed(document, told.items) : told.additionalProperties === false;
}
