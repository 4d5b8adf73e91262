"""Leases through the API: what is booked, changed and refused, and that nothing is ever sold twice."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from tests.reservations.api.clouds import (
    BEGIN,
    ReservationCloud,
    Reserver,
    at,
    instances,
    new_lease,
    shown,
    whole_hosts,
)


def test_a_lease_is_shown_as_clients_expect_it(cloud: ReservationCloud, tycho: Reserver) -> None:
    lease = tycho.lease(1, 25, instances(2, affinity="None", resource_properties=""), events=[], before_end_date=None)
    assert (lease["start_date"], lease["end_date"]) == (shown(1), shown(25))
    assert (lease["status"], lease["degraded"], lease["trust_id"]) == ("PENDING", False, None)
    assert (lease["project_id"], lease["user_id"], lease["name"]) == ("astronomy", "tycho", "mine")
    [reservation] = lease["reservations"]
    assert reservation["flavor_id"] == reservation["id"]
    assert {name: reservation[name] for name in ("amount", "vcpus", "memory_mb", "disk_gb", "affinity")} == {
        "amount": 2,
        "vcpus": 1,
        "memory_mb": 512,
        "disk_gb": 1,
        "affinity": None,
    }
    assert reservation["resources"] == {"VCPU": 1, "MEMORY_MB": 512, "DISK_GB": 1}
    assert reservation["aggregate_id"] is reservation["server_group_id"] is None
    assert [(event["event_type"], event["time"], event["status"]) for event in lease["events"]] == [
        ("start_lease", shown(1), "UNDONE"),
        ("before_end_lease", shown(24), "UNDONE"),
        ("end_lease", shown(25), "UNDONE"),
    ]
    assert tycho.ask("GET", "/leases")["leases"] == [lease] == [tycho.shown(lease)]
    assert tycho.ask("GET", "/leases.json")["leases"] == [lease]


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        ({"vcpus": 0, "memory_mb": 0, "disk_gb": 0}, "vcpus"),  # D5: an endless loop
        ({"amount": "abc"}, "amount"),
        ({"amount": 0}, "amount"),
        ({"vcpus": "one"}, "vcpus"),
        ({"memory_mb": None}, "memory_mb"),
        ({"affinity": "perhaps"}, "affinity"),
        ({"resource_properties": '["unheard"]'}, "Malformed"),
        ({"resource_properties": '["==", "$colour", "red"]'}, "colour"),
        ({"resource_type": "virtual:unicorn"}, "virtual:unicorn"),
        ({"resource_type": None}, "resource_type"),
    ],
)
def test_what_is_wrong_about_a_reservation_is_said(
    cloud: ReservationCloud, tycho: Reserver, fields: dict[str, Any], word: str
) -> None:
    """D8: none of it is an error of the server."""
    status, message = tycho.refused("POST", "/leases", new_lease(1, 2, {**instances(), **fields}))
    assert (status, word in message) == (400, True), message
    assert tycho.ask("GET", "/leases")["leases"] == []


@pytest.mark.parametrize(
    ("fields", "status", "message"),
    [
        ({"start_date": "soon"}, 400, "soon is an invalid date. Required format: %Y-%m-%d %H:%M"),
        ({"end_date": None}, 400, "Missing parameter end_date"),
        ({"name": None}, 400, None),
        ({"end_date": at(1)}, 400, "End date must be later than start date."),
        ({"start_date": at(-1)}, 400, "Start date must be later than current date"),
        ({"before_end_date": at(30)}, 403, "Datetime is out of lease limits"),
        ({"name": "n" * 81}, 400, None),
        ({"events": [{"event_type": "party", "event_date": at(2)}]}, 400, None),
    ],
)
def test_dates_and_names_are_checked(
    cloud: ReservationCloud, tycho: Reserver, fields: dict[str, Any], status: int, message: str | None
) -> None:
    found = tycho.refused("POST", "/leases", new_lease(1, 25, instances(), **fields))
    assert found[0] == status
    assert message is None or found[1] == message


def test_affinity_may_be_missing_and_is_kept_to(cloud: ReservationCloud, tycho: Reserver) -> None:
    together = tycho.lease(1, 25, instances(6, affinity="True"))
    assert list(cloud.slots(together).values()) == [6]
    apart = tycho.lease(1, 25, instances(2, affinity=False))
    assert sorted(cloud.slots(apart).values()) == [1, 1]
    assert tycho.refused("POST", "/leases", new_lease(1, 25, instances(3, affinity=False)))[0] == 409
    assert tycho.refused("POST", "/leases", new_lease(1, 25, instances(8, affinity=True)))[0] == 409
    tycho.lease(1, 25, instances(8))


def test_the_reservations_of_a_lease_see_each_other(cloud: ReservationCloud, tycho: Reserver) -> None:
    assert tycho.refused("POST", "/leases", new_lease(1, 25, instances(16), instances(1)))[0] == 409
    assert tycho.refused("POST", "/leases", new_lease(1, 25, instances(1), whole_hosts(2)))[0] == 409
    lease = tycho.lease(1, 25, instances(8), whole_hosts(1))
    assert sorted(cloud.slots(lease).values()) == [1, 8]


def test_a_refused_change_leaves_the_lease_as_it_was(cloud: ReservationCloud, tycho: Reserver) -> None:
    """D7, D10, D12"""
    tycho.lease(30, 40, whole_hosts(2))
    lease = tycho.lease(1, 25, instances(2))
    [reservation] = lease["reservations"]
    refused: list[tuple[dict[str, Any], int]] = [
        ({"end_date": at(31)}, 409),
        ({"end_date": at(31), "name": "longer"}, 409),
        ({"reservations": [{"id": reservation["id"], "amount": 17}], "name": "more"}, 409),
        ({"reservations": [{"id": reservation["id"], "vcpus": "x"}]}, 400),
        ({"reservations": [{"amount": 1}]}, 400),
        ({"reservations": [{"id": lease["id"], "amount": 1}]}, 400),
        ({"reservations": [{"id": reservation["id"], "resource_type": "physical:host"}]}, 409),
        ({"before_end_date": at(26)}, 403),
        ({"end_date": at(1)}, 400),
        ({"end_date": at(-1)}, 400),
        ({"start_date": at(-1)}, 400),
        ({"end_date": "later"}, 400),
    ]
    for fields, status in refused:
        assert tycho.refused("PUT", f"/leases/{lease['id']}", fields)[0] == status, fields
        assert tycho.shown(lease) == lease
    assert tycho.change(lease, end_date=at(30), name="longer")["name"] == "longer"


def test_what_was_shown_may_be_sent_back(cloud: ReservationCloud, tycho: Reserver) -> None:
    """Also the flavor that a reservation was made for, which stands where others have a condition."""
    made = {"flavor": {"name": "small", "id": "small", "vcpus": 1, "ram": 512, "disk": 1}}
    cloud.compute.admin.post("/flavors", made)
    of_flavor = {"resource_type": "flavor:instance", "flavor_id": "small", "amount": 1}
    lease = tycho.lease(1, 25, instances(2, affinity=False), of_flavor)
    for some in (lease, tycho.lease(30, 40, whole_hosts(1, hypervisor_properties='[">=", "$vcpus", "1"]'))):
        changed = tycho.change(some, reservations=some["reservations"])
        assert {**changed, "updated_at": None} == {**some, "updated_at": None}
    more = [{**each, "amount": 3, "affinity": None} for each in tycho.shown(lease)["reservations"]]
    assert [each["amount"] for each in tycho.change(lease, reservations=more)["reservations"]] == [3, 3]


def test_a_change_is_read_before_the_lease_is_looked_at(cloud: ReservationCloud, tycho: Reserver) -> None:
    """What is wrong in itself is said first; conditions are read only where a reservation of that type has one."""
    lease = tycho.lease(1, 25, instances(2))
    [reservation] = lease["reservations"]
    useless = {"id": reservation["id"], "hypervisor_properties": "["}
    assert tycho.change(lease, reservations=[useless])["reservations"][0]["amount"] == 2
    status, message = tycho.refused("PUT", f"/leases/{lease['id']}", {"reservations": [useless | {"id": "x"}]})
    assert (status, "valid reservation IDs" in message) == (400, True), message


def test_a_started_lease_keeps_its_start(cloud: ReservationCloud, tycho: Reserver) -> None:
    lease = tycho.lease(1, 25, instances(1))
    cloud.clock.now = BEGIN + timedelta(hours=2)
    assert tycho.refused("PUT", f"/leases/{lease['id']}", {"start_date": at(3)})[0] == 400
    assert tycho.change(lease, end_date=at(20))["end_date"] == shown(20)


def test_the_notice_before_the_end_moves_with_the_end(cloud: ReservationCloud, tycho: Reserver) -> None:
    lease = tycho.lease(1, 25, instances(1), before_end_date=at(20))
    assert lease["events"][1]["time"] == shown(20)
    assert tycho.change(lease, end_date=at(30))["events"][1]["time"] == shown(29)
    assert tycho.change(lease, before_end_date=at(3))["events"][1]["time"] == shown(3)
    assert tycho.lease(1, 1.5)["events"][1]["time"] == shown(1)


def test_a_lease_starts_now(cloud: ReservationCloud, tycho: Reserver) -> None:
    cloud.clock.now = BEGIN + timedelta(seconds=42)
    assert tycho.lease(0, 5, start_date="now")["start_date"] == shown(0)


def test_now_is_when_it_was_ordered_though_that_minute_passes(cloud: ReservationCloud, tycho: Reserver) -> None:
    cloud.clock.passing = timedelta(minutes=1)
    lease = tycho.lease(0, 5, start_date="now")
    tycho.ask("POST", "/leases", new_lease(0, 5, start_date="now"), dry_run=True)
    assert tycho.change(lease, end_date=at(6))["end_date"] == shown(6)


def test_what_was_deleted_frees_its_place_and_stays_as_history(cloud: ReservationCloud, tycho: Reserver) -> None:
    lease = tycho.lease(1, 25, instances(16))
    assert tycho.ask("DELETE", f"/leases/{lease['id']}") is None
    assert tycho.refused("GET", f"/leases/{lease['id']}")[0] == 404
    assert tycho.ask("GET", "/leases")["leases"] == []
    [history] = tycho.ask("GET", "/leases", deleted=True)["leases"]
    assert (history["id"], history["reservations"][0]["status"]) == (lease["id"], "deleted")
    tycho.lease(1, 25, instances(16))
    assert tycho.refused("DELETE", f"/leases/{lease['id']}")[0] == 404


def test_nobody_sees_the_leases_of_others(cloud: ReservationCloud, tycho: Reserver) -> None:
    lease = tycho.lease(1, 25, instances(1))
    assert cloud.maria.ask("GET", "/leases")["leases"] == []
    for method, body in (("GET", None), ("PUT", {"name": "stolen"}), ("DELETE", None)):
        assert cloud.maria.refused(method, f"/leases/{lease['id']}", body)[0] == 404
    assert cloud.admin.ask("GET", "/leases")["leases"] == [lease]
    reader = Reserver(cloud.application, "tycho:astronomy", "reader")
    assert reader.ask("GET", "/leases")["leases"] == [lease]
    assert reader.refused("DELETE", f"/leases/{lease['id']}")[0] == 403
    assert reader.refused("POST", "/leases", new_lease(1, 2))[0] == 403


def test_lists_are_filtered_and_come_in_pages(cloud: ReservationCloud, tycho: Reserver) -> None:
    made = [tycho.lease(number, number + 1, name=f"lease {number}")["id"] for number in range(1, 5)]

    def listed(**query: Any) -> list[str]:
        return [lease["id"] for lease in tycho.ask("GET", "/leases", **query)["leases"]]

    assert listed() == made
    assert listed(limit=2) == made[:2]
    assert listed(limit=2, marker=made[1]) == made[2:]
    assert listed(name="lease 3") == [made[2]]
    assert listed(status="pending") == made
    assert listed(status="ACTIVE") == []
    assert listed(ends_after=at(3), starts_before=at(4)) == [made[2]]
    assert tycho.refused("GET", "/leases", limit="all")[0] == 400


def test_conditions_choose_hosts_by_numbers_and_nested(cloud: ReservationCloud, tycho: Reserver) -> None:
    cloud.add_host("nine", gpus="9", ssd="true")
    cloud.add_host("ten", gpus="10", ssd="false")

    def hosts_for(condition: str) -> set[str]:
        lease = tycho.lease(1, 25, whole_hosts(1, 9, resource_properties=condition))
        tycho.ask("DELETE", f"/leases/{lease['id']}")
        names = {host["id"]: host["hypervisor_hostname"] for host in cloud.admin.ask("GET", "/os-hosts")["hosts"]}
        found = cloud.admin.ask("GET", "/leases", deleted=True)["leases"]
        assert found
        return {names[str(host)] for host in hosts_of(cloud, lease)}

    assert hosts_for('[">=", "$gpus", "10"]') == {"ten"}
    assert hosts_for('["<", "$gpus", "10"]') == {"nine"}
    assert hosts_for('["and", [">", "$gpus", "8"], ["and", ["==", "$ssd", "true"], ["=", "$gpus", "9"]]]') == {"nine"}
    assert hosts_for('["or", ["==", "$gpus", "10"], ["==", "$hypervisor_hostname", "one"]]') == {"ten", "one"}


def hosts_of(cloud: ReservationCloud, lease: Any) -> list[int]:
    from moorage.reservations.store import leases

    found = cloud.room.read(leases.find, lease["id"], deleted=True)
    assert found is not None
    return [row.host_id for reservation in found.reservations for row in reservation.slots]
