// A request as a query string.

import { field, h } from "../dom.js";

/** `ask(query)` is called with what was typed; `fill` and `query` set and tell it. */
export function byQuery(ask) {
  const input = h("textarea", { rows: 5, spellcheck: "false" });
  const query = () => input.value.replace(/\s+/g, "").replace(/^\?/, "");
  const element = h("form", { onsubmit: (event) => { event.preventDefault(); ask(query()); } },
    field("Query", input, "As for GET /allocation_candidates: resources, required, member_of, in_tree, groups with suffixes, group_policy, same_subtree, root_required."),
    h("button", { type: "submit", class: "primary" }, "Find places"));
  return { element, query, fill: (question) => { input.value = question; } };
}
