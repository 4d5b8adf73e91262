// Booking: what, how many, from when to when; whether it would fit, when it would, and why not.

import { computeOf } from "../compute.js";
import { field, fill, h, notice, select, table, waiting } from "../dom.js";
import { amount, apiTime, duration, fromInput, inputTime, moment, parseTime, plural } from "../format.js";
import { slots, wouldFit } from "../leases.js";
import { DAY, beginning } from "../pictures/time_axis.js";

const MINUTE = 60_000;

/** `onWish(wanted, words)` is told what is looked for whenever it changes, `onBooked(lease)` what was booked. */
export function bookingForm(session, { affinities, onWish, onBooked }) {
  const { api } = session;
  const name = h("input", { required: true, maxlength: 80, placeholder: "what it is for" });
  const kind = select([["virtual:instance", "instances of a size"], ["flavor:instance", "instances of a flavor"], ["physical:host", "whole hosts"]]);
  const vcpus = h("input", { type: "number", min: 1, value: 8, required: true });
  const memory = h("input", { type: "number", min: 0.5, step: 0.5, value: 16, required: true });
  const disk = h("input", { type: "number", min: 0, value: 0, required: true });
  const flavor = select([]);
  const count = h("input", { type: "number", min: 1, value: 10, required: true });
  const affinity = select(affinities);
  const from = h("input", { type: "datetime-local", required: true });
  const until = h("input", { type: "datetime-local", required: true });
  const said = h("div", { "aria-live": "polite", class: "verdict" });
  const size = h("div", { class: "triple" }, field("vCPUs", vcpus), field("GiB of RAM", memory), field("GiB of disk", disk));
  const flavorField = field("Flavor", flavor);
  const affinityField = field("Where", affinity);

  const tomorrow = beginning(Date.now(), "day") + DAY;
  from.value = inputTime(new Date(tomorrow));
  until.value = inputTime(new Date(tomorrow + DAY));

  /** One of what is looked for, as the API asks for it. */
  function one() {
    if (kind.value === "physical:host") return { resource_type: kind.value };
    if (kind.value === "flavor:instance") return { resource_type: kind.value, flavor_id: flavor.value };
    return { resource_type: kind.value, vcpus: Number(vcpus.value), memory_mb: Math.round(Number(memory.value) * 1024), disk_gb: Number(disk.value) };
  }

  function words() {
    if (kind.value === "physical:host") return "whole hosts";
    if (kind.value === "flavor:instance") return `instances of ${flavor.selectedOptions[0]?.text ?? "a flavor"}`;
    return `instances of ${vcpus.value} vCPU, ${memory.value} GiB`;
  }

  function reservation() {
    const number = Number(count.value);
    if (kind.value === "physical:host") return { ...one(), min: number, max: number };
    return { ...one(), amount: number, affinity: affinity.value === "" ? null : affinity.value === "true" };
  }

  const lease = () => ({ name: name.value || "a lease", start_date: apiTime(fromInput(from.value)), end_date: apiTime(fromInput(until.value)), reservations: [reservation()] });

  function arrange() {
    size.hidden = kind.value !== "virtual:instance";
    flavorField.hidden = kind.value !== "flavor:instance";
    affinityField.hidden = kind.value === "physical:host";
    if (kind.value !== "flavor:instance" || flavor.value) wish();
  }

  let pending;
  function wish() {
    clearTimeout(pending);
    pending = setTimeout(() => { if (size.hidden || (vcpus.validity.valid && memory.validity.valid && disk.validity.valid)) onWish(one(), words()); }, 250);
  }

  /** Run something for a button, and say what goes wrong. Only what is booked needs a name. */
  const doing = (act) => async () => {
    if (busy) return;
    const wrong = [...element.elements].find((control) => (control !== name || act === book) && !control.closest("[hidden]") && !control.checkValidity());
    if (wrong) {
      wrong.reportValidity();
      return;
    }
    be(true);
    fill(said, waiting("Looking …"));
    try {
      await act();
    } catch (error) {
      fill(said, notice("error", error.message));
    } finally {
      be(false);
    }
  };

  let busy = false;
  /** Nothing is asked twice at once. A button that is `disabled` would lose the focus, so it is only told that it is. */
  function be(now) {
    busy = now;
    for (const button of buttons.children) button.setAttribute("aria-disabled", String(now));
  }

  async function check() {
    const verdict = await wouldFit(api, lease());
    fill(said, verdictOf(verdict, (alternative) => () => use(alternative)));
    return verdict;
  }

  async function book() {
    const verdict = await check();
    if (!verdict.fits) return;
    const made = await api.reservation("leases", { method: "POST", body: lease() });
    onBooked(made.lease);
  }

  async function find() {
    const minutes = Math.round((fromInput(until.value) - fromInput(from.value)) / MINUTE);
    if (!(minutes > 0)) {
      fill(said, notice("error", "The end must be after the beginning; how long it lasts is what is looked for."));
      return;
    }
    // A number of instances is looked for as the lease would hold them.
    const { min, max, ...wanted } = reservation();
    const found = await slots(api, min ? { ...wanted, amount: min } : wanted, fromInput(from.value), minutes);
    fill(said, found.length ? [h("p", {}, `Times at which it fits for ${duration(minutes * MINUTE)}:`), h("ul", { class: "helping" }, found.map((slot) => slotRow(slot, minutes)))]
      : notice("warning", "There is no such time within the next months."));
  }

  function slotRow({ start_date: start, latest_start_date: latest }, minutes) {
    const [first, last] = [parseTime(start), parseTime(latest)];
    const range = +first === +last ? moment(first) : `${moment(first)} – ${moment(last)}`;
    return h("li", {}, h("span", {}, range), h("button", { type: "button", "aria-label": `Use ${moment(first)}`, onclick: () => { setTimes(first, minutes); fill(said, notice("note", "The times are set; check or book.")); } }, "Use"));
  }

  function setTimes(start, minutes) {
    from.value = inputTime(start);
    until.value = inputTime(new Date(+start + minutes * MINUTE));
  }

  /** Take over what would fit instead. */
  function use(alternative) {
    if (alternative.kind === "fewer") count.value = alternative.amount;
    if (alternative.kind === "other affinity") affinity.value = alternative.affinity === null ? "" : String(alternative.affinity);
    if (alternative.kind === "later") setTimes(parseTime(alternative.start_date), Math.round((fromInput(until.value) - fromInput(from.value)) / MINUTE));
    doing(check)();
  }

  const buttons = h("div", { class: "buttons" },
    h("button", { type: "submit", class: "primary" }, "Book"),
    h("button", { type: "button", onclick: doing(check) }, "Would it fit?"),
    h("button", { type: "button", onclick: doing(find) }, "Find a time"));
  const element = h("form", { novalidate: true, onsubmit: (event) => { event.preventDefault(); doing(book)(); } },
    h("h2", {}, "Book"),
    field("Name", name), field("What", kind), size, flavorField,
    h("div", { class: "pair" }, field("How many", count), affinityField),
    field("From", from), field("Until", until),
    buttons, said);
  for (const control of [kind, vcpus, memory, disk, flavor]) control.addEventListener("input", arrange);

  return {
    element,
    async begin() {
      arrange();
      const flavors = await computeOf(session).flavors();
      flavor.append(...flavors.filter((each) => !each.name.startsWith("reservation:")).map((each) =>
        h("option", { value: each.id }, `${each.name} (${each.vcpus} vCPU, ${amount("MEMORY_MB", each.ram)})`)));
    },
  };
}

