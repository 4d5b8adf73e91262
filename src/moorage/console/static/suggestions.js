// Names that go on with what somebody types, a few at a time: a list of ten thousand helps nobody.

import { fill, h } from "./dom.js";

const OFFERED = 20;
let lists = 0;

/**
 * The list to put beside an input for one name or for several, with commas or | between them and perhaps ! before one.
 * `known()` gives, or promises, names or pairs of a value and its name.
 */
export function suggestions(input, known) {
  const list = h("datalist", { id: `suggestions-${++lists}` });
  input.setAttribute("list", list.id);

  async function offer() {
    const found = [];
    const names = await known();
    const [, before = "", begun] = input.value.match(/^(.*[,|!]\s*)?(.*)$/);
    const wanted = begun.toLowerCase();
    for (const each of names) {
      const [value, name] = Array.isArray(each) ? each : [each, each];
      if (name.toLowerCase().includes(wanted)) found.push(h("option", { value: `${before}${value}`, label: name === value ? undefined : name }));
      if (found.length === OFFERED) break;
    }
    fill(list, found);
  }

  input.addEventListener("focus", offer);
  input.addEventListener("input", offer);
  return list;
}
