// A request as a server would make it: a flavor, an image, a zone.

import { computeOf } from "../compute.js";
import { field, h, notice, select } from "../dom.js";
import { amount } from "../format.js";

/** `ask(query, reasons)` is called with what compute makes of the choice; `start` is the choice at first. */
export function byFlavor(session, { flavors, images, zones }, start, ask) {
  const ofLease = ({ name }) => name.startsWith("reservation:"); // such a name tells little, so they come last
  const chosen = (list, value) => (list.includes(value) ? value : undefined);
  const flavor = select([...flavors.filter((each) => !ofLease(each)), ...flavors.filter(ofLease)].map((each) => [each.id, each.name]), chosen(flavors.map((each) => each.id), start.flavor));
  const image = select([["", "no image"], ...images.map((each) => [each.id, each.name ?? each.id])], chosen(images.map((each) => each.id), start.image));
  const zone = select([["", "any zone"], ...zones.map((name) => [name, name])], chosen(zones, start.zone));
  const shape = h("p", { class: "muted" });
  const said = h("div", { "aria-live": "polite" });

  function describe() {
    const { vcpus, ram, disk, extra_specs: specs = {} } = flavors.find((each) => each.id === flavor.value);
    const wishes = Object.entries(specs).map(([key, value]) => `${key}=${value}`);
    shape.textContent = [`${vcpus} vCPU`, amount("MEMORY_MB", ram), disk ? amount("DISK_GB", disk) : null, ...wishes].filter(Boolean).join(" · ");
  }

  function told() {
    const wanted = new URLSearchParams({ flavor: flavor.value });
    if (image.value) wanted.set("image", image.value);
    if (zone.value) wanted.set("availability_zone", zone.value);
    return computeOf(session).placementQuery(wanted);
  }

  let asked = 0;
  async function submit(event) {
    event.preventDefault();
    const mine = ++asked;
    said.replaceChildren();
    try {
      const { query, conditions } = await told();
      isNew = false;
      if (mine === asked) await ask(query, conditions.map(({ reason, forbidden }) => `${forbidden ? "Not in some aggregates" : "Only in some aggregates"}: ${reason}.`));
    } catch (error) {
      said.append(notice("error", error.message));
    }
  }

  let isNew = false; // whether something was chosen that nobody has asked for yet
  for (const control of [flavor, image, zone]) control.addEventListener("change", () => { isNew = true; });
  flavor.addEventListener("change", describe);
  describe();
  const element = h("form", { onsubmit: submit },
    field("Flavor", flavor), shape, field("Image", image), field("Availability zone", zone), said,
    h("button", { type: "submit", class: "primary" }, "Find places"));
  return {
    element,
    fill: () => {}, // no flavor can be told from a query
    choice: () => ({ flavor: flavor.value, image: image.value, zone: zone.value }),
    /** What the choice asks for; null if nothing was chosen, or if compute does not say. */
    query: () => (isNew ? told().then(({ query }) => { isNew = false; return query; }, () => null) : null),
  };
}
