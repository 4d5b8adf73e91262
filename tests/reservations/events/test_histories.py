"""Whatever happens to leases, what Placement holds is what the leases in force say."""

from __future__ import annotations

from collections import defaultdict

from hypothesis import strategies as st

from moorage.reservations.model.host import Host
from moorage.reservations.model.lease import Lease
from tests.reservations.harbour import Harbour

ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["book", "book", "delete", "move", "later", "trouble"]),
        st.integers(0, 5),
        st.integers(1, 3),
        st.integers(0, 2),
    ),
    min_size=3,
    max_size=12,
)


def expected(harbour: Harbour, hosts: list[Host], leases: list[Lease]) -> dict[str, dict[str, int]]:
    """What leases that are active, and nothing else, say about slots."""
    slots: dict[str, dict[str, int]] = defaultdict(dict)
    by_id = {host.id: host.name for host in hosts}
    for lease in map(harbour.shown, leases):
        for reservation in lease.reservations:
            if reservation.status == "active":
                for row in reservation.slots:
                    slots[by_id[row.host_id]][reservation.resource_class] = row.count
    return {host.name: slots[host.name] for host in hosts}
