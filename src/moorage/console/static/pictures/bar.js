// What there is of something as a bar: used, reserved, promised, free.

import { h } from "../dom.js";
import { amount } from "../format.js";

/** A bar of parts by name, such as { used: 20, free: 220 }, in the unit of a resource class. */
export function bar(resourceClass, parts, label) {
  const shown = Object.entries(parts).filter(([, value]) => value > 0);
  const whole = shown.reduce((sum, [, value]) => sum + value, 0);
  const told = shown.map(([name, value]) => `${amount(resourceClass, value)} ${name}`).join(", ") || "nothing";
  return h("div", { class: "bar", role: "img", "aria-label": label ? `${label}: ${told}` : told, title: told },
    shown.map(([name, value]) => h("span", { class: name, style: { "flex-grow": String(value / whole) } })));
}

/** What the colours of bars mean. */
export function legend(names) {
  return h("ul", { class: "legend", "aria-label": "Colours" },
    names.map((name) => h("li", {}, h("span", { class: `swatch ${name}` }), name)));
}
