// Health: whether the service can do its work, who keeps the hosts true, and what does not agree in the cloud.

import { fill, h, notice, table } from "../dom.js";
import { number, plural } from "../format.js";

const SHOWN = 50;

export function healthPage(main, { session, failed }) {
  const { api, may } = session;
  const service = h("div", { class: "facts" }, h("p", { class: "muted" }, "Looking …"));
  const agents = h("div", {}, h("p", { class: "muted" }, "Looking …"));
  const findings = h("div", { "aria-live": "polite" });
  const look = h("button", { type: "button", onclick: () => compare().catch(failed) }, "Compare now");
  fill(main,
    h("h1", {}, "Health"),
    h("section", {}, h("h2", {}, "The service"), service),
    may.see_fleet ? h("section", {}, h("h2", {}, "Agents"), agents) : null,
    may.see_findings ? h("section", {}, h("div", { class: "heading" }, h("h2", {}, "What does not agree"), look),
      h("p", { class: "muted" }, "Servers are compared with what Placement holds for them, and leases with what was made for them. Nothing is changed."), findings) : null);
  show().catch(failed);

  async function show() {
    fill(service, facts(await healthOf(api)));
    if (may.see_fleet) fill(agents, await keepers(api));
  }

  async function compare() {
    look.disabled = true;
    fill(findings, h("p", { class: "muted" }, "Comparing …"));
    try {
      const told = await api.console("findings");
      fill(findings, Object.entries(told.findings).map(([name, found]) => disagreements(name, found)));
    } finally {
      look.disabled = false;
    }
  }
}

/** A service that is not well answers 503, with the reason. */
async function healthOf(api) {
  try {
    return (await api.request("healthcheck")).content;
  } catch (error) {
    return { status: error.message };
  }
}

function facts({ status, database, schema, index, workers }) {
  const fact = (value, label, kind) => h("div", { class: "fact" }, h("strong", { class: kind }, value), h("span", {}, label));
  const ok = status === "ok";
  return [
    fact(ok ? "well" : status, "the service", ok ? "good" : "bad"),
    database ? fact(database, "the database", database === "ok" ? "good" : "bad") : null,
    schema ? fact(schema, "version of its tables") : null,
    index ? fact(`${number(Math.round(index.catch_up_seconds * 10_000) / 10)} ms`, "for the index to catch up") : null,
    workers ? fact(`${number(workers.alive ?? 0)} of ${number(workers.expected)}`, "workers", workers.alive >= workers.expected ? "good" : "bad") : null,
  ];
}

/** Which hosts have an agent that keeps their providers true. */
async function keepers(api) {
  const { providers } = await api.placement("moorage/providers?include=origin,traits");
  const kept = new Map();
  const roots = providers.filter((provider) => provider.parent_provider_uuid === null && provider.traits.includes("COMPUTE_NODE"));
  for (const provider of providers) {
    if (provider.origin) kept.set(provider.origin.host, [...(kept.get(provider.origin.host) ?? []), provider]);
  }
  const without = roots.filter((root) => !root.origin);
  return [
    h("p", {}, `${plural(kept.size, "agent keeps", "agents keep")} ${plural([...kept.values()].flat().length, "provider")}; ${plural(without.length, "host has", "hosts have")} none.`),
    kept.size ? table("Agents", ["Host", "Providers", "From files"], [...kept].slice(0, SHOWN).map(([host, own]) => [host, number(own.length), files(own)]), [1]) : null,
  ];
}

function files(providers) {
  const sources = providers.flatMap(({ origin }) => Object.values({ ...origin.inventories, ...origin.traits })).filter((source) => source.startsWith("file:"));
  return [...new Set(sources)].map((source) => source.slice(5)).join(", ") || "–";
}

function disagreements(name, found) {
  if (!found.length) return notice("good", `${name[0].toUpperCase()}${name.slice(1)}: all agree.`);
  const rows = found.slice(0, SHOWN).map((each) => [each.kind.replaceAll("_", " "), each.text, h("code", {}, each.subject)]);
  return [
    notice("warning", `${name[0].toUpperCase()}${name.slice(1)}: ${plural(found.length, "thing does", "things do")} not agree. The command moorage ${name === "leases" ? "reservation audit" : "audit"} --fix puts right what can be.`),
    table(`What does not agree about ${name}`, ["Kind", "What", "About"], rows, [], [2]),
    found.length > SHOWN ? h("p", { class: "muted" }, `The first ${SHOWN} of ${number(found.length)}.`) : null,
  ];
}
