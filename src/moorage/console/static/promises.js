// What leases hold on a host: which leases, and what of the host is promised at this moment and not yet in use.

import { amount } from "./format.js";

const SLOT_CLASS = (id) => `CUSTOM_RESERVATION_${id.toUpperCase().replaceAll("-", "_")}`;

/** { leases: [{ lease, slots, what }], now: Map of resource class to amount, whole: whether all that is free is promised } */
export async function promisesOf(api, hostName, providers) {
  const none = { leases: [], now: new Map(), whole: false };
  const { hosts } = await api.reservation("os-hosts");
  const host = hosts.find((each) => each.hypervisor_hostname === hostName);
  if (!host) return none;
  const { allocation } = await api.reservation(`os-hosts/${host.id}/allocation`);
  const ids = new Set(allocation.reservations.map((slot) => slot.lease_id));
  const leases = (await Promise.all([...ids].map((id) => leaseOf(api, id)))).filter(Boolean);
  const slots = new Map();
  for (const { id } of allocation.reservations) slots.set(id, (slots.get(id) ?? 0) + 1);
  const now = new Map();
  let leasedWhole = false;
  const found = [];
  for (const lease of leases) {
    for (const reservation of lease.reservations.filter(({ id }) => slots.has(id))) {
      const whole = reservation.resource_type === "physical:host";
      found.push({ lease, slots: whole ? null : slots.get(reservation.id), what: shape(reservation) });
      if (lease.status !== "ACTIVE") continue;
      if (whole) {
        leasedWhole = true;
        continue;
      }
      const taken = providers.reduce((sum, provider) => sum + (provider.usages[SLOT_CLASS(reservation.id)] ?? 0), 0);
      const left = Math.max(0, slots.get(reservation.id) - taken);
      for (const [name, size] of Object.entries(reservation.resources)) now.set(name, (now.get(name) ?? 0) + left * size);
    }
  }
  return { leases: found.sort((one, other) => one.lease.start_date.localeCompare(other.lease.start_date)), now, whole: leasedWhole };
}

/** A lease, or null if it has just been deleted. */
async function leaseOf(api, id) {
  try {
    return (await api.reservation(`leases/${id}`)).lease;
  } catch (error) {
    if (error.status === 404) return null;
    throw error;
  }
}

/** One slot of a reservation, in words. */
export function shape(reservation) {
  if (reservation.resource_type === "physical:host") return "the whole host";
  const disk = reservation.disk_gb ? `, ${amount("DISK_GB", reservation.disk_gb)}` : "";
  return `${reservation.vcpus} vCPU, ${amount("MEMORY_MB", reservation.memory_mb)}${disk}`;
}
