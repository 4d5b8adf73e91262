"""Records of provider configuration files put on top of what a host has.

Nothing is refused here: what cannot be used is left out and told, and the caller decides how bad that is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from moorage.hosts.adoption import HostProviders
from moorage.hosts.provider_config.records import COMPUTE_NODE, Record
from moorage.hosts.provider_tree import Provider, ProviderTree
from moorage.placement.model.inventory import Inventory

# Of a file's name, in the note about who added what.
_LONGEST_SOURCE = 200


@dataclass(frozen=True, slots=True)
class Conflict:
    """A record's class that the provider has already, from the driver or (if nobody reports it here) from others."""

    record: Record
    provider: Provider
    resource_class: str
    native: bool

    @property
    def message(self) -> str:
        """One sentence for the operator."""
        has_it = "the host itself reports" if self.native else "somebody else has set"
        return (
            f"{_place(self.record)}: {has_it} {self.resource_class} of the provider {_name(self.provider)}; "
            "take it out of the file, or choose another class."
        )


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Two records for one provider, or two for every compute node."""

    used: Record
    ignored: Record
    # None if both are for every compute node.
    provider: Provider | None

    @property
    def message(self) -> str:
        """One sentence for the operator."""
        meant = "every compute node" if self.provider is None else f"the provider {_name(self.provider)}"
        return (
            f"{_place(self.ignored)}: {self.ignored.identification!r} is {meant}, for which there is a record already "
            f"({self.used.identification!r} in {_place(self.used)}); put both into one record."
        )


@dataclass(frozen=True, slots=True)
class Absent:
    """A record for a provider that the host does not have."""

    record: Record

    @property
    def message(self) -> str:
        """One sentence for the operator."""
        named = f"with the UUID {self.record.uuid}" if self.record.uuid else f"named {self.record.name!r}"
        return (
            f"{_place(self.record)}: this host has no provider {named}; "
            "correct the file, or leave it if the provider is yet to come."
        )


@dataclass(frozen=True, slots=True)
class Sources:
    """Because of what a provider shall have each class, trait and aggregate: "driver:linux", "file:10-cache.yaml".

    What others gave it has no source here.
    """

    inventories: Mapping[str, str] = field(default_factory=dict)
    traits: Mapping[str, str] = field(default_factory=dict)
    aggregates: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Merged:
    """What a host has and its files add."""

    tree: ProviderTree
    # UUIDs of what the driver reports; the rest of the tree is others'.
    native: frozenset[str]
    # By UUID; all that the driver reports are there, and of the rest those that files add something to.
    sources: Mapping[str, Sources]
    conflicts: tuple[Conflict, ...] = ()
    duplicates: tuple[Duplicate, ...] = ()
    absent: tuple[Absent, ...] = ()


def merge(host: HostProviders, records: Iterable[Record]) -> Merged:
    """Add what the records ask for; their order does not matter, nor that one comes twice.

    A record by UUID or name is for the one provider that has it; COMPUTE_NODE is for every node that no other record
    names. Of several records for one provider that by UUID is used, then the one in the first file.
    """
    chosen, duplicates, absent = _assigned(host, records)
    conflicts: list[Conflict] = []
    changed: list[Provider] = []
    sources = {uuid: _native_sources(host.tree[uuid], f"driver:{host.driver}") for uuid in host.native}
    for uuid, record in chosen.items():
        provider = host.tree[uuid]
        added = _additions(record, provider, conflicts, native=uuid in host.native)
        changed.append(
            replace(
                provider,
                inventories={**provider.inventories, **added},
                traits=provider.traits | record.traits,
            )
        )
        sources[uuid] = _with_file(
            sources.get(uuid, Sources()), f"file:{record.file[:_LONGEST_SOURCE]}", added, record.traits
        )
    return Merged(
        host.tree.with_providers(changed), host.native, sources, tuple(conflicts), tuple(duplicates), tuple(absent)
    )


def _assigned(
    host: HostProviders, records: Iterable[Record]
) -> tuple[dict[str, Record], list[Duplicate], list[Absent]]:
    """The record to use for each provider, and the records that are of no use."""
    chosen: dict[str, Record] = {}
    for_nodes: Record | None = None
    duplicates: list[Duplicate] = []
    absent: list[Absent] = []
    before: Record | None = None
    for record in sorted(records, key=_order):
        if record == before:
            continue
        before = record
        if record.uuid == COMPUTE_NODE:
            if for_nodes is None:
                for_nodes = record
            else:
                duplicates.append(Duplicate(for_nodes, record, None))
            continue
        provider = host.tree.get(record.uuid) if record.uuid else _named(host.tree, record.name or "")
        if provider is None:
            absent.append(Absent(record))
        elif provider.uuid in chosen:
            duplicates.append(Duplicate(chosen[provider.uuid], record, provider))
        else:
            chosen[provider.uuid] = record
    if for_nodes is not None:
        chosen |= {node: for_nodes for node in sorted(host.nodes) if node not in chosen}
    return chosen, duplicates, absent


def _named(tree: ProviderTree, name: str) -> Provider | None:
    """The provider of a name; files written for Nova may also give a UUID for a name."""
    return tree.named(name) or tree.get(name.lower())


def _order(record: Record) -> tuple[bool, str, int, str, list[str], str]:
    """By UUID before by name, then as the files come; the rest only makes it a total order."""
    content = sorted(record.traits), repr(sorted(record.inventories.items(), key=lambda item: item[0]))
    return record.uuid is None, record.file, record.line, record.identification, *content


def _additions(record: Record, provider: Provider, conflicts: list[Conflict], *, native: bool) -> dict[str, Inventory]:
    """The record's inventories that can be added; the others are conflicts.

    Where others have already set just what the file asks for there is nothing to add, and nothing to quarrel about.
    """
    added = {}
    for name, inventory in sorted(record.inventories.items()):
        if name not in provider.inventories:
            added[name] = inventory
        elif native or provider.inventories[name] != inventory:
            conflicts.append(Conflict(record, provider, name, native))
    return added


def _native_sources(provider: Provider, source: str) -> Sources:
    return Sources(
        dict.fromkeys(provider.inventories, source),
        dict.fromkeys(provider.traits, source),
        dict.fromkeys(provider.aggregates, source),
    )


def _with_file(sources: Sources, source: str, inventories: Iterable[str], traits: Iterable[str]) -> Sources:
    """A trait that the driver reports as well stays the driver's: it does not go with the file."""
    return replace(
        sources,
        inventories={**sources.inventories, **dict.fromkeys(inventories, source)},
        traits={**dict.fromkeys(traits, source), **sources.traits},
    )


def _place(record: Record) -> str:
    return f"{record.file}, line {record.line}"


def _name(provider: Provider) -> str:
    return f"{provider.name!r} ({provider.uuid})"
