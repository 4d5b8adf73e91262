"""The message for MariaDB: a block of statements that goes on as long as each does what was expected of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from moorage.db.messenger import Message
from moorage.placement.model.allocation import SlotDemand
from moorage.placement.store.express.order import Inventory, Order

_BLOCK = """
BEGIN NOT ATOMIC
DECLARE given INT DEFAULT 0;
DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN ROLLBACK; RESIGNAL; END;
START TRANSACTION;
one: BEGIN
{waiting}INSERT IGNORE INTO consumers (uuid, generation, project_id, user_id, consumer_type, created_at, updated_at)
VALUES {consumers};
IF ROW_COUNT() < {consumer_count} THEN LEAVE one; END IF;
{waiting}UPDATE resource_providers SET generation = generation + 1, revision = revision + 1, updated_at = %s
WHERE uuid IN ({providers}) ORDER BY id;
IF ROW_COUNT() < {provider_count} THEN LEAVE one; END IF;
{demands}
INSERT INTO allocations (consumer_id, resource_provider_id, resource_class_id, used, created_at, updated_at)
VALUES {lines};
INSERT INTO changes (kind, `key`, marker, created_at) VALUES {changes};
SET given = ROW_COUNT();
END one;
IF given = {provider_count} THEN COMMIT; ELSE ROLLBACK; SET given = 0; END IF;
SELECT given;
END
"""
# Whoever takes anything of a provider takes its row first, so nothing after these rows is held by others.
_AT_ONCE = "SET STATEMENT innodb_lock_wait_timeout = 0 FOR "
_PROVIDER = "(SELECT id FROM resource_providers WHERE uuid = %s)"
# No INSERT … SELECT: that takes numbers in advance and leaves holes in the feed, for which its readers wait.
_CHANGE = f"('usage', {_PROVIDER}, %s, %s)"
_CLASS = "(SELECT id FROM resource_classes WHERE name = %s)"
_CONSUMER = "(%s, 1, %s, %s, %s, %s, %s)"
_LINE = f"((SELECT id FROM consumers WHERE uuid = %s), {_PROVIDER}, {_CLASS}, %s, %s, %s)"  # noqa: S608 - constants
_DEMAND = f"""
UPDATE inventories SET used = used + %s
WHERE resource_provider_id = {_PROVIDER} AND resource_class_id = {_CLASS}
    AND used + %s <= capacity AND min_unit <= %s AND max_unit >= %s AND MOD(%s, step_size) = 0;
IF ROW_COUNT() < 1 THEN LEAVE one; END IF;
"""  # noqa: S608 - constants


def message(order: Order, patience: float | None = None) -> Message:
    """All of an order; answered with the number of providers that gave what was asked of them.

    With any patience that has an end it waits for nobody: MariaDB would count that in whole seconds.
    """
    text = _BLOCK.format(
        waiting="" if patience is None else _AT_ONCE,
        consumers=",".join([_CONSUMER] * len(order.consumers)),
        consumer_count=len(order.consumers),
        providers=",".join(["%s"] * len(order.providers)),
        provider_count=len(order.providers),
        demands="".join([_DEMAND] * len(order.demands)),
        lines=",".join([_LINE] * len(order.lines)),
        changes=",".join([_CHANGE] * len(order.providers)),
    )
    values = list(_values(order))
    return Message(text, values)


def _values(order: Order) -> Iterator[Any]:
    now = order.now
    for claim in order.consumers:
        yield from (claim.consumer_uuid, claim.project_id, claim.user_id, claim.consumer_type, now, now)
    yield now
    yield from order.providers
    for inventory, demand in sorted(order.demands.items(), key=lambda item: item[0]):
        yield from _asked(inventory, demand)
    for line in order.lines:
        yield from (*line, now, now)
    for provider_uuid in order.providers:
        yield from (provider_uuid, order.marker, now)


def _asked(inventory: Inventory, demand: SlotDemand) -> Sequence[Any]:
    return (
        demand.delta,
        *inventory,
        demand.delta,
        demand.smallest,
        demand.largest,
        demand.common_divisor,
    )
