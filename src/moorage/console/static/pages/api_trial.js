// Trying an operation that only reads: its parameters as a form, and what comes back.

import { field, fill, h, notice, select } from "../dom.js";
import { number } from "../format.js";
import { composed, keyOf } from "../openapi.js";
import { limitsOf, plain, typeOf, valuesOf } from "../schema.js";

// So many optional parameters are shown at once; the rest waits to be opened.
const FEW = 6;
const LONGEST = 200_000;
const TELLING = ["content-type", "openstack-api-version", "x-openstack-request-id", "location", "link", "etag", "last-modified", "cache-control", "retry-after"];

/** The form; `onChange` is told the values by parameter whenever they change. */
export function trial(session, { document, server }, operation, onChange) {
  const outcome = h("p", { class: "answered", role: "status" });
  const answer = h("div", {});
  const send = h("button", { type: "submit", class: "primary" }, "Send");
  const controls = operation.parameters.map((parameter) => [parameter, control(document, parameter)]);
  const fields = (wanted) => controls.filter(([parameter]) => wanted(parameter)).map(([parameter, input]) =>
    field(parameter.required ? `${parameter.name}, required` : parameter.name, input, parameter.schema.description));
  const optional = fields((parameter) => !parameter.required);
  const form = h("form", { onsubmit: (event) => { event.preventDefault(); ask(); }, oninput: () => onChange(values()) },
    h("div", { class: "asked" }, fields((parameter) => parameter.required)),
    optional.length > FEW
      ? h("details", {}, h("summary", {}, `${optional.length} parameters that may be left out`), h("div", { class: "asked" }, optional))
      : h("div", { class: "asked" }, optional),
    h("div", { class: "buttons" }, send));
  return h("div", {}, form, outcome, answer);

  function values() {
    return Object.fromEntries(controls.map(([parameter, input]) => [keyOf(parameter), texts(input)]));
  }

  async function ask() {
    const { address, headers } = composed(operation, values());
    send.disabled = true;
    try {
      const began = performance.now();
      const response = await session.api.ask(`${server}${address}`, { headers: { Accept: "*/*", ...headers } });
      const body = await response.blob();
      fill(outcome, statusOf(response), ` ${number(Math.round(performance.now() - began))} ms, ${number(body.size)} bytes`);
      fill(answer, headersOf(response), body.size ? await content(body) : null);
    } catch (error) {
      fill(outcome);
      fill(answer, notice("error", error.message));
    } finally {
      send.disabled = false;
    }
  }
}

function control(document, { name, required, schema }) {
  const told = plain(document, schema);
  if (told.const !== undefined) return h("input", { value: String(told.const), spellcheck: "false" });
  const values = told.type === "boolean" ? [true, false] : valuesOf(told);
  if (values.length) return select([["", "–"], ...values.map((value) => [String(value), String(value)])], "", { required });
  if (told.type === "array") return h("textarea", { rows: 2, required, spellcheck: "false", placeholder: "one in each line" });
  const inputmode = told.type === "integer" ? "numeric" : undefined;
  return h("input", { name, required, inputmode, spellcheck: "false", autocomplete: "off", placeholder: [typeOf(document, schema), ...limitsOf(told)].join(", ") });
}

/** Each line of a text area is a value of its own; what is empty is not sent. */
const texts = (input) => (input.localName === "textarea" ? input.value.split("\n").map((line) => line.trim()) : [input.value]).filter(Boolean);

const statusOf = ({ ok, status, statusText }) => h("strong", { class: ok ? "good" : "bad" }, `${status} ${statusText}`);

function headersOf({ headers }) {
  return h("dl", { class: "plain" }, TELLING.filter((name) => headers.has(name)).map((name) => [h("dt", {}, h("code", {}, name)), h("dd", {}, headers.get(name))]));
}

async function content(body) {
  if (!/json|text|xml|javascript/.test(body.type)) return notice("note", `${number(body.size)} bytes of ${body.type || "something"}, which are not shown.`);
  const text = readable(await body.text());
  return [
    h("pre", { class: "code-box", tabindex: 0, role: "region", "aria-label": "Body of the answer" }, text.slice(0, LONGEST)),
    text.length > LONGEST ? h("p", { class: "muted" }, `The first ${number(LONGEST)} characters of ${number(text.length)}.`) : null,
  ];
}

function readable(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
