// Names of hosts for an input, as far as somebody may see them.

import { loadFleet } from "./fleet.js";
import { suggestions } from "./suggestions.js";

/** The list to put beside an input for the name of a host, or for several with commas between them. */
export function hostSuggestions(session, input) {
  let names = null;
  return suggestions(input, () => {
    if (!session.may.see_fleet) return [];
    names ??= loadFleet(session).then(({ hosts }) => hosts.filter((host) => host.isHost).map((host) => host.name), () => []);
    return names;
  });
}
