// Capacity: what is used, promised, waited for and free; how many more fit; and what would be with hosts more or less.

import { computeOf } from "../compute.js";
import { field, fill, h, notice, table, waiting } from "../dom.js";
import { amount, number, plural } from "../format.js";
import { hostSuggestions } from "../host_suggestions.js";
import { bar, legend } from "../pictures/bar.js";

const PARTS = ["used", "committed", "pending", "free"];
const MOST_FLAVORS = 20;
// What pooled resources are counted in, in terms of the units that amounts are written with.
const UNITS = { cores: "VCPU", ram: "MEMORY_MB", instances: "VCPU" };
const TITLES = { cores: "Cores", ram: "RAM", instances: "Instances" };

export function capacityPage(main, { session, failed }) {
  const { api } = session;
  const packed = h("div", {}, waiting("Packing the cloud …"));
  const counted = h("div", {}, waiting("Counting …"));
  const part = h("input", { type: "search", placeholder: "part of a name", "aria-label": "Find a flavor", oninput: soon });
  const search = h("div", { hidden: true }, part);
  fill(main,
    h("h1", {}, "Capacity"),
    h("section", {}, h("div", { class: "heading" }, h("h2", {}, "How many more fit now"), search), h("p", { class: "muted" }, "Each flavor by itself, on what is free at this moment."), counted),
    packed,
    h("section", { class: "card" }, h("h2", {}, "What if?"), whatIf()));
  // Side by side: what hosts have is soon known, what everybody uses and was promised is not.
  const listed = list();
  listed.then(count).catch(failed);
  pack().catch(failed);

  async function pack() {
    const now = await api.console("capacity");
    fill(packed,
      now.left_out.length ? notice("warning", h("details", {}, h("summary", {}, `${plural(now.left_out.length, "host is", "hosts are")} not counted`), h("ul", {}, now.left_out.slice(0, 20).map((reason) => h("li", {}, reason))))) : null,
      now.zones.length ? null : notice("note", "No host is in an availability zone; capacity is told by zone."),
      h("section", {}, h("div", { class: "heading" }, h("h2", {}, "By zone"), legend(PARTS)), zones(now)),
      now.split.length ? h("section", {}, h("h2", {}, "Flavors that are counted by themselves"), splits(now.split)) : null,
      now.unplaced.length ? h("section", {}, h("h2", {}, "What finds no place"), unplaced(now.unplaced)) : null);
  }

  let flavors = [];
  const chosen = () => flavors.filter((name) => name.toLowerCase().includes(part.value.trim().toLowerCase())).slice(0, MOST_FLAVORS);

  async function list() {
    flavors = (await computeOf(session).flavors()).map((flavor) => flavor.name).filter((name) => !name.startsWith("reservation:")).sort();
    search.hidden = flavors.length <= MOST_FLAVORS;
  }

  let pending;
  /** A word is looked for when it is there, not at each of its letters. */
  function soon() {
    clearTimeout(pending);
    pending = setTimeout(() => count().catch(failed), 250);
  }

  let asked;
  async function count() {
    const names = chosen();
    asked = names;
    if (!names.length) {
      fill(counted, notice("note", flavors.length ? "No flavor has this in its name." : "There are no flavors."));
      return;
    }
    const query = new URLSearchParams(names.map((name) => ["flavor", name]));
    const { fit } = await api.console(`capacity/fit?${query}`);
    if (asked !== names) return; // others were asked for meanwhile
    fill(counted, fits(fit), names.length === MOST_FLAVORS ? h("p", { class: "muted" }, `${MOST_FLAVORS} of ${number(flavors.length)} flavors; a part of the name finds the others.`) : null);
  }

  /** With the flavors that are counted, which must be known first. */
  function whatIf() {
    const count = h("input", { type: "number", min: 0, max: 1000, value: 10 });
    const pattern = h("input", { placeholder: "name of a host", spellcheck: "false" });
    const drain = h("input", { placeholder: "names, with commas between them", spellcheck: "false" });
    const result = h("div", { "aria-live": "polite" });
    const form = h("form", {
      onsubmit: async (event) => {
        event.preventDefault();
        const add = pattern.value.trim() && Number(count.value) > 0 ? [{ host: pattern.value.trim(), count: Number(count.value) }] : [];
        const leaving = drain.value.split(/[\s,]+/).filter(Boolean);
        if (!add.length && !leaving.length) {
          fill(result, notice("note", "Say which host to add copies of, or which to drain."));
          return;
        }
        fill(result, waiting("Packing the cloud twice …"));
        try {
          await listed;
          const told = await api.console("capacity/what-if", { method: "POST", body: { add, drain: leaving, flavors: chosen() } });
          fill(result, comparison(told));
        } catch (error) {
          fill(result, notice("error", error.message));
        }
      },
    },
    [pattern, drain].map((input) => hostSuggestions(session, input)),
    h("div", { class: "what-if" }, field("Add empty hosts", count), field("like", pattern), field("and drain", drain), h("button", { type: "submit", class: "primary" }, "Compare")),
    result);
    return form;
  }
}

