// A schema as an outline. What is within something is drawn when somebody opens it, so that schemas may refer to themselves.

import { fill, h } from "../dom.js";
import { isClosed, isNested, limitsOf, partsOf, plain, typeOf, valuesOf } from "../schema.js";

// So many levels are open from the start.
const OPEN = 2;

/** A whole body: what it is, and what is in it. */
export function outline(document, schema) {
  return h("div", { class: "outline" },
    h("p", {}, facts(document, schema)), isNested(document, schema) ? parts(document, schema, 1) : null);
}

/** One line of it; `where` is said of parameters. */
export function entry(document, { name, schema, kind, required, where }, depth = OPEN) {
  const told = [
    kind === "word" ? h("em", {}, name) : h("code", { class: "key" }, kind === "pattern" ? `/${name}/` : name), " ",
    required ? h("strong", { class: "required" }, "required") : null, " ",
    where ? h("small", { class: "muted" }, `in the ${where}, `) : null,
    facts(document, schema),
  ];
  if (!isNested(document, schema)) return h("li", {}, told);
  const inside = h("div", {});
  const open = () => { if (!inside.hasChildNodes()) fill(inside, parts(document, schema, depth + 1)); };
  const shown = depth < OPEN;
  if (shown) open();
  return h("li", {}, h("details", { open: shown, ontoggle: open }, h("summary", {}, told), inside));
}

function parts(document, schema, depth) {
  return h("ul", {},
    partsOf(document, schema).map((part) => entry(document, part, depth)),
    isClosed(document, schema) ? h("li", { class: "muted" }, h("small", {}, "no other keys")) : null);
}

/** The type, limits, values and meaning of one value. */
function facts(document, schema) {
  const told = plain(document, schema);
  const inner = told.items && !isNested(document, told.items) ? plain(document, told.items) : null;
  const description = schema.description ?? told.description;
  return [
    h("span", { class: "type" }, typeOf(document, schema)),
    [told, inner].filter((each) => each && typeof each === "object").map(bounds),
    description ? h("p", { class: "meaning" }, description) : null,
  ];
}

function bounds(schema) {
  const values = valuesOf(schema);
  return [
    limitsOf(schema).map((text) => h("small", { class: "limit" }, ` · ${text}`)),
    schema.pattern ? h("small", { class: "limit" }, " · matches ", h("code", {}, schema.pattern)) : null,
    values.length ? h("span", { class: "values" }, " ", values.map((value) => h("code", {}, typeof value === "string" ? value : JSON.stringify(value)))) : null,
  ];
}
