// Where does it fit? A request, the places there are for it and, as a picture, what became of the others.

import { computeOf } from "../compute.js";
import { field, fill, h, notice, table, waiting } from "../dom.js";
import { amount, number, plural } from "../format.js";
import { hostNames } from "../fleet.js";
import { bar } from "../pictures/bar.js";
import { funnel } from "../pictures/funnel.js";
import { queryOf, relaxed } from "../query.js";
import { address, note } from "../router.js";
import { byFlavor } from "./fit_by_flavor.js";
import { byForm } from "./fit_by_form.js";

const MOST = 200;
const SHOWN = 12;

export function fitPage(main, { session, parameters, failed }) {
  const composer = h("div", {}, waiting("One moment …"));
  const results = h("div", { class: "results", "aria-live": "polite" });
  fill(main, h("h1", {}, "Where does it fit?"), h("div", { class: "split" }, h("section", { class: "card" }, composer), results));

  let asked = 0;
  async function ask(query, reasons = []) {
    const mine = ++asked;
    note(["fit"], { q: query });
    fill(results, waiting("Looking …"));
    try {
      const limited = new URLSearchParams(query);
      if (!limited.has("limit")) limited.set("limit", MOST);
      const most = Number(limited.get("limit"));
      const [story, found, names] = await Promise.all([
        session.api.placement(`moorage/allocation_candidates/explain?${query}`),
        session.api.placement(`allocation_candidates?${limited}`),
        session.may.see_fleet ? hostNames(session) : new Map(),
      ]);
      if (mine !== asked) return; // something else was asked meanwhile
      fill(results, answer({ query, story, found, most, names, reasons, words, ask: (changed) => { show("query", changed); ask(changed).catch(failed); } }));
    } catch (error) {
      if (mine !== asked) return;
      fill(results);
      if (error.status !== 400) throw error;
      fill(results, notice("error", error.message));
    }
  }

  let show;
  let words = (text) => text;
  vocabulary(session).then((known) => {
    words = naming(known.aggregates);
    const ways = {
      flavor: { title: "By flavor", make: () => byFlavor(session, known, ask), there: session.may.see_queries && known.flavors.length > 0 },
      form: { title: "By form", make: () => byForm(known, (groups, policy) => ask(queryOf(groups, policy))), there: true },
      query: { title: "Query string", make: byQuery, there: true },
    };
    const tabs = h("div", { class: "choices", role: "group", "aria-label": "How to ask" });
    const panel = h("div", {});
    show = (name, ...more) => {
      fill(tabs, Object.entries(ways).filter(([, way]) => way.there).map(([key, way]) =>
        h("button", { type: "button", "aria-pressed": String(key === name), onclick: () => show(key) }, way.title)));
      fill(panel, ways[name].make(...more));
    };
    fill(composer, known.away ? notice("warning", `Not all of what compute knows can be offered: ${known.away}`) : null, tabs, panel);
    const query = parameters.get("q");
    if (query) {
      show("query", query);
      ask(query).catch(failed);
    } else {
      show(ways.flavor.there ? "flavor" : "form");
    }
  }).catch(failed);

  function byQuery(text = "resources=VCPU:8,MEMORY_MB:16384&required=HW_CPU_X86_AVX2") {
    const input = h("textarea", { rows: 5, spellcheck: "false", value: text });
    return h("form", { onsubmit: (event) => { event.preventDefault(); ask(input.value.replace(/\s+/g, "").replace(/^\?/, "")).catch(failed); } },
      field("Query", input, "As for GET /allocation_candidates: resources, required, member_of, in_tree, groups with suffixes, group_policy, same_subtree, root_required."),
      h("button", { type: "submit", class: "primary" }, "Find places"));
  }
}

/** What requests are made of, as far as it may be seen: flavors, images, zones, aggregates, classes and traits. */
async function vocabulary(session) {
  const { api, may } = session;
  let away = null;
  const compute = computeOf(session, (why) => { away = why; });
  const [classes, traits, aggregates, flavors, images, zones] = await Promise.all([
    may.see_names ? api.placement("resource_classes") : { resource_classes: [] },
    may.see_names ? api.placement("traits?associated=true") : { traits: [] },
    compute.aggregates(), may.see_queries ? compute.flavors() : [], compute.images(), compute.zones(),
  ]);
  return {
    classes: classes.resource_classes.map((each) => each.name), traits: traits.traits, aggregates, flavors, images, zones, away,
  };
}

