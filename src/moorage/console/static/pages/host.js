// One host: the tree of its providers with what they have, where their traits come from, and who uses them.

import { computeOf } from "../compute.js";
import { fill, h, notice, table, waiting } from "../dom.js";
import { amount, moment, number, parseTime, plural } from "../format.js";
import { bar, legend } from "../pictures/bar.js";
import { promisesOf } from "../promises.js";
import { address } from "../router.js";

export function hostPage(main, { session, rest: [uuid], failed }) {
  const body = h("div", {}, waiting("Reading the host …"));
  fill(main, h("p", { class: "back" }, h("a", { href: address(["fleet"]) }, "← Fleet")), body);
  show(session, uuid, body).catch(failed);
}

async function show(session, uuid, body) {
  const { api, may } = session;
  const query = new URLSearchParams({ in_tree: uuid, include: "inventories,usages,traits,aggregates,origin" });
  let away = null;
  const compute = computeOf(session, (why) => { away = why; });
  const [{ providers }, aggregates] = await Promise.all([api.placement(`moorage/providers?${query}`), compute.aggregates()]);
  const root = providers.find((provider) => provider.parent_provider_uuid === null);
  if (!root) {
    fill(body, notice("note", "There is no such host; perhaps it has just gone."));
    return;
  }
  document.title = `${root.name} · Moorage`;
  const [consumers, promises] = await Promise.all([
    may.see_consumers ? consumersOf(api, compute, providers, root.name) : null,
    may.see_booked_hosts ? promisesOf(api, root.name, providers) : null,
  ]);
  const named = new Map(aggregates.map((aggregate) => [aggregate.uuid, aggregate.name]));
  fill(body,
    h("h1", {}, root.name),
    h("p", { class: "muted" }, plural(providers.length, "provider"), consumers ? `, ${plural(consumers.length, "consumer")}` : "", h("code", { class: "apart" }, root.uuid)),
    away ? notice("warning", `Names of servers and aggregates are not known: ${away}`) : null,
    legend(promises?.whole || promises?.now.size ? ["used", "promised", "reserved", "free"] : ["used", "reserved", "free"]),
    promises ? promisedToTheTree(providers, promises) : null,
    h("ul", { class: "tree", "aria-label": "Providers" }, branch(root, providers, named, promises)),
    promises ? leasesHere(promises) : null,
    consumers ? usersHere(consumers, providers) : null);
}

function branch(provider, all, named, promises) {
  const children = all.filter((each) => each.parent_provider_uuid === provider.uuid).sort((one, other) => one.name.localeCompare(other.name, "en", { numeric: true }));
  return h("li", {},
    h("section", { class: "card provider", "aria-label": provider.name },
      h("h2", {}, provider.name), h("small", { class: "muted" }, `generation ${provider.generation}`),
      stocks(provider, all, promises), traits(provider), memberships(provider, named)),
    children.length ? h("ul", {}, children.map((child) => branch(child, all, named, promises))) : null);
}

const hasAlone = (name, providers) => providers.filter((each) => name in each.inventories).length === 1;

/** A promise counts for the host; which of several providers will keep it is not decided before it is used. */
function promisedToTheTree(providers, { now, whole }) {
  if (whole) return null; // then each provider shows it
  const shared = [...now].filter(([name, value]) => value && providers.some((each) => name in each.inventories) && !hasAlone(name, providers));
  if (!shared.length) return null;
  return h("p", { class: "muted" }, `Promised by leases, from whichever of the providers: ${shared.map(([name, value]) => `${amount(name, value)} ${name}`).join(", ")}.`);
}

