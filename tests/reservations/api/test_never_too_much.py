"""Random bookings, changes and ends: no host ever holds more than it has, at any instant."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.properties import effort
from tests.reservations.api.clouds import BEGIN, ReservationCloud, at, instances, new_lease, whole_hosts

ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["book", "book", "book", "hosts", "extend", "move", "resize", "delete", "later"]),
        st.integers(0, 9),
        st.integers(1, 6),
        st.sampled_from([None, True, False]),
    ),
    min_size=5,
    max_size=25,
)


@effort(10)
@given(actions=ACTIONS)
def test_no_host_ever_holds_more_than_it_has(
    cloud: ReservationCloud, actions: list[tuple[str, int, int, bool | None]]
) -> None:
    tycho = cloud.tycho
    leases: list[Any] = []
    for action, number, amount, affinity in actions:
        hours = (cloud.clock.now - BEGIN) / timedelta(hours=1)
        start = hours + 1 + number
        if action in ("book", "hosts"):
            wanted = whole_hosts(1, 2) if action == "hosts" else instances(amount, 1 + number % 3, affinity=affinity)
            answer = tycho.send("POST", "/leases", new_lease(start, start + amount, wanted))
            assert answer.status_code in {201, 409}, answer.text
            leases += [answer.json()["lease"]] if answer.status_code == 201 else []
        elif action == "later":
            cloud.settle(hours + amount)
        elif leases:
            lease = leases[number % len(leases)]
            if action == "delete":
                assert tycho.send("DELETE", f"/leases/{lease['id']}").status_code in {204, 404}
                cloud.settle()
            else:
                changes = {
                    "extend": {"end_date": at(start + amount)},
                    "move": {"start_date": at(start), "end_date": at(start + amount)},
                    "resize": {"reservations": [{"id": lease["reservations"][0]["id"], "amount": amount}]},
                }
                answer = tycho.send("PUT", f"/leases/{lease['id']}", changes[action])
                assert answer.status_code in {200, 400, 404, 409}, answer.text
        check(cloud)
    for lease in leases:
        tycho.send("DELETE", f"/leases/{lease['id']}")
    cloud.settle()


def check(cloud: ReservationCloud) -> None:
    """Add up, by the definition, what is held of each host at each instant at which anything changes."""
    known = {
        reservation["id"]: reservation
        for lease in cloud.admin.ask("GET", "/leases")["leases"]
        for reservation in lease["reservations"]
    }
    for host in cloud.admin.ask("GET", "/os-hosts/allocations")["allocations"]:
        slots = host["reservations"]
        for instant in {slot["start_date"] for slot in slots}:
            held = [known[slot["id"]] for slot in slots if slot["start_date"] <= instant < slot["end_date"]]
            if any(one["resource_type"] == "physical:host" for one in held):
                assert len(held) == 1, (host, instant)
            else:
                assert sum(one["vcpus"] for one in held) <= 8, (host, instant)
                assert sum(one["memory_mb"] for one in held) <= 15872, (host, instant)
