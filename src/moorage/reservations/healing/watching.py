"""Which hosts work: as compute says, noted down where booking looks."""

from __future__ import annotations

from dataclasses import replace

from moorage.client.compute import Hypervisor
from moorage.db.database import Transaction
from moorage.reservations.model.host import Host
from moorage.reservations.room import Room
from moorage.reservations.store import booking_lock, hosts

FAILED = "compute says: "
"""What the reason begins with that a failed host has; one that an operator gave is left alone."""


def watch(room: Room) -> list[Host]:
    """Note down which hosts have failed and which are back; all hosts as they are now."""
    found = {hypervisor.name: hypervisor for hypervisor in room.compute.hypervisors()}
    known = room.read(hosts.everything)
    changed = [host for host in known if _judged(host, found.get(host.name)) != host]
    for host in changed:
        room.write(_note, host.id, found.get(host.name))
    return room.read(hosts.everything) if changed else known


def _note(tx: Transaction, number: int, hypervisor: Hypervisor | None) -> None:
    revision = booking_lock.acquire(tx)
    host = hosts.lock(tx, number)
    judged = _judged(host, hypervisor)
    if judged != host:
        hosts.save(tx, host, replace(judged, revision=revision, updated_at=tx.now))


def _judged(host: Host, hypervisor: Hypervisor | None) -> Host:
    """The host as it shall be noted down."""
    trouble = _trouble(hypervisor)
    if trouble and host.reservable:
        return replace(host, reservable=False, disabled_reason=f"{FAILED}{trouble}")
    if not trouble and not host.reservable and host.disabled_reason.startswith(FAILED):
        return replace(host, reservable=True, disabled_reason="")
    return host


def _trouble(hypervisor: Hypervisor | None) -> str:
    if hypervisor is None:
        return "it is not there"
    if not hypervisor.is_up:
        return "it is down"
    return "" if hypervisor.is_enabled else "it is disabled"
