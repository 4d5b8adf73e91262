// Elements from values. Text is always text: nothing here, or anywhere in the console, parses HTML.

const SVG = "http://www.w3.org/2000/svg";
const PROPERTIES = new Set(["value", "checked", "disabled", "selected", "hidden", "open", "indeterminate"]);

/** An HTML element: h("p", { class: "muted", onclick: act }, "text", child, [more, children]). */
export function h(name, properties = {}, ...children) {
  return filled(document.createElement(name), properties, children);
}

/** The same for SVG. */
export function s(name, properties = {}, ...children) {
  return filled(document.createElementNS(SVG, name), properties, children);
}

function filled(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) {
      if (PROPERTIES.has(name)) element[name] = value ?? "";
    } else if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), value);
    } else if (name === "style") {
      // Through the object model: the content security policy forbids style attributes, and rightly so.
      for (const [key, text] of Object.entries(value)) element.style.setProperty(key, text);
    } else if (PROPERTIES.has(name)) {
      element[name] = value;
    } else {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Put these children in place of whatever an element has. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

let labels = 0;

/** A labelled control: the label stands above it, a hint below. */
export function field(label, control, hint) {
  control.id ||= `field-${++labels}`;
  const note = hint ? h("small", { class: "hint", id: `${control.id}-hint` }, hint) : null;
  if (note) control.setAttribute("aria-describedby", note.id);
  return h("div", { class: "field" }, h("label", { for: control.id }, label), control, note);
}

/** A drop-down list; options are texts, or pairs of value and text. */
export function select(options, value, properties = {}) {
  const element = h("select", properties, options.map((option) => {
    const [key, text] = Array.isArray(option) ? option : [option, option];
    return h("option", { value: key }, text);
  }));
  if (value !== undefined) element.value = value;
  return element;
}

/** A table with a heading; cells are texts or elements. Columns that are numbers, or left out on phones, are named by place. */
export function table(caption, heading, rows, numeric = [], wideOnly = []) {
  const cell = (kind) => (content, place) => {
    const looks = [numeric.includes(place) ? "number" : "", wideOnly.includes(place) ? "wide-only" : ""];
    return h(kind, { class: looks.join(" ").trim() || undefined, scope: kind === "th" ? "col" : undefined }, content);
  };
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    h("table", {},
      h("caption", { class: "unseen" }, caption),
      h("thead", {}, h("tr", {}, heading.map(cell("th")))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map(cell("td")))))));
}

/** What is said until something is there; it goes when that fails. */
export const waiting = (text) => h("p", { class: "muted under-way" }, text);

/** A message in a box: "error", "warning", "good" or "note". */
export function notice(kind, ...content) {
  return h("div", { class: `notice ${kind}`, role: kind === "error" ? "alert" : "status" }, content);
}
