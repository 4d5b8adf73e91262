// The rows of the calendar, one for each lease or one for each host. Their bars are made when they are looked at.

import { moment } from "../format.js";
import { held, kindOf } from "../leases.js";

const COLLATOR = new Intl.Collator("en", { numeric: true });

/** Rows are { name, bars: () => […] }; `hrefOf(lease)` is where a bar leads. */
export function byLease(leases, hrefOf) {
  return leases.sort((one, other) => one.from - other.from || COLLATOR.compare(one.name, other.name)).map((lease) => ({
    name: lease.name, bars: () => [barOf(lease, lease.reservations.map(held).join("; "), hrefOf)],
  }));
}

export async function byHost(api, leases, hrefOf) {
  const [{ hosts }, { allocations }] = await Promise.all([api.reservation("os-hosts"), api.reservation("os-hosts/allocations")]);
  const known = new Map(leases.map((lease) => [lease.id, lease]));
  const slotsOf = new Map(allocations.map(({ resource_id: id, reservations }) => [id, reservations]));
  return hosts.map((host) => ({
    name: host.hypervisor_hostname, bars: () => [...heldOn(slotsOf.get(host.id) ?? [], known, hrefOf), ...host.maintenance.map(closed)],
  })).sort((one, other) => COLLATOR.compare(one.name, other.name));
}

/** What leases hold of a host; there is one item for each slot. */
function heldOn(slots, known, hrefOf) {
  const counts = new Map();
  for (const { id, lease_id: lease } of slots) {
    if (known.has(lease)) counts.set(`${lease} ${id}`, (counts.get(`${lease} ${id}`) ?? 0) + 1);
  }
  return [...counts].map(([key, count]) => {
    const lease = known.get(key.split(" ")[0]);
    return barOf(lease, count > 1 ? `${lease.name} × ${count}` : lease.name, hrefOf);
  });
}

function barOf(lease, text, hrefOf) {
  const label = `${lease.name}, ${lease.status.toLowerCase()}, ${moment(new Date(lease.from))} to ${moment(new Date(lease.until))}`;
  return { from: lease.from, until: lease.until, kind: kindOf(lease), text, name: lease.name, label, href: hrefOf(lease) };
}

const closed = ({ start_date: start, end_date: end, reason }) => ({
  from: Date.parse(`${start.slice(0, 19)}Z`), until: Date.parse(`${end.slice(0, 19)}Z`), kind: "closed", text: reason, name: "maintenance", label: `maintenance: ${reason}`,
});