const shown = (resource, value) => amount(UNITS[resource] ?? "VCPU", value);
const whole = (share) => PARTS.reduce((sum, part) => sum + share[part], 0);
/** What a bar shows: the capacity, or what is asked for where that is more; then less than nothing is free. */
const drawn = (share) => whole(share) - Math.min(0, share.free);
const titleOf = (share) => TITLES[share.resource] ?? share.name;
const partsOf = (share) => Object.fromEntries(PARTS.map((part) => [part, share[part]]));

const inWords = (share, part) => (share[part] < 0 ? `${shown(share.resource, -share[part])} more than there is` : `${shown(share.resource, share[part])} ${part}`);

/** A card for each zone, with what is pooled there. */
function zones({ pooled }) {
  const names = [...new Set(pooled.map((share) => share.zone))];
  return h("div", { class: "zones" }, names.map((zone) => h("section", { class: "card", "aria-label": `Zone ${zone}` },
    h("h3", {}, zone),
    h("dl", { class: "stocks" }, pooled.filter((share) => share.zone === zone).map((share) => [
      h("dt", {}, titleOf(share)),
      h("dd", {}, bar(UNITS[share.resource] ?? "VCPU", partsOf(share), `${share.resource} in ${zone}`),
        h("small", {}, PARTS.filter((part) => share[part] || part === "free").map((part) => inWords(share, part)).join(" · "))),
    ])))));
}

function splits(shares) {
  const rows = shares.map((share) => [
    share.name, share.zone, bar("VCPU", partsOf(share), `${share.name} in ${share.zone}`), ...PARTS.map((part) => number(share[part])), number(whole(share)),
  ]);
  return table("Flavors that are counted by themselves", ["Flavor", "Zone", "", ...PARTS, "capacity"], rows, [3, 4, 5, 6, 7], [2]);
}

function unplaced(found) {
  return table("What finds no place", ["Flavor", "Zone", "Demand", "How many", "Why"], found.map((each) => [each.flavor, each.zone, each.demand, number(each.count), h("div", { class: "sentence" }, each.reason)]), [3]);
}

function fits(found) {
  const zoneNames = [...new Set(found.flatMap((fit) => Object.keys(fit.by_zone)))].sort();
  const most = Math.max(1, ...found.map((fit) => fit.total));
  const rows = found.map((fit) => [
    fit.flavor, number(fit.total),
    h("div", { class: "bar thin", role: "img", "aria-label": `${fit.total}` }, h("span", { class: "used", style: { "flex-grow": String(fit.total / most) } }), h("span", { class: "free", style: { "flex-grow": String(1 - fit.total / most) } })),
    ...zoneNames.map((zone) => number(fit.by_zone[zone] ?? 0)), plural(fit.hosts, "host"),
    Object.entries(fit.limits).sort(([, one], [, other]) => other - one).map(([name, count]) => `${name} on ${number(count)}`).join(", "),
  ]);
  const numeric = [1, ...zoneNames.map((_, place) => place + 3)];
  return table("How many more fit", ["Flavor", "Fit", "", ...zoneNames, "On", "What limits it"], rows, numeric, [2, ...zoneNames.map((_, place) => place + 3)]);
}

