// The fleet as the pages use it: one object for each tree of providers, made from the columns that Placement sends.

import { computeOf } from "./compute.js";

const COMPUTE_NODE = "COMPUTE_NODE";
const USUAL = ["VCPU", "PCPU", "MEMORY_MB", "DISK_GB"];

/** { hosts: [{ uuid, name, isHost, zone, aggregates, traits, stocks }], classes, traits, away }, hosts in the order of their names; `away` says why compute could not tell zones. */
export async function loadFleet(session) {
  let away = null;
  const [columns, known] = await Promise.all([
    session.api.placement("moorage/fleet"),
    computeOf(session, (why) => { away = why; }).aggregates(),
  ]);
  const names = new Map(known.map((aggregate) => [aggregate.uuid, aggregate.name]));
  const zones = new Map();
  // By the names of hosts, and by what Placement knows of aggregates: a Nova may call a host and its provider differently.
  const zoned = new Map();
  for (const { uuid, availability_zone: zone, hosts } of known) {
    if (zone) zoned.set(uuid, zone);
    for (const host of zone ? hosts : []) zones.set(host, zone);
  }
  const zoneSets = columns.aggregate_sets.map((each) => zoned.get(each.find((uuid) => zoned.has(uuid))));
  const traitSets = columns.trait_sets.map((each) => new Set(each));
  const aggregateSets = columns.aggregate_sets.map((each) => each.map((uuid) => names.get(uuid) ?? `aggregate ${uuid.slice(0, 8)}`));
  const { trees } = columns;
  const hosts = trees.uuid.map((uuid, place) => {
    const traits = traitSets[trees.traits[place]];
    const name = trees.name[place];
    return {
      uuid, name, traits, aggregates: aggregateSets[trees.aggregates[place]], providers: trees.providers[place], stocks: {},
      isHost: traits.has(COMPUTE_NODE),
      zone: traits.has(COMPUTE_NODE) ? (zones.get(name) ?? zoneSets[trees.aggregates[place]] ?? "no zone") : "shared by hosts",
    };
  });
  for (const [resource, stocks] of Object.entries(columns.resources)) {
    stocks.tree.forEach((tree, place) => {
      hosts[tree].stocks[resource] = {
        capacity: stocks.capacity[place], used: stocks.used[place], largestFree: stocks.largest_free[place],
      };
    });
  }
  const offered = Object.keys(columns.resources);
  const classes = [...USUAL.filter((name) => offered.includes(name)), ...offered.filter((name) => !USUAL.includes(name)).sort()];
  return { hosts, classes, traits: [...new Set(columns.trait_sets.flat())].sort(), away };
}

let kept = { session: null, at: 0, names: null };
const KEPT = 60_000;

/** The names of roots by UUID; what was read within the last minute will do. */
export function hostNames(session) {
  if (kept.session !== session || performance.now() - kept.at > KEPT) {
    const names = session.api.placement("moorage/fleet").then(({ trees }) => new Map(trees.uuid.map((uuid, place) => [uuid, trees.name[place]])));
    kept = { session, at: performance.now(), names };
  }
  return kept.names;
}
