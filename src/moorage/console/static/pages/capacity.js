// Capacity: what is used, promised, waited for and free; how many more fit; and what would be with hosts more or less.

import { computeOf } from "../compute.js";
import { field, fill, h, notice, table, waiting } from "../dom.js";
import { amount, number, plural } from "../format.js";
import { hostSuggestions } from "../host_suggestions.js";
import { bar, legend } from "../pictures/bar.js";
import { fits, PARTS, partsOf, pooledFlavors, splits, unplaced } from "./capacity_tables.js";

const MOST_FLAVORS = 20;
// What is counted under each heading: they answer different questions, so their numbers differ.
const FITTING = "Servers that could be made this minute, of each flavor as if no other were made: by what Placement has free now, with allocation ratios, and without what leases to come wait for.";
const BY_ZONE = "Hosts that take every pooled flavor, each core once and without allocation ratios, less what is kept for the flavors below: what servers use of it, what running leases promise, what leases to come wait for, and what is left.";
const SPLITS = "How many of them one can count on. All is packed together, without allocation ratios: first what is used and promised, then the rest, divided among these flavors and the pool as they use it now. So a flavor that nobody uses may have no part of what would fit now.";
const POOLED = "Servers and slots of leases of each pooled flavor; free is how many more of it fit now, as above. What leases hold by size is of no flavor.";
// What pooled resources are counted in, in terms of the units that amounts are written with.
const UNITS = { cores: "VCPU", ram: "MEMORY_MB", instances: "VCPU" };
const TITLES = { cores: "Cores", ram: "RAM", instances: "Instances" };

export function capacityPage(main, { session, failed }) {
  const { api } = session;
  const packed = h("div", {}, waiting("Packing the cloud …"));
  const counted = h("div", {}, waiting("Counting …"));
  const inUse = h("section", { hidden: true });
  const part = h("input", { type: "search", placeholder: "part of a name", "aria-label": "Find a flavor", oninput: soon });
  const search = h("div", { hidden: true }, part);
  fill(main,
    h("h1", {}, "Capacity"),
    h("section", {}, h("div", { class: "heading" }, h("h2", {}, "How many more fit now"), search), h("p", { class: "muted" }, FITTING), counted),
    packed,
    h("section", { class: "card" }, h("h2", {}, "What if?"), whatIf()),
    inUse);
  // Side by side: what hosts have is soon known, what everybody uses and was promised is not.
  const listed = list();
  listed.then(count).catch(failed);
  pack().catch(failed);

  async function pack() {
    const now = await api.console("capacity");
    fill(packed,
      now.left_out.length ? notice("warning", h("details", {}, h("summary", {}, `${plural(now.left_out.length, "host is", "hosts are")} not counted`), h("ul", {}, now.left_out.slice(0, 20).map((reason) => h("li", {}, reason))))) : null,
      now.zones.length ? null : notice("note", "No host is in an availability zone; capacity is told by zone."),
      h("section", {}, h("div", { class: "heading" }, h("h2", {}, "By zone"), legend(PARTS)), h("p", { class: "muted" }, BY_ZONE), zones(now)),
      now.split.length ? h("section", {}, h("h2", {}, "Flavors that are counted by themselves"), h("p", { class: "muted" }, SPLITS), splits(now.split)) : null,
      now.unplaced.length ? h("section", {}, h("h2", {}, "What finds no place"), unplaced(now.unplaced)) : null);
    told = now;
    showFlavors();
  }

  let told = null; // what is used, promised and waited for
  let fitting = null; // how many more fit
  /** What is free is known from the one, what is used from the other; whichever comes later brings the table. */
  function showFlavors() {
    if (!told || !fitting) return;
    const split = new Set(told.split.map((share) => share.name));
    const word = part.value.trim().toLowerCase();
    // None can be made of a flavor that is no longer offered, but servers of it may be there.
    const gone = [...new Set(told.of_flavors.map((each) => each.flavor))].filter((name) => !flavors.includes(name) && name.toLowerCase().includes(word));
    const rows = [...fitting.filter((fit) => !split.has(fit.flavor)), ...gone.slice(0, MOST_FLAVORS).map((flavor) => ({ flavor, by_zone: {}, isGone: true }))];
    inUse.hidden = !rows.length || !told.zones.length;
    fill(inUse, h("h2", {}, "Pooled flavors"), h("p", { class: "muted" }, POOLED), pooledFlavors(told.of_flavors, rows, told.zones));
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
    fitting = fit;
    showFlavors();
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

const inWords = (share, part) => (share[part] < 0 ? `${shown(share.resource, -share[part])} more than there is` : `${shown(share.resource, share[part])} ${part}`);

/** A card for each zone, with what is pooled there. */
function zones({ pooled }) {
  const names = [...new Set(pooled.map((share) => share.zone))];
  return h("div", { class: "zones" }, names.map((zone) => h("section", { class: "card", "aria-label": `Zone ${zone}` },
    h("h3", {}, zone),
    h("dl", { class: "stocks" }, pooled.filter((share) => share.zone === zone).map((share) => [
      h("dt", {}, titleOf(share)),
      h("dd", {}, bar(UNITS[share.resource] ?? "VCPU", partsOf(share), `${share.resource} in ${zone}`),
        h("small", {}, PARTS.filter((part) => share[part] || part === "free").map((part, place) => [place ? " · " : "", h("span", { class: "together" }, inWords(share, part))]))),
    ])))));
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