/** What makes a text with UUIDs of aggregates one with their names. */
function naming(aggregates) {
  return (text) => aggregates.reduce((told, { uuid, name }) => told.replaceAll(uuid, name), text);
}

/** `most` is how many candidates were asked for: where there are as many, there may be more. */
function answer({ query, story, found, most, names, reasons, words, ask }) {
  const requests = found.allocation_requests;
  const hosts = new Set(requests.flatMap((request) => rootsOf(request, found)));
  const atLeast = requests.length >= most ? "at least " : "";
  return [
    story.has_candidates
      ? notice("good", h("strong", {}, "It fits. "), `${capital(atLeast)}${plural(requests.length, "candidate")} on ${atLeast}${plural(hosts.size, "host")}.`)
      : notice("error", h("strong", {}, "It fits nowhere. "), `The last hosts went with ${words(story.blocked_by.condition)}`),
    reasons.length ? h("ul", { class: "muted" }, reasons.map((reason) => h("li", {}, reason))) : null,
    h("details", {}, h("summary", {}, "The query"), h("code", {}, query)),
    h("section", { class: "card" }, h("h2", {}, "What is left after each condition"), funnel(story.funnel, words), story.examples.length ? h("ul", { class: "examples" }, story.examples.map((example) => h("li", {}, words(example)))) : null),
    story.relaxations.length ? h("section", { class: "card" }, h("h2", {}, "What would help"), helping(query, story.relaxations, words, ask)) : null,
    requests.length ? h("section", {}, h("h2", {}, "Candidates"), candidates(found, atLeast, names)) : null,
  ];
}

function helping(query, relaxations, words, ask) {
  return h("ul", { class: "helping" }, relaxations.map(({ change }) => {
    const changed = relaxed(query, change);
    return h("li", {}, h("span", {}, words(change)), changed ? h("button", { type: "button", onclick: () => ask(changed), "aria-label": `Try ${words(change)}` }, "Try") : null);
  }));
}

const capital = (text) => text.replace(/^./, (letter) => letter.toUpperCase());

const rootsOf = (request, { provider_summaries: summaries }) =>
  [...new Set(Object.keys(request.allocations).map((uuid) => summaries[uuid].root_provider_uuid))];

function candidates(found, atLeast, names) {
  const rows = found.allocation_requests.slice(0, SHOWN).map((request, place) => {
    const taken = Object.entries(request.allocations).map(([uuid, { resources }]) => ({ uuid, resources, summary: found.provider_summaries[uuid] }));
    const hosts = rootsOf(request, found).map((root) => h("a", { href: address(["hosts", root]) }, names.get(root) ?? root));
    return [
      number(place + 1),
      hosts.flatMap((host, number) => (number ? [" + ", host] : [host])),
      taken.map(({ resources }) => h("div", {}, Object.entries(resources).map(([name, value]) => `${amount(name, value)} ${name}`).join(", "))),
      taken.flatMap(({ resources, summary }) => Object.entries(resources).map(([name, value]) => {
        const { used, capacity } = summary.resources[name];
        return h("div", { class: "labelled" }, h("small", {}, name), bar(name, { used, promised: value, free: Math.max(0, capacity - used - value) }, `${name} used, taken and left`));
      })),
    ];
  });
  const more = found.allocation_requests.length - rows.length;
  return [
    h("ul", { class: "legend" }, [["used", "used now"], ["promised", "taken by this"], ["free", "left"]].map(([kind, text]) => h("li", {}, h("span", { class: `swatch ${kind}` }), text))),
    table("Candidates", ["#", "Host", "Takes", "Then"], rows, [0], [0]),
    more > 0 ? h("p", { class: "muted" }, `${capital(atLeast)}${number(more)} more.`) : null,
  ];
}
