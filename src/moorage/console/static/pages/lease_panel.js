// One lease: what it holds and where, and to make it longer or shorter, or end it.

import { field, fill, h, notice, waiting } from "../dom.js";
import { apiTime, duration, fromInput, inputTime, moment, parseTime } from "../format.js";
import { held, withTimes, wouldChange } from "../leases.js";
import { verdictOf } from "./lease_booking.js";

/** `back()` is the address of the calendar without the lease; `onShown(lease)` and `onChanged()` are told what there is to draw. */
export function leasePanel(session, id, { back, onShown, onChanged, failed }) {
  const { api, may } = session;
  const body = h("div", {}, waiting("Reading the lease …"));
  const said = h("div", { "aria-live": "polite" });

  async function load() {
    const lease = withTimes((await api.reservation(`leases/${id}`)).lease);
    const places = may.see_booked_hosts ? await placesOf(api, lease) : [];
    fill(body, view(lease, places));
    onShown(lease);
  }

  function view(lease, places) {
    const over = lease.status === "TERMINATED";
    const until = h("input", { type: "datetime-local", value: inputTime(new Date(lease.until)), required: true });
    return [
      h("h2", {}, lease.name), h("span", { class: `chip status ${lease.status.toLowerCase()}` }, lease.status.toLowerCase(), lease.degraded ? ", degraded" : ""),
      lease.status_reason ? h("p", { class: "muted" }, lease.status_reason) : null,
      h("dl", { class: "plain" },
        h("dt", {}, "From"), h("dd", {}, moment(new Date(lease.from))),
        h("dt", {}, "Until"), h("dd", {}, moment(new Date(lease.until)), h("small", { class: "muted" }, ` ${duration(lease.until - lease.from)}`)),
        h("dt", {}, "Holds"), h("dd", {}, lease.reservations.map((each) => h("div", {}, held(each), affinityOf(each)))),
        places.length ? [h("dt", {}, "On"), h("dd", {}, places.map((place) => h("div", {}, place)))] : null),
      over || !may.change_leases ? null : h("form", { onsubmit: (event) => { event.preventDefault(); changeEnd(until); } },
        field("New end", until),
        h("div", { class: "buttons" }, h("button", { type: "submit", class: "primary" }, "Change the end"), may.delete_leases ? ending(lease) : null)),
      over && may.delete_leases ? h("div", { class: "buttons" }, ending(lease)) : null,
    ];
  }

  /** Asked first, because the answer then says why not, and up to when it could be. */
  async function changeEnd(until) {
    fill(said);
    const change = { end_date: apiTime(fromInput(until.value)) };
    try {
      const verdict = await wouldChange(api, id, change);
      if (!verdict.fits) {
        fill(said, verdictOf(verdict, (alternative) => (alternative.kind === "shorter" ? () => useEnd(until, alternative) : null)));
        return;
      }
      const { lease } = await api.reservation(`leases/${id}`, { method: "PUT", body: change });
      fill(said, notice("good", `It now ends ${moment(parseTime(lease.end_date))}.`));
      await load();
      onChanged();
    } catch (error) {
      fill(said, notice("error", error.message));
    }
  }

  function useEnd(until, { end_date: end }) {
    until.value = inputTime(parseTime(end));
    return changeEnd(until);
  }

  /** Two presses: a lease that is gone cannot be had back. */
  function ending(lease) {
    const sure = h("button", { type: "button", class: "danger", onclick: () => end(lease) }, `Yes, delete ${lease.name}`);
    const button = h("button", { type: "button", class: "danger", onclick: () => {
      button.replaceWith(sure);
      sure.focus();
    } }, "Delete it …");
    return button;
  }

  async function end() {
    try {
      await api.reservation(`leases/${id}`, { method: "DELETE" });
      location.hash = back();
    } catch (error) {
      fill(said, notice("error", error.message));
    }
  }

  load().catch((error) => {
    if (error.status === 404) fill(body, notice("note", "There is no such lease; perhaps it was deleted."));
    else failed(error);
  });
  return h("div", {}, h("p", { class: "back" }, h("a", { href: back(), onclick: (event) => { event.currentTarget.href = back(); } }, "← Book another")), body, said);
}

function affinityOf({ affinity }) {
  if (affinity === undefined || affinity === null) return null;
  return h("small", { class: "muted" }, affinity ? " all on one host" : " each on another host");
}

/** The hosts that keep a lease, with the number of slots where there are several. */
async function placesOf(api, lease) {
  const [{ hosts }, { allocations }] = await Promise.all([api.reservation("os-hosts"), api.reservation(`os-hosts/allocations?lease_id=${lease.id}`)]);
  const named = new Map(hosts.map((host) => [host.id, host.hypervisor_hostname]));
  return allocations.map(({ resource_id: host, reservations }) => [named.get(host) ?? host, reservations.length])
    .map(([host, count]) => (count > 1 ? `${host} × ${count}` : host)).sort();
}
