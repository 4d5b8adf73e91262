"""The record of a server comes before anything else, within the quotas of its project.

Until it has a place the server is in the status BUILD, with the task `scheduling`: whoever finds it so later than a
moment knows that somebody was interrupted.
"""

from __future__ import annotations

from uuid import uuid4

from oslo_config import cfg

from moorage.compute.model.image import NO_MINIMUM
from moorage.compute.model.quota import UNLIMITED, Amounts, amounts_of
from moorage.compute.model.server import SCHEDULING, Server
from moorage.compute.placing.request import PlacementRequest
from moorage.compute.quotas import limits_for
from moorage.compute.servers.errors import QuotaExceeded
from moorage.compute.servers.order import Order
from moorage.compute.servers.quotas import allowed_count, check_metadata
from moorage.compute.store import quotas, server_groups
from moorage.compute.store import servers as server_store
from moorage.compute.store.servers import Recorded
from moorage.db.database import Transaction


def record(tx: Transaction, settings: cfg.ConfigOpts, order: Order, request: PlacementRequest) -> tuple[Recorded, ...]:
    """The servers of an order, as many as the quotas allow, without places; QuotaExceeded if they are too few."""
    limits = limits_for(tx.connection, settings, order.project_id, order.flavor)
    check_metadata(order.metadata, limits)
    count = _count(tx, order, limits)
    named = [order.name] if order.most == 1 else [f"{order.name}-{number}" for number in range(1, count + 1)]
    recorded = server_store.add(tx, [_new(tx, order, name, request) for name in named])
    if order.group is not None:
        group = server_groups.add_members(tx, order.group.uuid, [each.server.uuid for each in recorded])
        most = limits.get("server_group_members", UNLIMITED)
        if most != UNLIMITED and len(group.members) > most:
            raise QuotaExceeded("Quota exceeded, too many servers in group")
    return recorded


def _count(tx: Transaction, order: Order, limits: Amounts) -> int:
    """How many servers to make. Nobody waits for a turn, and nothing is counted, that is not limited."""
    if all(limits.get(name, UNLIMITED) == UNLIMITED for name in amounts_of(order.flavor)):
        return order.most
    quotas.take_turn(tx, order.project_id)
    used = server_store.usage(tx.connection, order.project_id)
    return allowed_count(order.flavor, limits, used, order.least, order.most)


def _new(tx: Transaction, order: Order, name: str, request: PlacementRequest) -> Server:
    return Server(
        uuid=str(uuid4()),
        project_id=order.project_id,
        user_id=order.user_id,
        name=name,
        flavor=order.flavor,
        created_at=tx.now,
        updated_at=tx.now,
        description=order.description,
        image_uuid=None if order.image is None else order.image.uuid,
        image_properties=order.boot_image.properties,
        image_minimum=NO_MINIMUM if order.image is None else order.image.minimum,
        task_state=SCHEDULING,
        metadata=order.metadata,
        tags=order.tags,
        availability_zone=order.availability_zone,
        group_uuid=None if order.group is None else order.group.uuid,
        required_traits=request.required_traits,
    )
