// Leases: the calendar, what is free beside it, and the forms to book and to change.

import { fill, h, notice } from "../dom.js";
import { moment } from "../format.js";
import { AFFINITIES, availability, held, kindOf, leasesBetween } from "../leases.js";
import { gantt, responsive } from "../pictures/gantt.js";
import { steps } from "../pictures/steps.js";
import { VIEWS, beginning, dayOf } from "../pictures/time_axis.js";
import { address, go, note } from "../router.js";
import { bookingForm } from "./lease_booking.js";
import { leasePanel } from "./lease_panel.js";

const MOST_ROWS = 150;

export function leasesPage(main, { session, rest: [chosen], parameters, failed }) {
  const { api, may } = session;
  const state = {
    view: parameters.get("view") in VIEWS ? parameters.get("view") : "week",
    by: parameters.get("by") === "host" && may.see_booked_hosts ? "host" : "lease",
    start: Date.parse(parameters.get("from") ?? ""),
  };
  if (Number.isNaN(state.start)) state.start = beginning(Date.now(), state.view);

  let rows = [];
  let stretches = [];
  const calendar = responsive((width) => gantt(rows, state.view, state.start, width));
  const free = responsive((width) => steps(stretches, state.view, state.start, width));
  const controls = h("div", { class: "toolbar" });
  const freeTitle = h("h2", {}, "Free over time");
  const said = h("div", { "aria-live": "polite" });
  const side = h("div", {});

  const end = () => state.start + VIEWS[state.view].length;

  async function load() {
    note(["leases", ...(chosen ? [chosen] : [])], { view: state.view, by: state.by === "host" ? "host" : "", from: dayOf(state.start) });
    const leases = await leasesBetween(api, state.start, end());
    rows = state.by === "host" ? await byHost(api, leases) : byLease(leases);
    fill(said, rows.length > MOST_ROWS ? notice("note", `The first ${MOST_ROWS} of ${rows.length} rows.`) : null);
    rows = rows.slice(0, MOST_ROWS);
    calendar.redraw();
  }

  async function showFree(wanted, words) {
    if (!may.look_ahead) return;
    stretches = await availability(api, wanted, state.start, end());
    freeTitle.textContent = `Free over time: ${words}`;
    free.redraw();
  }

  function arrange() {
    const choice = (name, value, text) => h("button", {
      type: "button", "aria-pressed": String(state[name] === value),
      onclick: () => { state[name] = value; if (name === "view") state.start = beginning(state.start, value); refresh(); },
    }, text);
    const move = (text, label, act) => h("button", { type: "button", "aria-label": label, onclick: () => { act(); refresh(); } }, text);
    fill(controls,
      h("div", { class: "choices", role: "group", "aria-label": "How much time to see" }, Object.keys(VIEWS).map((name) => choice("view", name, name))),
      may.see_booked_hosts ? h("div", { class: "choices", role: "group", "aria-label": "A row for each" }, choice("by", "lease", "by lease"), choice("by", "host", "by host")) : null,
      h("div", { class: "buttons" },
        move("←", "Earlier", () => { state.start -= VIEWS[state.view].back; }),
        move("Today", "Today", () => { state.start = beginning(Date.now(), state.view); }),
        move("→", "Later", () => { state.start += VIEWS[state.view].back; })));
  }

  let wanted = null;
  function refresh() {
    arrange();
    load().catch(failed);
    if (wanted) showFree(...wanted).catch(failed);
  }

  const changed = () => refresh();
  const booking = may.book ? bookingForm(session, {
    affinities: AFFINITIES,
    onWish: (...wish) => { wanted = wish; showFree(...wish).catch(failed); },
    onBooked: (lease) => { changed(); go(["leases", lease.id], { view: state.view, by: state.by === "host" ? "host" : "", from: dayOf(state.start) }); },
  }) : null;
  fill(side, chosen ? leasePanel(session, chosen, { onChanged: changed, failed }) : booking?.element ?? notice("note", "Your roles let you look at leases, not make any."));

  fill(main,
    h("div", { class: "heading" }, h("h1", {}, "Leases"), h("span", { class: "muted" }, "All times are UTC")),
    h("div", { class: "split calendar" },
      h("section", { class: "card" }, side),
      h("div", {},
        h("section", { class: "card" }, controls, said, calendar.element, statuses()),
        may.look_ahead && !chosen ? h("section", { class: "card" }, freeTitle, free.element) : null)));
  arrange();
  load().catch(failed);
  booking?.begin();

  return () => {
    calendar.close();
    free.close();
  };
}

function statuses() {
  const kinds = [["active", "active"], ["coming", "to come"], ["waiting", "waits for room"], ["over", "over"], ["failing", "in trouble"], ["closed", "maintenance"]];
  return h("ul", { class: "legend" }, kinds.map(([kind, text]) => h("li", {}, h("span", { class: `swatch held ${kind}` }), text)));
}

function barOf(lease, text) {
  const label = `${lease.name}, ${lease.status.toLowerCase()}, ${moment(new Date(lease.from))} to ${moment(new Date(lease.until))}`;
  return { from: lease.from, until: lease.until, kind: kindOf(lease), text, label, href: address(["leases", lease.id]) };
}

function byLease(leases) {
  return leases.sort((one, other) => one.from - other.from || one.name.localeCompare(other.name)).map((lease) => ({
    name: lease.name, bars: [barOf(lease, lease.reservations.map(held).join("; "))],
  }));
}

async function byHost(api, leases) {
  const [{ hosts }, { allocations }] = await Promise.all([api.reservation("os-hosts"), api.reservation("os-hosts/allocations")]);
  const known = new Map(leases.map((lease) => [lease.id, lease]));
  const slotsOf = new Map(allocations.map(({ resource_id: id, reservations }) => [id, reservations]));
  return hosts.map((host) => {
    const counts = new Map();
    for (const { id, lease_id: lease } of slotsOf.get(host.id) ?? []) {
      if (known.has(lease)) counts.set(`${lease} ${id}`, (counts.get(`${lease} ${id}`) ?? 0) + 1);
    }
    const bars = [...counts].map(([key, count]) => {
      const lease = known.get(key.split(" ")[0]);
      return barOf(lease, count > 1 ? `${lease.name} × ${count}` : lease.name);
    });
    const closed = host.maintenance.map(({ start_date: start, end_date: end, reason }) => ({
      from: Date.parse(`${start.slice(0, 19)}Z`), until: Date.parse(`${end.slice(0, 19)}Z`), kind: "closed", text: reason, label: `maintenance: ${reason}`,
    }));
    return { name: host.hypervisor_hostname, bars: [...bars, ...closed] };
  }).sort((one, other) => one.name.localeCompare(other.name, "en", { numeric: true }));
}
