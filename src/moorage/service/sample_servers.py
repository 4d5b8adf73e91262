"""The servers of the sample cloud as compute knows them: the other half of what they hold in Placement.

They are recorded and not ordered, so that each is where the ledger of the sample cloud has it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from moorage.compute.context import Compute
from moorage.compute.model.flavor import Flavor
from moorage.compute.model.server import ResizeOrigin, Server
from moorage.compute.servers.consumers import INSTANCE, MIGRATION, resize_consumer
from moorage.compute.store import servers as server_store
from moorage.db.database import Transaction
from moorage.service.sample_cloud import Consumer, description, identifier, owner, sample_cloud

_SIZES = frozenset({"VCPU", "MEMORY_MB", "DISK_GB"})


def record_servers(compute: Compute) -> None:
    """Have compute know the servers that hold something in Placement."""
    consumers = sample_cloud().consumers

    def work(tx: Transaction) -> None:
        server_store.add(tx, list(servers_of(consumers, tx.now)))

    compute.write(work)


def servers_of(consumers: Sequence[Consumer], now: datetime) -> Iterator[Server]:
    """The servers among the consumers; one that also holds the place it had before waits to be confirmed."""
    before = {consumer.uuid: consumer for consumer in consumers if consumer.type == MIGRATION}
    for consumer in consumers:
        if consumer.type != INSTANCE:
            continue
        flavor, moved = flavor_of(consumer.flavor), before.get(resize_consumer(consumer.uuid))
        yield Server(
            uuid=consumer.uuid,
            project_id=owner(consumer.project),
            user_id=owner(consumer.user),
            name=consumer.name.removeprefix(f"{consumer.project}/"),
            flavor=flavor,
            created_at=now,
            updated_at=now,
            launched_at=now,
            host=consumer.host,
            provider_uuid=identifier(consumer.host),
            status="VERIFY_RESIZE" if moved else "ACTIVE",
            resize_origin=_origin(flavor, moved) if moved else None,
        )


def _origin(flavor: Flavor, moved: Consumer) -> ResizeOrigin:
    return ResizeOrigin(flavor=flavor, host=moved.host, provider_uuid=identifier(moved.host))


def flavor_of(name: str) -> Flavor:
    """A flavor of the description as compute has it.

    Sizes say what every server takes; a line with anything else in it becomes a group of extra specs of its own.
    """
    lines: Sequence[Mapping[str, int]] = description()["flavors"][name]
    total = {resource: amount for line in lines for resource, amount in line.items()}
    offered = description()["offered_as"].get(name, name)
    specs = {
        f"resources{number}:{resource}": str(amount)
        for number, line in enumerate(lines, 1)
        for resource, amount in line.items()
        if not line.keys() <= _SIZES
    }
    return Flavor(
        flavor_id=offered,
        name=offered,
        vcpus=total.get("VCPU") or total["PCPU"],
        ram_mb=total["MEMORY_MB"],
        disk_gb=total["DISK_GB"],
        extra_specs=description()["offer"].get(offered, {}).get("extra_specs", {}) | specs,
    )
