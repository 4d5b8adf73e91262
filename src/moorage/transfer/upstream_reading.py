"""What a database of upstream's Placement holds, and what in it fits nowhere.

Upstream's tables have few constraints. What years of crashes and races may have left behind (amounts held by nobody, or
of what is not offered) is found here and told, never guessed at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Table, select

from moorage.placement.model.contents import Contents, HeldConsumer, HeldProvider
from moorage.placement.model.inventory import Inventory
from moorage.transfer import upstream_tables as upstream


@dataclass(frozen=True, slots=True)
class Reading:
    """The contents without what fits nowhere, and a sentence for each thing that does not."""

    contents: Contents
    broken: tuple[str, ...]
    # Upstream keeps consumers whose first claim was refused; they hold nothing, and no answer shows them.
    empty_consumers: int


def read_upstream(connection: Connection) -> Reading:
    """All that there is, in the snapshot of this connection."""
    return _Reader(connection).reading()


@dataclass
class _Reader:
    connection: Connection
    broken: list[str] = field(default_factory=list)

    def reading(self) -> Reading:
        classes = self._names(upstream.resource_classes, "name")
        traits = self._names(upstream.traits, "name")
        uuids = self._names(upstream.resource_providers, "uuid")
        inventories = self._inventories(uuids, classes)
        traits_of = self._memberships(upstream.resource_provider_traits.c.trait_id, traits)
        aggregates_of = self._memberships(
            upstream.resource_provider_aggregates.c.aggregate_id, self._names(upstream.placement_aggregates, "uuid")
        )
        providers = {
            row.uuid: HeldProvider(
                uuid=row.uuid,
                name=row.name if row.name is not None else row.uuid,
                generation=row.generation or 0,
                parent_uuid=self._parent(row, uuids),
                inventories=inventories.get(row.id, {}),
                traits=frozenset(traits_of.get(row.id, ())),
                aggregates=frozenset(aggregates_of.get(row.id, ())),
            )
            for row in self._rows(upstream.resource_providers)
        }
        consumers, empty = self._consumers(self._allocations(uuids, classes, providers))
        contents = Contents(frozenset(classes.values()), frozenset(traits.values()), providers, consumers)
        return Reading(contents, tuple(self.broken), empty)

    def _rows(self, table: Table) -> Iterator[Any]:
        columns = [column for column in table.c if column.name not in {"created_at", "updated_at"}]
        return iter(self.connection.execute(select(*columns).order_by(*table.primary_key)))

    def _names(self, table: Table, column: str) -> dict[int, str]:
        return {row.id: getattr(row, column) for row in self._rows(table)}

    def _parent(self, row: Any, uuids: Mapping[int, str]) -> str | None:
        if row.parent_provider_id is None:
            return None
        if row.parent_provider_id not in uuids:
            self.broken.append(f"The parent of the provider {row.uuid} ({row.name}) is not there; it becomes a root.")
        return uuids.get(row.parent_provider_id)

    def _inventories(self, uuids: Mapping[int, str], classes: Mapping[int, str]) -> dict[int, dict[str, Inventory]]:
        found: dict[int, dict[str, Inventory]] = {}
        for row in self._rows(upstream.inventories):
            if row.resource_provider_id not in uuids or row.resource_class_id not in classes:
                self.broken.append(f"The inventory {row.id} is of a provider or a resource class that is not there.")
                continue
            found.setdefault(row.resource_provider_id, {})[classes[row.resource_class_id]] = Inventory(
                row.total, row.reserved, row.min_unit, row.max_unit, row.step_size, float(row.allocation_ratio)
            )
        return found

    def _memberships(self, column: Any, names: Mapping[int, str]) -> dict[int, list[str]]:
        found: dict[int, list[str]] = {}
        provider = column.table.c.resource_provider_id
        for provider_id, number in self.connection.execute(select(provider, column).order_by(provider, column)):
            if number in names:
                found.setdefault(provider_id, []).append(names[number])
            else:
                self.broken.append(f"A provider refers to row {number} of {column.name}, which is not there.")
        return found

    def _allocations(
        self, uuids: Mapping[int, str], classes: Mapping[int, str], providers: Mapping[str, HeldProvider]
    ) -> dict[str, dict[str, dict[str, int]]]:
        """Amounts by consumer, provider and class."""
        held: dict[str, dict[str, dict[str, int]]] = {}
        for row in self._rows(upstream.allocations):
            uuid, name = uuids.get(row.resource_provider_id), classes.get(row.resource_class_id)
            if uuid is None or name is None or name not in providers[uuid].inventories:
                of_what = f"{name or 'an unknown class'} of {f'the provider {uuid}' if uuid else 'an unknown provider'}"
                self.broken.append(
                    f"The consumer {row.consumer_id} holds {row.used} of {of_what}, which has no such inventory."
                )
                continue
            amounts = held.setdefault(row.consumer_id, {}).setdefault(uuid, {})
            if name in amounts:
                self.broken.append(
                    f"The consumer {row.consumer_id} holds {name} of the provider {uuid} twice, {amounts[name]} and"
                    f" {row.used}; the first counts."
                )
                continue
            amounts[name] = row.used
        return held

    def _consumers(self, held: dict[str, dict[str, dict[str, int]]]) -> tuple[dict[str, HeldConsumer], int]:
        projects = self._names(upstream.projects, "external_id")
        users = self._names(upstream.users, "external_id")
        types = self._names(upstream.consumer_types, "name")
        found, empty = {}, 0
        for row in self._rows(upstream.consumers):
            allocations = held.pop(row.uuid, None)
            if allocations is None:
                empty += 1
            elif row.project_id not in projects or row.user_id not in users:
                self.broken.append(f"The consumer {row.uuid} is of a project or a user that is not there.")
            else:
                found[row.uuid] = HeldConsumer(
                    uuid=row.uuid,
                    generation=row.generation,
                    project_id=projects[row.project_id],
                    user_id=users[row.user_id],
                    consumer_type=types.get(row.consumer_type_id),
                    allocations=allocations,
                )
        self.broken += [f"Something is held by the consumer {uuid}, which is not there." for uuid in held]
        return found, empty
