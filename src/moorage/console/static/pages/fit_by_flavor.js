// A request as a server would make it: a flavor, an image, a zone.

import { computeOf } from "../compute.js";
import { field, h, notice, select } from "../dom.js";
import { amount } from "../format.js";

/** `ask(query, reasons)` is called with what compute makes of the choice. */
export function byFlavor(session, { flavors, images, zones }, ask) {
  const ofLease = ({ name }) => name.startsWith("reservation:"); // such a name tells little, so they come last
  const flavor = select([...flavors.filter((each) => !ofLease(each)), ...flavors.filter(ofLease)].map((each) => [each.id, each.name]));
  const image = select([["", "no image"], ...images.map((each) => [each.id, each.name ?? each.id])]);
  const zone = select([["", "any zone"], ...zones.map((name) => [name, name])]);
  const shape = h("p", { class: "muted" });
  const said = h("div", { "aria-live": "polite" });

  function describe() {
    const { vcpus, ram, disk, extra_specs: specs = {} } = flavors.find((each) => each.id === flavor.value);
    const wishes = Object.entries(specs).map(([key, value]) => `${key}=${value}`);
    shape.textContent = [`${vcpus} vCPU`, amount("MEMORY_MB", ram), disk ? amount("DISK_GB", disk) : null, ...wishes].filter(Boolean).join(" · ");
  }

  let asked = 0;
  async function submit(event) {
    event.preventDefault();
    const mine = ++asked;
    said.replaceChildren();
    const wanted = new URLSearchParams({ flavor: flavor.value });
    if (image.value) wanted.set("image", image.value);
    if (zone.value) wanted.set("availability_zone", zone.value);
    try {
      const { query, conditions } = await computeOf(session).placementQuery(wanted);
      if (mine === asked) await ask(query, conditions.map(({ reason, forbidden }) => `${forbidden ? "Not in some aggregates" : "Only in some aggregates"}: ${reason}.`));
    } catch (error) {
      said.append(notice("error", error.message));
    }
  }

  flavor.addEventListener("change", describe);
  describe();
  return h("form", { onsubmit: submit },
    field("Flavor", flavor), shape, field("Image", image), field("Availability zone", zone), said,
    h("button", { type: "submit", class: "primary" }, "Find places"));
}
