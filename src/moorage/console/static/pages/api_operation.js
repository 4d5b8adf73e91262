// One operation of an API: who may do it, what goes in, what comes out, and a command that does it.

import { h } from "../dom.js";
import { curl } from "../curl.js";
import { isNested } from "../schema.js";
import { entry, outline } from "./api_outline.js";
import { trial } from "./api_trial.js";

export function operationView(session, described, operation) {
  const { document } = described;
  const command = h("pre", { class: "code-box", tabindex: 0, role: "region", "aria-label": "Command" }, curl(described, operation));
  const body = Object.entries(operation.requestBody?.content ?? {});
  const title = h("h2", { class: "operation", tabindex: -1 }, method(operation), " ", h("code", {}, operation.path));
  return [
    title,
    h("p", {}, operation.summary),
    h("p", { class: "muted" }, operation["x-moorage-policy"]
      ? ["Policy rule ", h("code", {}, operation["x-moorage-policy"])]
      : "Everybody may, also without a credential."),
    operation.parameters.length ? section("Parameters", h("ul", { class: "outline" }, operation.parameters.map((parameter) => entry(document, { ...parameter, where: parameter.in })))) : null,
    body.map(([type, { schema }]) => section(`Body${operation.requestBody.required ? "" : ", which may be left out"}`, kind(type), outline(document, schema))),
    section("Answers", answers(operation).map((answer) => answerView(document, answer))),
    section("From a shell", h("div", { class: "with-button" }, command, copying(command))),
    operation.method === "GET" ? section("Try it", trial(session, described, operation, (values) => { command.textContent = curl(described, operation, values); })) : null,
  ];
}

/** The method, which is told by its colour as well. */
export const method = ({ method: name }) => h("span", { class: `method ${name.toLowerCase()}` }, name);

const section = (title, ...content) => h("section", {}, h("h3", {}, title), content);
const kind = (type) => (type === "application/json" ? null : h("p", { class: "muted" }, type));

/** Answers that look the same are told once. */
function answers({ responses }) {
  const told = new Map();
  for (const [status, { description, content = {} }] of Object.entries(responses)) {
    const look = JSON.stringify(content);
    if (!told.has(look)) told.set(look, { statuses: [], content: Object.entries(content) });
    told.get(look).statuses.push([status, description]);
  }
  return [...told.values()];
}

function answerView(document, { statuses, content }) {
  const well = statuses[0][0] < 400;
  const heading = statuses.map(([status, phrase]) => h("span", { class: "status-line" }, h("strong", { class: status < 400 ? "good" : "bad" }, status), ` ${phrase}`));
  if (!content.length) return h("p", { class: "answer" }, heading, h("span", { class: "muted" }, "without a body"));
  const [[type, { schema }]] = content;
  if (!isNested(document, schema)) return h("div", { class: "answer" }, h("p", {}, heading), kind(type), outline(document, schema));
  return h("details", { class: "answer", open: well }, h("summary", {}, heading), kind(type), outline(document, schema));
}

/** A browser lets a page write to the clipboard only over HTTPS and on loopback; elsewhere the text is marked, to be copied by hand. */
function copying(source) {
  const button = h("button", { type: "button", onclick: async () => {
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(source);
      button.textContent = "Press Ctrl-C";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  } }, "Copy");
  return button;
}
