// Names of hosts that go on with what somebody types, a few at a time: a list of ten thousand helps nobody.

import { fill, h } from "./dom.js";
import { loadFleet } from "./fleet.js";

const OFFERED = 20;
let lists = 0;

/** The list to put beside an input for the name of a host, or for several with commas between them. */
export function hostSuggestions(session, input) {
  const list = h("datalist", { id: `host-names-${++lists}` });
  input.setAttribute("list", list.id);
  if (!session.may.see_fleet) return list;
  let names = null;

  async function offer() {
    names ??= loadFleet(session).then(({ hosts }) => hosts.filter((host) => host.isHost).map((host) => host.name), () => []);
    const [, before, begun] = input.value.match(/^(.*,\s*)?(.*)$/);
    const wanted = begun.toLowerCase();
    const found = [];
    for (const name of await names) {
      if (name.toLowerCase().includes(wanted)) found.push(name);
      if (found.length === OFFERED) break;
    }
    fill(list, found.map((name) => h("option", { value: `${before ?? ""}${name}` })));
  }

  input.addEventListener("focus", offer);
  input.addEventListener("input", offer);
  return list;
}
