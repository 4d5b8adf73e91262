"""The message for PostgreSQL: one statement, whose parts write one after the other and hand their rows on.

Providers and inventories are locked first, which reads them as they are then and not as they were when the statement
began; if all inventories have room, the consumers are made, and if all of them were new, the rest is written. So a
refusal has written nothing. It is the order of locks of `moorage.placement.store.claims` but for the consumers, which
come last: somebody who makes one of the same consumers on the ordinary way meanwhile may deadlock with the message.
PostgreSQL then ends one of the two; either is tried again, the message on the ordinary way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from moorage.db.messenger import Message
from moorage.placement.store.express.order import Order

_encode = msgspec.json.Encoder().encode

# The values are JSON, so that one text, which is planned once, does for any number of claims.
_CLAIM = """
WITH demand AS MATERIALIZED (
    SELECT d.* FROM json_to_recordset(%s::json)
        AS d(provider text, class text, delta bigint, smallest bigint, largest bigint, divisor bigint)
    WHERE %s::text IS NULL OR set_config('lock_timeout', %s::text, true) IS NOT NULL
), locked AS MATERIALIZED (
    SELECT id, uuid FROM resource_providers WHERE uuid = ANY (ARRAY(SELECT provider FROM demand))
    ORDER BY id FOR NO KEY UPDATE
), room AS MATERIALIZED (
    SELECT i.resource_provider_id AS provider_id, i.resource_class_id AS class_id, d.provider, d.class, d.delta
    FROM demand d
    JOIN locked ON locked.uuid = d.provider
    JOIN resource_classes c ON c.name = d.class
    JOIN inventories i ON i.resource_provider_id = locked.id AND i.resource_class_id = c.id
    WHERE i.used + d.delta <= i.capacity AND i.min_unit <= d.smallest AND i.max_unit >= d.largest
        AND d.divisor %% i.step_size = 0
    FOR NO KEY UPDATE OF i
), fits AS MATERIALIZED (
    SELECT (SELECT count(*) FROM room) = (SELECT count(*) FROM demand) AS everything
), made AS (
    INSERT INTO consumers (uuid, generation, project_id, user_id, consumer_type, created_at, updated_at)
    SELECT c.uuid, 1, c.project, c."user", c.type, %s, %s
    FROM json_to_recordset(%s::json) AS c(uuid text, project text, "user" text, type text)
    WHERE (SELECT everything FROM fits)
    ON CONFLICT DO NOTHING
    RETURNING id, uuid
), taken AS (
    UPDATE inventories SET used = inventories.used + room.delta
    FROM room
    WHERE inventories.resource_provider_id = room.provider_id AND inventories.resource_class_id = room.class_id
        AND (SELECT count(*) FROM made) > 0
    RETURNING 1
), given AS (
    INSERT INTO allocations (consumer_id, resource_provider_id, resource_class_id, used, created_at, updated_at)
    SELECT made.id, room.provider_id, room.class_id, l.amount, %s, %s
    FROM json_to_recordset(%s::json) AS l(consumer text, provider text, class text, amount bigint)
    JOIN made ON made.uuid = l.consumer
    JOIN room ON room.provider = l.provider AND room.class = l.class
    RETURNING 1
), marked AS (
    UPDATE resource_providers SET generation = generation + 1, revision = revision + 1, updated_at = %s
    FROM locked
    WHERE resource_providers.id = locked.id AND (SELECT count(*) FROM taken) > 0 AND (SELECT count(*) FROM given) > 0
    RETURNING resource_providers.id
), noted AS (
    INSERT INTO changes (kind, key, marker, created_at)
    SELECT 'usage', id, %s, %s FROM marked
    RETURNING 1
)
SELECT CASE WHEN (SELECT count(*) FROM made) IN (0, %s::bigint) THEN (SELECT count(*) FROM noted)
    -- Only some of them were new: an error undoes everything.
    ELSE CAST('A consumer exists already: not ' || (SELECT min(uuid) FROM made) AS bigint) END
"""


def message(order: Order, patience: float | None = None) -> Message:
    """All of an order; answered with the number of providers that gave what was asked of them.

    It waits for a row for no longer than its patience, if that has an end.
    """
    demands = [
        {
            "provider": inventory.provider_uuid,
            "class": inventory.resource_class,
            "delta": demand.delta,
            "smallest": demand.smallest,
            "largest": demand.largest,
            "divisor": demand.common_divisor,
        }
        for inventory, demand in order.demands.items()
    ]
    consumers = [
        {"uuid": claim.consumer_uuid, "project": claim.project_id, "user": claim.user_id, "type": claim.consumer_type}
        for claim in order.consumers
    ]
    lines = [
        {
            "consumer": line.consumer_uuid,
            "provider": line.provider_uuid,
            "class": line.resource_class,
            "amount": line.amount,
        }
        for line in order.lines
    ]
    now = order.now
    wait = None if patience is None else f"{patience * 1000:.0f}ms"
    values: Sequence[Any] = (
        *(_text(demands), wait, wait),
        *(now, now, _text(consumers)),
        *(now, now, _text(lines)),
        now,
        *(order.marker, now),
        len(order.consumers),
    )
    return Message(_CLAIM, values)


def _text(rows: Sequence[dict[str, Any]]) -> str:
    return _encode(rows).decode()
