"""Filling a database of upstream's Placement that holds no providers yet: the way back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any

import os_resource_classes
from sqlalchemy import Connection, Table, func, insert, select, update

from moorage.placement.model.contents import Contents, HeldProvider
from moorage.transfer import upstream_tables as upstream
from moorage.transfer.errors import TransferRefused
from moorage.transfer.progress import Tell

# Upstream gives custom resource classes numbers from here on, and knows standard ones by lower numbers.
_FIRST_CUSTOM_CLASS = 10_000
_AT_ONCE = 2_000


def write_upstream(connection: Connection, contents: Contents, now: datetime, tell: Tell) -> None:
    """Fill the database; TransferRefused if it holds providers or consumers, or was never used by a Placement."""
    for table in (upstream.resource_providers, upstream.consumers):
        if connection.execute(select(table.c.id).limit(1)).first() is not None:
            raise TransferRefused(f"The Placement database is not empty: there are rows in {table.name}.")
    _Writer(connection, now, tell).write(contents)


@dataclass(frozen=True)
class _Writer:
    connection: Connection
    now: datetime
    tell: Tell

    def write(self, contents: Contents) -> None:
        classes = self._resource_classes(contents.resource_classes)
        traits = self._names(upstream.traits, "name", contents.traits)
        held = contents.providers.values()
        aggregates = self._names(
            upstream.placement_aggregates, "uuid", {uuid for provider in held for uuid in provider.aggregates}
        )
        ids = self._providers(contents)
        self._insert(upstream.inventories, (row for each in held for row in _inventories(each, ids, classes)))
        self._insert(
            upstream.resource_provider_traits,
            (
                {"resource_provider_id": ids[each.uuid], "trait_id": traits[name]}
                for each in held
                for name in sorted(each.traits)
            ),
        )
        self._insert(
            upstream.resource_provider_aggregates,
            (
                {"resource_provider_id": ids[each.uuid], "aggregate_id": aggregates[uuid]}
                for each in held
                for uuid in sorted(each.aggregates)
            ),
        )
        self._consumers(contents, ids, classes)

    def _providers(self, contents: Contents) -> dict[str, int]:
        """Numbered here, in the order of the trees, so that a row can name its parent and root when it is written."""
        ids: dict[str, int] = {}
        roots: dict[str, int] = {}
        first = self._highest(upstream.resource_providers) + 1
        for level in contents.by_level():
            for provider in level:
                ids[provider.uuid] = first + len(ids)
                roots[provider.uuid] = roots.get(provider.parent_uuid or "", ids[provider.uuid])
        self._insert(
            upstream.resource_providers,
            (
                {
                    "id": ids[provider.uuid],
                    "uuid": provider.uuid,
                    "name": provider.name,
                    "generation": provider.generation,
                    "parent_provider_id": ids.get(provider.parent_uuid or ""),
                    # MySQL checks references row by row, so a root names itself afterwards.
                    "root_provider_id": roots[provider.uuid] if provider.parent_uuid else None,
                }
                for level in contents.by_level()
                for provider in level
            ),
            lambda count: self.tell("providers", count),
        )
        table = upstream.resource_providers
        roots_alone = update(table).where(table.c.root_provider_id.is_(None)).values(root_provider_id=table.c.id)
        self.connection.execute(roots_alone)
        self._continue_numbering(table)
        return ids

    def _consumers(self, contents: Contents, ids: Mapping[str, int], classes: Mapping[str, int]) -> None:
        held = contents.consumers.values()
        projects = self._names(upstream.projects, "external_id", {each.project_id for each in held})
        users = self._names(upstream.users, "external_id", {each.user_id for each in held})
        types = self._names(
            upstream.consumer_types, "name", {each.consumer_type for each in held if each.consumer_type is not None}
        )
        self._insert(
            upstream.consumers,
            (
                {
                    "uuid": each.uuid,
                    "generation": each.generation,
                    "project_id": projects[each.project_id],
                    "user_id": users[each.user_id],
                    "consumer_type_id": types.get(each.consumer_type or ""),
                }
                for each in held
            ),
        )
        self._insert(
            upstream.allocations,
            (
                {
                    "consumer_id": each.uuid,
                    "resource_provider_id": ids[provider_uuid],
                    "resource_class_id": classes[name],
                    "used": amount,
                }
                for each in held
                for provider_uuid, amounts in each.allocations.items()
                for name, amount in amounts.items()
            ),
            lambda count: self.tell("allocations", count),
        )

    def _resource_classes(self, wanted: Iterable[str]) -> dict[str, int]:
        table = upstream.resource_classes
        known = self._known(table, "name")
        missing = sorted(set(wanted) - known.keys())
        standard = [name for name in missing if name in os_resource_classes.STANDARDS]
        if standard:
            raise TransferRefused(
                f"The Placement database does not know the resource class {standard[0]}. Start upstream's Placement"
                " with it once, which writes the standard names."
            )
        first = max(self._highest(table) + 1, _FIRST_CUSTOM_CLASS)
        self._insert(table, ({"id": number, "name": name} for number, name in enumerate(missing, first)))
        self._continue_numbering(table)
        return self._known(table, "name")

    def _names(self, table: Table, column: str, wanted: Iterable[str]) -> dict[str, int]:
        missing = sorted(set(wanted) - self._known(table, column).keys())
        self._insert(table, ({column: name} for name in missing))
        return self._known(table, column)

    def _known(self, table: Table, column: str) -> dict[str, int]:
        return {name: number for name, number in self.connection.execute(select(table.c[column], table.c.id))}  # noqa: C416 - rows, no pairs

    def _highest(self, table: Table) -> int:
        return self.connection.execute(select(func.max(table.c.id))).scalar() or 0

    def _continue_numbering(self, table: Table) -> None:
        """Let PostgreSQL number the next rows after those that came with numbers; the others do so by themselves."""
        if self.connection.dialect.name == "postgresql" and (highest := self._highest(table)):
            sequence = func.pg_get_serial_sequence(table.name, "id")
            self.connection.execute(select(func.setval(sequence, highest)))

    def _insert(
        self, table: Table, rows: Iterable[dict[str, Any]], tell: Callable[[int], None] = lambda _count: None
    ) -> None:
        rest = iter(rows)
        while batch := list(islice(rest, _AT_ONCE)):
            self.connection.execute(insert(table), [row | {"created_at": self.now} for row in batch])
            tell(len(batch))


def _inventories(
    provider: HeldProvider, ids: Mapping[str, int], classes: Mapping[str, int]
) -> Iterator[dict[str, Any]]:
    for name, inventory in provider.inventories.items():
        yield {
            "resource_provider_id": ids[provider.uuid],
            "resource_class_id": classes[name],
            **inventory.fields(),
        }
