// What is asked for, in one of three ways: by flavor, by form, as a query string. It is one question, kept as a query
// string: the way that is shown next takes over what the one before has made of it.

import { fill, h } from "../dom.js";
import { parsed } from "../request.js";
import { byFlavor } from "./fit_by_flavor.js";
import { byForm } from "./fit_by_form.js";
import { byQuery } from "./fit_by_query.js";

const USUAL = "resources=VCPU:8,MEMORY_MB:16384";

/**
 * `start` is { q, by, flavor, image, zone }, as the address has them; `ask` is called with the same and with reasons.
 * `take(query)` puts another question into the way that is shown, and asks it.
 */
export function composer(session, known, start, ask) {
  const ways = {
    flavor: { title: "By flavor", there: session.may.see_queries && known.flavors.length > 0, make: () => byFlavor(session, known, start, (query, reasons) => asked(query, reasons)) },
    form: { title: "By form", there: true, make: () => byForm(session, known, (query) => asked(query)) },
    query: { title: "Query string", there: true, make: () => byQuery((query) => asked(query)) },
  };
  const names = Object.keys(ways).filter((name) => ways[name].there);
  const buttons = new Map(names.map((name) => [name, h("button", { type: "button", onclick: () => change(name) }, ways[name].title)]));
  const made = new Map();
  const panel = h("div", {});
  let question = start.q || USUAL;
  let shown = null;
  let turn = 0;

  function show(name) {
    shown = name;
    for (const [each, button] of buttons) button.setAttribute("aria-pressed", String(each === name));
    if (!made.has(name)) made.set(name, ways[name].make());
    made.get(name).fill(question);
    fill(panel, made.get(name).element);
  }

  async function change(name) {
    const mine = ++turn;
    const found = await made.get(shown).query();
    if (mine !== turn) return; // yet another was chosen meanwhile
    question = found ?? question;
    show(name);
  }

  function asked(query, reasons) {
    question = query;
    return ask({ q: query, by: shown, ...made.get(shown).choice?.() }, reasons);
  }

  function take(query) {
    question = query;
    // No flavor asks for this any more.
    show(shown !== "flavor" ? shown : parsed(query).rest.length ? "query" : "form");
    return asked(query);
  }

  show(names.includes(start.by) ? start.by : start.q ? "query" : names[0]);
  return { element: [h("div", { class: "choices", role: "group", "aria-label": "How to ask" }, [...buttons.values()]), panel], take };
}
