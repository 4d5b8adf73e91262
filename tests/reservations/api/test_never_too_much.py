"""Random bookings, changes and ends: no host ever holds more than it has, at any instant.

And what a dry run says of a change is what becomes of it.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.properties import effort
from tests.reservations.api.clouds import BEGIN, ReservationCloud, Reserver, at, instances, new_lease, whole_hosts

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
                changes: dict[str, dict[str, Any]] = {
                    "extend": {"end_date": at(start + amount)},
                    "move": {"start_date": at(start), "end_date": at(start + amount)},
                    "resize": {"reservations": [{"id": lease["reservations"][0]["id"], "amount": amount}]},
                }
                change_as_foretold(tycho, lease["id"], changes[action])
        check(cloud)
    for lease in leases:
        tycho.send("DELETE", f"/leases/{lease['id']}")
    cloud.settle()


def change_as_foretold(somebody: Reserver, lease_id: str, wanted: dict[str, Any]) -> None:
    """Ask what would become of a change, and then make it; if it is refused for want of room, make what would fit."""
    path = f"/leases/{lease_id}"
    before = somebody.send("GET", path).json()
    foretold = somebody.send("PUT", path, wanted, dry_run=True)
    assert somebody.send("GET", path).json() == before
    answer = somebody.send("PUT", path, wanted)
    if foretold.status_code != 200:
        assert foretold.status_code in {400, 404, 409}, foretold.text
        assert (answer.status_code, answer.json()) == (foretold.status_code, foretold.json())
    elif foretold.json()["fits"]:
        assert without_new_ids(answer.json()["lease"]) == without_new_ids(foretold.json()["lease"])
    else:
        assert (answer.status_code, answer.json()["error_message"]) == (409, foretold.json()["reason"])
        for one in foretold.json()["alternatives"]:
            again = somebody.ask("PUT", path, instead(before["lease"], wanted, one), dry_run=True)
            assert again["fits"], (before, wanted, one)


def instead(lease: Any, wanted: dict[str, Any], one: dict[str, Any]) -> dict[str, Any]:
    """A change with what would fit in place of what does not."""
    [reservation] = lease["reservations"]
    match one["kind"]:
        case "shorter":
            return {**wanted, "end_date": as_asked(one["end_date"])}
        case "later":
            start, end = (wanted.get(name, as_asked(lease[name])) for name in ("start_date", "end_date"))
            length = datetime.fromisoformat(end) - datetime.fromisoformat(start)
            later = datetime.fromisoformat(one["start_date"])
            return {
                **wanted,
                **{
                    f"{name}_date": f"{time:%Y-%m-%d %H:%M}"
                    for name, time in (("start", later), ("end", later + length))
                },
            }
        case "fewer":
            fewer: dict[str, Any] = {"min" if "min" in reservation else "amount": one["amount"]}
        case _:
            fewer = {"affinity": one["affinity"]}
    [known] = wanted.get("reservations", [{"id": reservation["id"]}])
    return {**wanted, "reservations": [{**known, **fewer}]}


def as_asked(date: str) -> str:
    """A date of an answer as requests have it."""
    return date[:16].replace("T", " ")


def without_new_ids(lease: dict[str, Any]) -> dict[str, Any]:
    """A lease without what is drawn: the ids of events that it did not have."""
    return {**lease, "events": [{**event, "id": ""} for event in lease["events"]]}


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
