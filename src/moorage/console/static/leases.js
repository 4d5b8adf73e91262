// Leases as the pages use them, and the questions that are asked about them.

import { amount, apiTime, parseTime, plural } from "./format.js";

export const AFFINITIES = [["", "anywhere"], ["true", "all on one host"], ["false", "each on another host"]];

/** Leases that are there between two times, each with its times as numbers. */
export async function leasesBetween(api, from, until) {
  const query = new URLSearchParams({ ends_after: apiTime(new Date(from)), starts_before: apiTime(new Date(until)) });
  const { leases } = await api.reservation(`leases?${query}`);
  return leases.map(withTimes);
}

export const withTimes = (lease) => ({ ...lease, from: +parseTime(lease.start_date), until: +parseTime(lease.end_date) });

/** What a reservation holds, in words. */
export function held(reservation) {
  if (reservation.resource_type === "physical:host") {
    return reservation.min === reservation.max ? plural(reservation.min, "whole host") : `${reservation.min} to ${reservation.max} whole hosts`;
  }
  const disk = reservation.disk_gb ? `, ${amount("DISK_GB", reservation.disk_gb)}` : "";
  return `${reservation.amount} × ${reservation.vcpus} vCPU, ${amount("MEMORY_MB", reservation.memory_mb)}${disk}`;
}

export const kindOf = ({ status, degraded }) =>
  degraded || status === "ERROR" ? "failing" : { ACTIVE: "active", PENDING: "coming", WAITING: "waiting", TERMINATED: "over" }[status] ?? "coming";

/** How much of something is free over time. */
export async function availability(api, wanted, from, until) {
  const query = new URLSearchParams({ ...asParameters(wanted), start: apiTime(new Date(from)), end: apiTime(new Date(until)) });
  const { availability: stretches } = await api.reservation(`availability?${query}`);
  return stretches.map(({ start_date: start, end_date: end, free }) => ({ from: +parseTime(start), until: +parseTime(end), free }));
}

/** The first times at which something is free for so long. */
export async function slots(api, wanted, start, minutes) {
  const query = new URLSearchParams({ ...asParameters(wanted), start: apiTime(start), duration: minutes, limit: 8 });
  return (await api.reservation(`slots?${query}`)).slots;
}

export const wouldFit = (api, lease) => api.reservation("leases?dry_run=true", { method: "POST", body: lease });
export const wouldChange = (api, id, change) => api.reservation(`leases/${id}?dry_run=true`, { method: "PUT", body: change });

const asParameters = (wanted) => Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== null && value !== ""));

/** One more of what a reservation holds, as the API is asked about it, and in words. */
export function oneMore(reservation) {
  const { resource_type: type, vcpus, memory_mb: memory, disk_gb: disk, resource_properties: properties } = reservation;
  if (type === "physical:host") {
    return [{ resource_type: type, hypervisor_properties: reservation.hypervisor_properties, resource_properties: properties }, "whole hosts"];
  }
  if (type === "flavor:instance") {
    // There the API shows the flavor as it was.
    const flavor = JSON.parse(properties);
    return [{ resource_type: type, flavor_id: flavor.id }, `instances of ${flavor.name}`];
  }
  return [{ resource_type: type, vcpus, memory_mb: memory, disk_gb: disk, resource_properties: properties }, `instances of ${vcpus} vCPU, ${amount("MEMORY_MB", memory)}`];
}