function stocks(provider, all, promises) {
  const names = Object.keys(provider.inventories);
  if (!names.length) return h("p", { class: "muted" }, "has no inventory of its own");
  return h("dl", { class: "stocks" }, names.map((name) => {
    const inventory = provider.inventories[name];
    const used = provider.usages[name] ?? 0;
    const ratio = inventory.allocation_ratio;
    const capacity = Math.floor((inventory.total - inventory.reserved) * ratio);
    const left = Math.max(0, capacity - used);
    const promised = promises?.whole ? left : hasAlone(name, all) ? Math.min(promises?.now.get(name) ?? 0, left) : 0;
    const free = left - promised;
    const details = [
      `${amount(name, used)} used`, promised ? `${amount(name, promised)} promised` : null, `${amount(name, free)} free`,
      inventory.reserved ? `${amount(name, inventory.reserved)} reserved` : null, ratio !== 1 ? `ratio ${number(ratio)}` : null,
    ];
    return [
      h("dt", {}, name),
      h("dd", {}, bar(name, { used, promised, free, reserved: Math.round(inventory.reserved * ratio) }, name),
        h("small", {}, details.filter(Boolean).join(" · "), used > capacity ? h("strong", { class: "bad" }, " over-full") : null)),
    ];
  }));
}

/** Where a trait comes from: what the host's driver found, a provider configuration file, or somebody else. */
function traits(provider) {
  if (!provider.traits.length) return null;
  const sources = provider.origin?.traits ?? {};
  const chips = provider.traits.map((name) => {
    const source = sources[name] ?? "";
    const kind = source.startsWith("driver:") ? "native" : source.startsWith("file:") ? "file" : "other";
    return h("li", { class: `chip ${kind}`, title: source || "added by somebody else" }, name, h("span", { class: "unseen" }, `, ${kind}`), source.startsWith("file:") ? h("small", {}, source.slice(5)) : null);
  });
  return h("div", {}, h("h3", {}, "Traits ", h("small", { class: "muted" }, provider.origin ? h("span", {}, h("span", { class: "swatch native" }), "native ", h("span", { class: "swatch file" }), "from a file ", h("span", { class: "swatch other" }), "other") : "no agent keeps this provider")), h("ul", { class: "chips" }, chips));
}

function memberships(provider, named) {
  if (!provider.aggregates.length) return null;
  return h("div", {}, h("h3", {}, "Aggregates"), h("ul", { class: "chips" }, provider.aggregates.map((uuid) =>
    h("li", { class: "chip", title: uuid }, named.get(uuid) ?? uuid))));
}

/** Everybody who holds something of the tree, with names where compute knows them. */
async function consumersOf(api, compute, providers, host) {
  const [servers, ...answers] = await Promise.all([
    compute.serversOf(host),
    ...providers.map((provider) => api.placement(`resource_providers/${provider.uuid}/allocations`)),
  ]);
  const known = new Map(servers.map((server) => [server.id, server]));
  const found = new Map();
  answers.forEach(({ allocations }, place) => {
    for (const [consumer, { resources, project_id: project }] of Object.entries(allocations)) {
      if (!found.has(consumer)) found.set(consumer, { uuid: consumer, server: known.get(consumer), project, holds: [] });
      found.get(consumer).holds.push({ provider: providers[place], resources });
    }
  });
  return [...found.values()];
}

function usersHere(consumers, providers) {
  if (!consumers.length) return h("section", {}, h("h2", {}, "Consumers"), h("p", { class: "muted" }, "Nobody uses anything here."));
  const rows = consumers.map(({ uuid, server, holds }) => [
    server ? [h("strong", {}, server.name), h("br"), h("small", {}, h("code", {}, uuid))] : h("code", {}, uuid),
    server ? server.status : "–",
    holds.flatMap(({ provider, resources }) => h("div", {},
      Object.entries(resources).map(([name, value]) => `${amount(name, value)} ${name}`).join(", "),
      providers.length > 1 ? h("small", { class: "muted" }, ` of ${provider.name}`) : null)),
  ]);
  return h("section", {}, h("h2", {}, "Consumers"), table("Consumers", ["Who", "Status", "Holds"], rows));
}

function leasesHere({ leases }) {
  if (!leases.length) return null;
  const rows = leases.map(({ lease, slots, what }) => [
    h("a", { href: address(["leases", lease.id]) }, lease.name), lease.status, ...[lease.start_date, lease.end_date].map((date) => h("span", { class: "when" }, moment(parseTime(date)))), slots === null ? what : `${number(slots)} × ${what}`,
  ]);
  return h("section", {}, h("h2", {}, "Promised by leases"), table("Leases on this host", ["Lease", "Status", "From", "Until", "What"], rows));
}
