"""A cloud as far as its capacity goes, and the snapshot of it that can be kept in a file and looked at again."""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from moorage.capacity.model.configuration import Configuration
from moorage.capacity.model.configuration_rules import wrong_values
from moorage.capacity.model.demand import CapacityRequest
from moorage.capacity.model.flavor import Flavor
from moorage.capacity.model.hypervisor import Aggregate, Hypervisor

FORMAT = 1
"""The format of snapshots that is written, and the only one that is read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """An existing instance: of which flavor, and where Nova says that it is."""

    flavor_id: str
    availability_zone: str = ""
    hypervisor_hostname: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cloud:
    """Everything of a cloud that a capacity report is made from, in the order in which Nova lists it."""

    flavors: tuple[Flavor, ...] = ()
    hypervisors: tuple[Hypervisor, ...] = ()
    aggregates: tuple[Aggregate, ...] = ()
    # Only those that count as instances of split flavors matter; others may be here.
    servers: tuple[Server, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A cloud with what is asked of it: whoever has the file gets the same report as its writer."""

    cloud: Cloud
    request: CapacityRequest
    configuration: Configuration = field(default_factory=Configuration)
    # When the cloud was read, in UTC (ISO 8601); empty if nobody knows.
    taken_at: str = ""
    format: int = FORMAT


class SnapshotUnreadable(Exception):
    """A file is no snapshot, or one of a format that is not known here; the message says where it is wrong."""


def write_snapshot(snapshot: Snapshot) -> bytes:
    """The snapshot as JSON; the same snapshot is always the same bytes."""
    return msgspec.json.encode(snapshot, order="deterministic")


def read_snapshot(content: bytes) -> Snapshot:
    """The snapshot that was written, or SnapshotUnreadable."""
    try:
        snapshot = _decode(content)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise SnapshotUnreadable(f"This is no snapshot of a cloud's capacity: {error}") from error
    if snapshot.format != FORMAT:
        raise SnapshotUnreadable(f"The snapshot has format {snapshot.format}, this program reads format {FORMAT}.")
    for complaint in wrong_values(snapshot.configuration):
        raise SnapshotUnreadable(f"The settings in it cannot be used: {complaint}")
    return snapshot


_decode = msgspec.json.Decoder(Snapshot).decode