/** Before above after, for every resource and zone that changes, and for what fits. */
function comparison({ before, after, displaced }) {
  const rows = new Map();
  [before, after].forEach((state, place) => {
    for (const share of [...state.pooled, ...state.split]) {
      const key = `${share.resource} ${share.zone}`;
      // What is missing on one side has nothing of anything there.
      if (!rows.has(key)) rows.set(key, Array(2).fill({ ...share, used: 0, committed: 0, pending: 0, free: 0 }));
      rows.get(key)[place] = share;
    }
  });
  const changes = [...rows.values()].filter(([then, now]) => PARTS.some((part) => then[part] !== now[part]));
  const pictures = changes.map(([then, now]) => {
    const largest = Math.max(1, drawn(then), drawn(now));
    const pair = h("div", { class: "before-after" }, [["before", then], ["after", now]].map(([word, share]) =>
      h("div", { class: "labelled" }, h("small", { class: "muted" }, word), scaled(share, largest))));
    return [titleOf(now), now.zone, pair, shown(now.resource, then.free), shown(now.resource, now.free), difference(now.free - then.free, (value) => shown(now.resource, value))];
  });
  const counts = after.fit.map((fit, place) => [fit.flavor, number(before.fit[place].total), number(fit.total), difference(fit.total - before.fit[place].total, number)]);
  return [
    h("p", {}, `${plural(before.hypervisors, "host")} before, ${plural(after.hypervisors, "host")} after.`),
    pictures.length ? table("Before and after", ["Resource", "Zone", "", "free before", "free after", "difference"], pictures, [3, 4, 5], [3]) : notice("note", "Nothing changes in what is counted."),
    displaced.length ? moves(displaced) : null,
    after.unplaced.length ? [h("h3", {}, "What then finds no place"), unplaced(after.unplaced)] : null,
    counts.length ? [h("h3", {}, "How many more fit"), table("How many more fit, before and after", ["Flavor", "before", "after", "difference"], counts, [1, 2, 3])] : null,
  ];
}

/** A bar that is as wide as its share of the largest one. */
function scaled(share, largest) {
  const picture = bar(UNITS[share.resource] ?? "VCPU", partsOf(share), `${titleOf(share)} in ${share.zone}`);
  picture.style.setProperty("flex-grow", String(drawn(share) / largest));
  return h("div", { class: "scaled" }, picture, h("span", { style: { "flex-grow": String(1 - drawn(share) / largest) } }));
}

/** What becomes of the servers of hosts that are drained. */
function moves(displaced) {
  const sum = (part) => displaced.reduce((all, each) => all + each[part], 0);
  const [count, unplaced] = [sum("count"), sum("unplaced")];
  const homeless = displaced.filter((each) => each.unplaced);
  const outcome = !unplaced ? "all of them find another place in their zones" : unplaced === count ? "none of them finds another place in its zone" : `${number(unplaced)} of them find no place in their zones`;
  return [
    h("h3", {}, "Servers of the hosts that go"),
    notice(unplaced ? "warning" : "good", `${plural(count, "server runs", "servers run")} on the hosts that go; ${outcome}.`),
    unplaced ? table("Servers that find no other place", ["Flavor", "Zone", "Servers", "without a place"], homeless.map((each) => [each.flavor, each.zone, number(each.count), number(each.unplaced)]), [2, 3]) : null,
  ];
}

const difference = (value, text) => h("span", { class: value > 0 ? "good" : value < 0 ? "bad" : "muted" }, value > 0 ? `+${text(value)}` : value < 0 ? `−${text(-value)}` : "0");
