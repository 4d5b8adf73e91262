// The tables of the page Capacity: how many more fit, what flavors use, were promised and wait for, and what finds no place.

import { h, table } from "../dom.js";
import { number, plural } from "../format.js";
import { bar } from "../pictures/bar.js";

export const PARTS = ["used", "committed", "pending", "free"];
export const partsOf = (share) => Object.fromEntries(PARTS.map((part) => [part, share[part]]));
const whole = (share) => PARTS.reduce((sum, part) => sum + share[part], 0);

/** How many more of each flavor fit, where, and what limits it. */
export function fits(found) {
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

/** Pooled flavors by zone: what is told of them (`asked`), and how many more of each fit (`found`). */
export function pooledFlavors(asked, found, zones) {
  const known = new Map(asked.map((each) => [`${each.flavor} ${each.zone}`, each]));
  const shares = found.flatMap((fit) => zones.map((zone) => ({
    used: 0, committed: 0, pending: 0, ...known.get(`${fit.flavor} ${zone}`), name: fit.flavor, isGone: fit.isGone, zone, free: fit.by_zone[zone] ?? 0,
  })));
  const rows = folded(shares).map((share) => [
    [share.name, share.isGone ? h("div", {}, h("small", { class: "muted together" }, "no longer offered")) : null], share.zone,
    bar("VCPU", partsOf(share), `${share.name} in ${share.zone}`), ...PARTS.map((part) => number(share[part])),
  ]);
  return table("Pooled flavors", ["Flavor", "Zone", "", ...PARTS], rows, [3, 4, 5, 6], [2]);
}

/** Flavors that are counted by themselves, and why no more of them are. */
export function splits(shares) {
  const rows = folded(shares).map((share) => [
    share.name, share.zone, bar("VCPU", partsOf(share), `${share.name} in ${share.zone}`), ...PARTS.map((part) => number(share[part])), number(whole(share)), h("div", { class: "sentence" }, share.limit),
  ]);
  return table("Flavors that are counted by themselves", ["Flavor", "Zone", "", ...PARTS, "capacity", "Why no more"], rows, [3, 4, 5, 6, 7], [2]);
}

/** One row for the zones in which nothing is told of a flavor but zeros, for the same reason. */
function folded(shares) {
  const rows = [];
  const empty = new Map();
  for (const share of shares) {
    const key = `${share.name} ${share.limit ?? ""}`;
    if (PARTS.some((part) => share[part])) {
      rows.push(share);
    } else if (empty.has(key)) {
      empty.get(key).zone += `, ${share.zone}`;
    } else {
      empty.set(key, { ...share });
      rows.push(empty.get(key));
    }
  }
  return rows;
}

export function unplaced(found) {
  return table("What finds no place", ["Flavor", "Zone", "Demand", "How many", "Why"], found.map((each) => [each.flavor, each.zone, each.demand, number(each.count), h("div", { class: "sentence" }, each.reason)]), [3]);
}
