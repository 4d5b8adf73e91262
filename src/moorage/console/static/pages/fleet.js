// Fleet: every host as a cell, coloured by how full it is.

import { field, fill, h, notice, select, table, waiting } from "../dom.js";
import { amount, number, percent, plural } from "../format.js";
import { loadFleet } from "../fleet.js";
import { bar } from "../pictures/bar.js";
import { heatMap } from "../pictures/heat_map.js";
import { address, go, note } from "../router.js";

const LISTED = 20;
const ORDERS = [["fullest", "fullest first"], ["emptiest", "emptiest first"], ["name", "by name"]];

export function fleetPage(main, { session, parameters, failed }) {
  let fleet = null;
  let map = null;
  const said = h("p", { class: "readout", role: "status", "aria-live": "polite" }, " ");
  const body = h("div", {}, waiting("Reading the fleet …"));
  fill(main, h("h1", {}, "Fleet"), body);

  loadFleet(session).then((found) => {
    fleet = found;
    if (fleet.hosts.length) fill(body, page());
    else fill(body, notice("note", "There are no resource providers yet. Agents of hosts report them, or start with the sample cloud: moorage serve --sample."));
    if (fleet.hosts.length) redraw();
  }).catch(failed);

  let wanted;
  let redraw;

  function page() {
    const chosen = parameters.get("class");
    const resource = select(fleet.classes, fleet.classes.includes(chosen) ? chosen : fleet.classes[0]);
    const grouping = select([["zone", "zone"], ["aggregate", "aggregate"], ["none", "nothing"]], parameters.get("group") ?? "zone");
    const name = h("input", { type: "search", value: parameters.get("name") ?? "", placeholder: "part of a name" });
    const trait = h("input", { type: "search", value: parameters.get("trait") ?? "", placeholder: "HW_CPU_X86_AVX2, !CUSTOM_…", list: "traits", spellcheck: "false" });
    const free = h("input", { type: "number", min: 0, value: parameters.get("free") ?? "", placeholder: "any" });
    const order = select(ORDERS, parameters.get("order") ?? "fullest", { "aria-label": "Order of the list" });
    const summary = h("div", { class: "facts" });
    const list = h("div", {});
    map = heatMap({
      label: "Hosts by how full they are. Arrow keys move, Enter opens a host.",
      onOpen: (host) => go(["hosts", fleet.hosts[host].uuid]),
      onLook: (host) => { said.textContent = host === null ? " " : describe(fleet.hosts[host], resource.value); },
    });

    wanted = () => ({ class: resource.value, group: grouping.value, name: name.value.trim(), trait: trait.value.trim(), free: free.value, order: order.value });
    redraw = () => {
      const state = wanted();
      note(["fleet"], { ...state, order: state.order === "fullest" ? "" : state.order, group: state.group === "zone" ? "" : state.group });
      const matches = fleet.hosts.filter(condition(state));
      const among = new Set(matches);
      map.show(grouped(fleet, state, among));
      fill(summary, facts(fleet, matches, state.class));
      fill(list, listing(matches, state));
    };
    for (const control of [resource, grouping, name, trait, free, order]) control.addEventListener("input", redraw);

    return [
      fleet.away ? notice("warning", `Zones and names of aggregates are not known: ${fleet.away}`) : null,
      h("form", { class: "filters", role: "search", onsubmit: (event) => event.preventDefault() },
        field("Colour by", resource), field("Group by", grouping), field("Name", name), field("Traits", trait),
        field("At least free", free)),
      h("datalist", { id: "traits" }, fleet.traits.map((each) => h("option", { value: each }))),
      summary,
      h("section", { class: "card" }, scale(), map.element, said),
      h("section", {}, h("div", { class: "heading" }, h("h2", {}, "Hosts"), order), list),
    ];
  }

  return () => map?.close();
}

function condition({ class: resource, name, trait, free }) {
  const needle = name.toLowerCase();
  const traits = trait.split(/[\s,]+/).filter(Boolean).map((each) => each.toUpperCase());
  const required = traits.filter((each) => !each.startsWith("!"));
  const forbidden = traits.filter((each) => each.startsWith("!")).map((each) => each.slice(1));
  const least = Number(free) || 0;
  return (host) =>
    (!needle || host.name.toLowerCase().includes(needle)) &&
    required.every((each) => host.traits.has(each)) &&
    !forbidden.some((each) => host.traits.has(each)) &&
    (!least || (host.stocks[resource]?.largestFree ?? 0) >= least);
}