/** Whether a lease would fit and, if not, why not and what would; `useOf(alternative)` takes one over, or is null. */
export function verdictOf(verdict, useOf) {
  if (verdict.fits) {
    const places = verdict.hosts.map(({ host, slots: count }) => (count > 1 ? `${host} (${count})` : host)).join(", ");
    return notice("good", h("strong", {}, "It fits. "), `${plural(verdict.hosts.length, "host")}: ${places}`);
  }
  return [
    notice("error", h("strong", {}, "It does not fit. "), verdict.reason),
    verdict.alternatives.length ? h("ul", { class: "helping" }, verdict.alternatives.map((alternative) => alternativeRow(alternative, useOf(alternative)))) : null,
    verdict.shortages.length ? h("details", {}, h("summary", {}, "What is missing where"), shortages(verdict.shortages)) : null,
  ];
}

function alternativeRow(alternative, use) {
  const words = instead(alternative);
  return h("li", {}, h("span", {}, words), use ? h("button", { type: "button", onclick: use, "aria-label": `Use: ${words}` }, "Use") : null);
}

function instead({ kind, amount: count, start_date: start, end_date: end }) {
  if (kind === "shorter") return `until ${moment(parseTime(end))}`;
  if (kind === "fewer") return `${count} would fit`;
  if (kind === "later") return `from ${moment(parseTime(start))} on`;
  return "anywhere, instead of by that rule";
}

function shortages(found) {
  const rows = found.map(({ host, resource, free, wanted, held_by_leases: leases, held_until: until }) => [
    host, `${amount(resource, free)} of ${amount(resource, wanted)} ${resource}`, leases ? `${plural(leases, "lease")}${until ? ` until ${moment(parseTime(until))}` : ""}` : "–",
  ]);
  return table("What is missing where", ["Host", "Free of what is wanted", "Held by"], rows);
}
