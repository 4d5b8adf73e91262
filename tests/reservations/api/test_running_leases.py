"""Changes of leases that have started: they keep what they have, and get more where there is more."""

from __future__ import annotations

import pytest

from tests.reservations.api.clouds import ReservationCloud, Reserver, at, instances, shown, whole_hosts


def test_an_active_lease_grows_and_stays_where_it_is(cloud: ReservationCloud, tycho: Reserver) -> None:
    other = cloud.maria.lease(1, 3, instances(7, affinity=True))
    lease = tycho.lease(1, 10, instances(3))
    cloud.settle(1)
    before = cloud.slots(lease)
    assert sorted(before.values()) == [1, 2]
    cloud.maria.ask("DELETE", f"/leases/{other['id']}")
    cloud.settle()
    [reservation] = lease["reservations"]
    grown = tycho.change(lease, reservations=[{"id": reservation["id"], "amount": 6}])
    after = cloud.slots(lease)
    assert (grown["status"], sum(after.values())) == ("ACTIVE", 6)
    assert all(after[host] >= count for host, count in before.items())
    cloud.settle()
    resource_class = f"CUSTOM_RESERVATION_{reservation['id'].upper().replace('-', '_')}"
    for host, name in cloud.names().items():
        provider = cloud.room.placement.provider_named(f"blazar_{name}")
        assert provider is not None
        inventory = cloud.room.placement.inventories(provider.uuid).inventories[resource_class]
        assert inventory.total == after[host]


def test_an_active_lease_is_extended_only_where_it_is(cloud: ReservationCloud, tycho: Reserver) -> None:
    lease = tycho.lease(1, 4, instances(8, affinity=True))
    cloud.settle(2)
    [host] = cloud.slots(lease)
    # Its own host is taken from 6 on, and the other one is free.
    window = [{"start_date": at(6), "end_date": at(7)}]
    cloud.admin.ask("PUT", f"/os-hosts/{host}/maintenance", {"maintenance": window})
    assert tycho.change(lease, end_date=at(6))["end_date"] == shown(6)
    status, message = tycho.refused("PUT", f"/leases/{lease['id']}", {"end_date": at(6 + 1 / 60)})
    assert (status, "stay on their hosts" in message) == (409, True)
    assert tycho.shown(lease)["end_date"] == shown(6)


def test_an_active_lease_ends_now(cloud: ReservationCloud, tycho: Reserver) -> None:
    lease = tycho.lease(1, 10, instances(16))
    cloud.settle(2.25)
    tycho.change(lease, end_date="now")
    cloud.settle()
    assert tycho.shown(lease)["status"] == "TERMINATED"
    assert tycho.refused("PUT", f"/leases/{lease['id']}", {"end_date": at(11)})[0] == 400
    assert tycho.change(lease, name="over")["name"] == "over"
    tycho.lease(3, 4, instances(16))


@pytest.mark.parametrize(
    "fields",
    [{"vcpus": 2}, {"amount": 1}, {"affinity": True}, {"resource_properties": '["==", "$vcpus", "8"]'}],
    ids=str,
)
def test_nothing_else_of_an_active_reservation_changes(
    cloud: ReservationCloud, tycho: Reserver, fields: dict[str, object]
) -> None:
    lease = tycho.lease(1, 10, instances(2))
    cloud.settle(1)
    before = tycho.shown(lease)
    wanted = {"name": "other", "reservations": [{"id": lease["reservations"][0]["id"], **fields}]}
    assert tycho.refused("PUT", f"/leases/{lease['id']}", wanted)[0] == 409
    assert tycho.shown(lease) == before


def test_hosts_of_an_active_reservation_meet_what_it_asks_for(cloud: ReservationCloud, tycho: Reserver) -> None:
    lease = tycho.lease(1, 10, whole_hosts(1))
    cloud.settle(1)
    [reservation] = lease["reservations"]
    [host] = cloud.slots(lease)
    [other] = [name for number, name in cloud.names().items() if number != host]
    wanted = {"id": reservation["id"], "resource_properties": f'["==", "$hypervisor_hostname", "{other}"]'}
    assert tycho.refused("PUT", f"/leases/{lease['id']}", {"reservations": [wanted]})[0] == 409
    tycho.change(lease, reservations=[{"id": reservation["id"], "max": 2}])
    assert set(cloud.slots(lease)) == set(cloud.names())


def test_idle_leases_are_shown(cloud: ReservationCloud, tycho: Reserver) -> None:
    lease, hosts = tycho.lease(1, 5, instances(2)), tycho.lease(1, 5, whole_hosts(1))
    assert tycho.ask("GET", "/usage")["usage"]["idle_leases"] == []
    cloud.settle(1)
    assert tycho.ask("GET", "/usage")["usage"]["idle_leases"] == [lease["id"], hosts["id"]]