/** The groups of the map; hosts that do not match stay where they are, faded. */
function grouped(fleet, { class: resource, group }, matches) {
  const groups = new Map();
  fleet.hosts.forEach((host, place) => {
    const names = group === "zone" ? [host.zone] : group === "aggregate" ? host.aggregates : ["All"];
    for (const name of names.length ? names : ["in no aggregate"]) {
      if (!groups.has(name)) groups.set(name, []);
      groups.get(name).push(place);
    }
  });
  return [...groups].sort(([one], [other]) => one.localeCompare(other, "en", { numeric: true })).map(([name, places]) => {
    const hosts = places.map((place) => fleet.hosts[place]);
    const counted = hosts.filter((host) => matches.has(host));
    const sums = sum(counted, resource);
    return {
      name,
      note: `${plural(counted.length, counted.every((host) => host.isHost) ? "host" : "pool")}${sums.capacity ? ` · ${percent(sums.used, sums.capacity)} used` : ""}`,
      cells: places.map((place) => {
        const host = fleet.hosts[place];
        const stock = host.stocks[resource];
        const value = stock && stock.capacity > 0 ? stock.used / stock.capacity : null;
        return {
          item: place, label: host.name, value, faded: !matches.has(host),
          text: stock ? `${amount(resource, Math.max(0, stock.capacity - stock.used))} free` : `no ${resource}`,
        };
      }),
    };
  });
}

function sum(hosts, resource) {
  const sums = { used: 0, capacity: 0 };
  for (const host of hosts) {
    const stock = host.stocks[resource];
    if (!stock) continue;
    sums.used += stock.used;
    sums.capacity += stock.capacity;
  }
  return sums;
}

function facts(fleet, matches, resource) {
  const { used, capacity } = sum(matches, resource);
  const [found, all] = [matches, fleet.hosts].map((hosts) => hosts.filter((host) => host.isHost).length);
  const fact = (value, label) => h("div", { class: "fact" }, h("strong", {}, value), h("span", {}, label));
  return [
    fact(found === all ? number(all) : `${number(found)} of ${number(all)}`, all === 1 ? "host" : "hosts"),
    fact(amount(resource, capacity), `${resource} to give`),
    fact(percent(used, capacity), "used"),
    fact(amount(resource, Math.max(0, capacity - used)), "free"),
  ];
}

function listing(matches, { class: resource, order }) {
  if (!matches.length) return notice("note", "No host meets these conditions.");
  const fullness = (host) => {
    const stock = host.stocks[resource];
    return stock && stock.capacity ? stock.used / stock.capacity : -1;
  };
  const orders = {
    name: () => 0,
    fullest: (one, other) => fullness(other) - fullness(one),
    emptiest: (one, other) => fullness(one) - fullness(other),
  };
  const rows = [...matches].sort(orders[order]).slice(0, LISTED).map((host) => {
    const stock = host.stocks[resource] ?? { used: 0, capacity: 0 };
    const free = Math.max(0, stock.capacity - stock.used);
    return [
      h("a", { href: address(["hosts", host.uuid]) }, host.name), host.zone,
      bar(resource, { used: stock.used, free }, host.name), amount(resource, stock.used), amount(resource, free),
    ];
  });
  return [
    table("Hosts", ["Name", "Zone", resource, "Used", "Free"], rows, [3, 4], [1, 3]),
    matches.length > LISTED ? h("p", { class: "muted" }, `The first ${LISTED} of ${number(matches.length)}; a filter finds the others.`) : null,
  ];
}

function describe(host, resource) {
  const stock = host.stocks[resource];
  const used = stock
    ? `${amount(resource, stock.used)} of ${amount(resource, stock.capacity)} ${resource} used (${percent(stock.used, stock.capacity)})`
    : `has no ${resource}`;
  return `${host.name}, ${host.zone}: ${used}`;
}

function scale() {
  return h("div", { class: "scale", "aria-hidden": "true" },
    "empty", h("span", { class: "gradient" }), "full", h("span", { class: "swatch over" }), "over-full", h("span", { class: "swatch none" }), "has none");
}
