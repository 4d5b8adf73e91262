// Health: whether the service can do its work, who keeps the hosts true, and what does not agree in the cloud.

import { ApiError } from "../api.js";
import { fill, h, notice, table, waiting } from "../dom.js";
import { age, number, plural } from "../format.js";

const SHOWN = 50;
const AGAIN = 15_000;
const LOOKS = { late: "bad", failing: "bad", incomplete: "warn", well: "good", stopped: undefined };

export function healthPage(main, { session, failed }) {
  const { api, may } = session;
  const service = h("div", { class: "facts" }, waiting("Looking …"));
  const reasons = h("div", {});
  const agents = h("div", {}, waiting("Looking …"));
  const findings = h("div", { "aria-live": "polite" });
  const look = h("button", { type: "button", onclick: () => compare().catch(failed) }, "Compare now");
  fill(main,
    h("h1", {}, "Health"),
    h("section", {}, h("h2", {}, "The service"), service, reasons),
    may.see_agents ? h("section", {}, h("h2", {}, "Agents"), agents) : null,
    may.see_findings ? h("section", {}, h("div", { class: "heading" }, h("h2", {}, "What does not agree"), look),
      h("p", { class: "muted" }, "Servers are compared with what Placement holds for them, and leases with what was made for them. Nothing is changed."), findings) : null);

  async function show() {
    const health = await healthOf(api);
    fill(service, facts(health));
    fill(reasons, health.reasons ? h("ul", {}, health.reasons.map((reason) => h("li", {}, reason))) : null);
    if (may.see_agents) fill(agents, keepers(await api.placement(`moorage/agents?limit=${SHOWN}`)));
  }

  // Who leaves the page open watches: it goes on, at leisure, and not while nobody can see it.
  let left = false;
  let pending;
  async function watch() {
    try {
      if (!document.hidden) await show();
    } catch (error) {
      // What was shown is no longer so; the next look may tell more.
      if (may.see_agents && !left) fill(agents, notice("error", error.message));
      if (!(error instanceof ApiError)) failed(error);
    }
    if (!left) pending = setTimeout(watch, AGAIN);
  }
  watch();

  async function compare() {
    look.disabled = true;
    fill(findings, waiting("Comparing …"));
    try {
      const told = await api.console("findings");
      fill(findings,
        Object.entries(told.errors).map(([name, why]) => notice("error", `${capital(name)} cannot be compared: ${why}`)),
        Object.entries(told.findings).map(([name, found]) => disagreements(name, found)));
    } finally {
      look.disabled = false;
    }
  }

  return () => {
    left = true;
    clearTimeout(pending);
  };
}

/** A service that is not well answers 503, and what is wrong with it as it would tell that all is well. */
async function healthOf(api) {
  try {
    const answer = await api.ask("healthcheck");
    return await answer.json().catch(() => ({ status: `${answer.status} ${answer.statusText}` }));
  } catch (error) {
    return { status: error.message };
  }
}

const capital = (text) => text.replace(/^./, (letter) => letter.toUpperCase());

const fact = (value, label, kind) => h("div", { class: "fact" }, h("strong", { class: kind }, value), h("span", {}, label));

function facts({ status, database, schema, index, lease_events: events, workers }) {
  const [looks, words] = { ok: ["good", "well"], degraded: ["warn", "degraded"] }[status] ?? ["bad", status];
  return [
    fact(words, "the service", looks),
    database ? fact(database, "the database", database === "ok" ? "good" : "bad") : null,
    schema ? fact(schema, "version of its tables") : null,
    index ? fact(`${number(Math.round(index.catch_up_seconds * 10_000) / 10)} ms`, "for the index to catch up") : null,
    events ? fact(number(events.overdue), "events of leases overdue", events.overdue ? "bad" : undefined) : null,
    workers ? fact(`${number(workers.alive ?? 0)} of ${number(workers.expected)}`, "workers", workers.alive >= workers.expected ? "good" : "bad") : null,
  ];
}

/** Which agents keep hosts true, and which of them are missed or fail; those come first. */
function keepers({ counts, kept_providers: kept, hosts_without_agent: without, agents }) {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const rows = agents.map((agent) => [
    agent.name,
    h("span", { class: LOOKS[agent.state] }, agent.state),
    `${age(agent.age_seconds)} ago`,
    agent.version,
    agent.providers === null ? "–" : number(agent.providers),
    agent.reason ?? "–",
  ]);
  return [
    all ? h("div", { class: "facts" }, Object.entries(counts).map(([state, count]) => fact(number(count), state, count ? LOOKS[state] : undefined))) : null,
    h("p", {}, `${plural(all, "agent has", "agents have")} left a sign of life. Agents keep ${plural(kept, "provider")}; ${plural(without, "host has", "hosts have")} no agent.`),
    all ? table("Agents", ["Host", "State", "Last sign", "Version", "Providers", "Why"], rows, [4], [3, 4]) : null,
    all > agents.length ? h("p", { class: "muted" }, `The ${agents.length} most urgent of ${number(all)}; moorage agent list shows all.`) : null,
  ];
}

function disagreements(name, found) {
  if (!found.length) return notice("good", `${capital(name)}: all agree.`);
  const rows = found.slice(0, SHOWN).map((each) => [each.kind.replaceAll("_", " "), each.text, h("code", {}, each.subject)]);
  return [
    notice("warning", `${capital(name)}: ${plural(found.length, "thing does", "things do")} not agree. The command moorage ${name === "leases" ? "reservation audit" : "audit"} --fix puts right what can be.`),
    table(`What does not agree about ${name}`, ["Kind", "What", "About"], rows, [], [2]),
    found.length > SHOWN ? h("p", { class: "muted" }, `The first ${SHOWN} of ${number(found.length)}.`) : null,
  ];
}
