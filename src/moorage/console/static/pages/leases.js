// Leases: the calendar, what is free beside it, and the forms to book and to change.

import { fill, h, notice } from "../dom.js";
import { number } from "../format.js";
import { AFFINITIES, availability, leasesBetween, oneMore, withTimes } from "../leases.js";
import { gantt, responsive } from "../pictures/gantt.js";
import { steps } from "../pictures/steps.js";
import { VIEWS, beginning, dayOf, zoomed } from "../pictures/time_axis.js";
import { address, go, note } from "../router.js";
import { bookingForm } from "./lease_booking.js";
import { leasePanel } from "./lease_panel.js";
import { byHost, byLease } from "./lease_rows.js";

const ROWS = 30; // on one leaf of the calendar

export function leasesPage(main, { session, rest: [chosen], parameters, failed }) {
  const { api, may } = session;
  const state = {
    view: parameters.get("view") in VIEWS ? parameters.get("view") : "week",
    by: parameters.get("by") === "host" && may.see_booked_hosts ? "host" : "lease",
    start: Date.parse(parameters.get("from") ?? ""),
    name: parameters.get("name") ?? "",
    leaf: 0,
  };
  if (Number.isNaN(state.start)) state.start = beginning(Date.now(), state.view);

  let rows = null; // until they are known
  let stretches = [];
  const calendar = responsive((width) => gantt(leaf(), state.view, state.start, width, rows ? "nothing in this time" : "Reading the leases …"));
  const free = responsive((width) => steps(stretches, state.view, state.start, width));
  const freeTitle = h("h2", {}, "Free over time");
  const freeCard = h("section", { class: "card", hidden: true }, freeTitle, free.element);
  const name = h("input", { type: "search", value: state.name, placeholder: "part of a name", "aria-label": "Find a row", oninput: () => { state.name = name.value.trim(); remember(); turn(0); } });
  const where = h("span", { class: "muted", role: "status" });
  const before = h("button", { type: "button", "aria-label": "Rows before", onclick: () => turn(state.leaf - 1) }, "↑");
  const after = h("button", { type: "button", "aria-label": "Rows after", onclick: () => turn(state.leaf + 1) }, "↓");
  const leaves = h("div", { class: "leaves", hidden: true }, name, where, h("div", { class: "buttons" }, before, after));
  const side = h("div", {});

  const end = () => state.start + VIEWS[state.view].length;

  const kept = () => ({ view: state.view, by: state.by === "host" ? "host" : "", from: dayOf(state.start), name: state.name });
  const remember = () => note(["leases", ...(chosen ? [chosen] : [])], kept());

  let loads = 0;
  async function load() {
    const mine = ++loads;
    remember();
    const leases = await leasesBetween(api, state.start, end());
    const hrefOf = (lease) => address(["leases", lease.id], kept());
    const found = state.by === "host" ? await byHost(api, leases, hrefOf) : byLease(leases, hrefOf);
    if (mine !== loads) return; // something else was asked for meanwhile
    rows = found;
    turn(0);
  }

  const matching = () => (rows ?? []).filter((row) => row.name.toLowerCase().includes(state.name.toLowerCase()));
  const leaf = () => matching().slice(state.leaf * ROWS, (state.leaf + 1) * ROWS).map((row) => ({ name: row.name, bars: row.bars() }));

  /** Show a leaf of the calendar, and how to get to the others where there are any. */
  function turn(to) {
    const count = matching().length;
    state.leaf = to;
    const [first, last] = [to * ROWS + 1, Math.min(count, (to + 1) * ROWS)];
    leaves.hidden = !state.name && rows.length <= ROWS;
    where.textContent = count ? `${number(first)}–${number(last)} of ${number(count)} ${state.by === "host" ? "hosts" : "leases"}` : "none has this in its name";
    before.disabled = to === 0;
    after.disabled = last >= count;
    calendar.redraw();
  }

  let looks = 0;
  async function showFree(wanted, words) {
    if (!may.look_ahead) return;
    const mine = ++looks;
    let [found, told] = [[], words];
    try {
      found = await availability(api, wanted, state.start, end());
    } catch (error) {
      if (error.status !== 400) throw error;
      told = error.message; // a flavor that is gone, or a time that is over
    }
    if (mine !== looks) return; // something else was asked for meanwhile
    stretches = found;
    freeTitle.textContent = `Free over time: ${told}`;
    freeCard.hidden = false;
    free.redraw();
  }

  const choice = (key, value, text) => h("button", {
    type: "button", "data-key": key, "data-value": value,
    onclick: () => { if (key === "view") state.start = zoomed(state.start, state.view, value); state[key] = value; refresh(); },
  }, text);
  const move = (text, label, act) => h("button", { type: "button", "aria-label": label, onclick: () => { act(); refresh(); } }, text);
  const controls = h("div", { class: "toolbar" },
    h("div", { class: "choices", role: "group", "aria-label": "How much time to see" }, Object.keys(VIEWS).map((view) => choice("view", view, view))),
    may.see_booked_hosts ? h("div", { class: "choices", role: "group", "aria-label": "A row for each" }, choice("by", "lease", "by lease"), choice("by", "host", "by host")) : null,
    h("div", { class: "buttons" },
      move("←", "Earlier", () => { state.start -= VIEWS[state.view].back; }),
      move("Today", "Today", () => { state.start = beginning(Date.now(), state.view); }),
      move("→", "Later", () => { state.start += VIEWS[state.view].back; })));

  function arrange() {
    for (const button of controls.querySelectorAll("[data-key]")) {
      button.setAttribute("aria-pressed", String(state[button.dataset.key] === button.dataset.value));
    }
  }

  let wanted = null;
  function refresh() {
    arrange();
    load().catch(failed);
    if (wanted) showFree(...wanted).catch(failed);
  }
  const wish = (...asked) => { wanted = asked; showFree(...asked).catch(failed); };

  const booking = may.book && !chosen ? bookingForm(session, {
    affinities: AFFINITIES,
    onWish: wish,
    onBooked: (lease) => {
      const { from } = withTimes(lease);
      if (from < state.start || from >= end()) state.start = beginning(from, state.view); // what was booked is to be seen
      go(["leases", lease.id], kept());
    },
  }) : null;
  const panel = () => leasePanel(session, chosen, {
    back: () => address(["leases"], kept()),
    // Whoever wants to have it longer looks for where more of the same is free.
    onShown: ({ reservations: [first] }) => { if (first) wish(...oneMore(first)); },
    onChanged: refresh,
    failed,
  });
  fill(side, chosen ? panel() : booking?.element ?? notice("note", "Your roles let you look at leases, not make any."));

  fill(main,
    h("div", { class: "heading" }, h("h1", {}, "Leases"), h("span", { class: "muted" }, "All times are UTC")),
    h("div", { class: "split calendar" },
      h("section", { class: "card" }, side),
      h("div", {},
        h("section", { class: "card" }, controls, leaves, calendar.element, statuses()),
        freeCard)));
  arrange();
  load().catch(failed);
  booking?.begin().catch(failed);

  return () => {
    calendar.close();
    free.close();
  };
}

function statuses() {
  const kinds = [["active", "active"], ["coming", "to come"], ["waiting", "waits for room"], ["over", "over"], ["failing", "in trouble"], ["closed", "maintenance"]];
  return h("ul", { class: "legend" }, kinds.map(([kind, text]) => h("li", {}, h("span", { class: `swatch held ${kind}` }), text)));
}
