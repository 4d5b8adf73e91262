"""What a host natively has, in Placement's terms: under the UUIDs it is known by there, with what others put below it.

A driver may make up a UUID, but a name can exist only once in Placement: a provider that is already there under the
driver's name is the one that the driver means.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from moorage.hosts.drivers.driver import NativeProviders
from moorage.hosts.provider_tree import Provider, ProviderTree
from moorage.hosts.responsibility import responsibility, stripped
from moorage.placement.model.origin import Origin

# A name in Placement has at most 200 characters; a UUID in brackets is added.
_LONGEST_BEGINNING = 200 - len(" (12345678-1234-1234-1234-123456789012)")


@dataclass(frozen=True, slots=True)
class NameTaken:
    """A provider of the host cannot have its name, because another one in Placement has it and keeps it."""

    # As the host calls it.
    provider: Provider
    # What it is called instead.
    instead: str
    # UUID of the provider that has the name.
    holder: str

    @property
    def message(self) -> str:
        """One sentence for the operator."""
        return (
            f"The name {self.provider.name!r} of the provider {self.provider.uuid} belongs to another provider in "
            f"Placement, {self.holder}: it is called {self.instead!r} until that one is renamed or deleted."
        )


@dataclass(frozen=True, slots=True)
class HostProviders:
    """What a host has before any file is looked at."""

    # What the driver reports, and what others have put below that, without anything the agent had added to it.
    tree: ProviderTree
    # Which of them the driver reports, and which of those are compute nodes.
    native: frozenset[str]
    nodes: frozenset[str]
    # The driver's name.
    driver: str
    names_taken: tuple[NameTaken, ...] = ()


def adopt(
    native: NativeProviders,
    observed: ProviderTree,
    origins: Mapping[str, Origin],
    host: str,
    driver: str,
    in_use: Collection[str] = (),
) -> HostProviders:
    """Recognise the host's providers among those that Placement has; without any there, they are as the driver says.

    `observed` must contain, as far as they are in Placement, the trees of all that the driver reports (by UUID and by
    name) and of all whose origin names the host. `in_use` are providers that cannot be deleted now, whoever would like
    to: their names are not free.

    A provider is recognised by its UUID wherever it is, and by its name where that is no theft: a root as a root, any
    below what the host has, any that this host's agent keeps. Two hosts that both call a part of them "gpu0" do
    not take it from each other; whoever comes later is told that the name is taken.
    """
    uuids = _recognised(native, observed, origins, host)
    tree = ProviderTree(_with_uuids(provider, uuids) for provider in native.tree)
    known = frozenset(provider.uuid for provider in tree)
    others = responsibility(observed, origins, known, host)
    going = others.leaving.difference(_with_ancestors(observed, others.leaving.intersection(in_use)))
    taken = tuple(_taken_names(tree, observed, going))
    renamed = {clash.provider.uuid: replace(clash.provider, name=clash.instead) for clash in taken}
    guests = (
        stripped(provider, origins.get(provider.uuid))
        for provider in observed
        if provider.uuid in others.below and provider.uuid not in others.leaving
    )
    return HostProviders(
        ProviderTree([*(renamed.get(provider.uuid, provider) for provider in tree), *guests]),
        known,
        frozenset(uuids.get(node, node) for node in native.nodes),
        driver,
        taken,
    )


def _recognised(
    native: NativeProviders, observed: ProviderTree, origins: Mapping[str, Origin], host: str
) -> dict[str, str]:
    """Placement's UUIDs of what the driver knows under other ones."""
    known = {provider.uuid for provider in native.tree if provider.uuid in observed}
    uuids: dict[str, str] = {}
    strangers = [provider for provider in native.tree if provider.uuid not in observed]
    # Roots first: what is below them is theirs.
    for provider in sorted(strangers, key=lambda provider: provider.parent_uuid is not None):
        namesake = observed.named(provider.name)
        if namesake is None or namesake.uuid in native.tree:
            continue
        origin = origins.get(namesake.uuid)
        if (
            (origin is not None and origin.host == host)
            or (provider.parent_uuid is None and namesake.parent_uuid is None)
            or any(above.uuid in known for above in observed.above(namesake.uuid))
        ):
            uuids[provider.uuid] = namesake.uuid
            known.add(namesake.uuid)
    return uuids


def _with_ancestors(tree: ProviderTree, uuids: Iterable[str]) -> set[str]:
    return {each.uuid for uuid in uuids for each in (tree[uuid], *tree.above(uuid))}


def _with_uuids(provider: Provider, uuids: Mapping[str, str]) -> Provider:
    uuid = uuids.get(provider.uuid, provider.uuid)
    parent = provider.parent_uuid and uuids.get(provider.parent_uuid, provider.parent_uuid)
    unchanged = uuid == provider.uuid and parent == provider.parent_uuid
    return provider if unchanged else replace(provider, uuid=uuid, parent_uuid=parent)


def _taken_names(tree: ProviderTree, observed: ProviderTree, going: Collection[str]) -> Iterator[NameTaken]:
    """Whoever cannot have its new name keeps the one it has; so the next one that wanted that cannot have it either."""
    holders = {
        provider.name: provider.uuid
        for provider in observed
        if provider.uuid not in tree and provider.uuid not in going
    }
    waiting = [(provider, holders[provider.name]) for provider in tree if provider.name in holders]
    while waiting:
        provider, holder = waiting.pop()
        present = observed.get(provider.uuid)
        instead = present.name if present else f"{provider.name[:_LONGEST_BEGINNING]} ({provider.uuid})"
        yield NameTaken(provider, instead, holder)
        next_one = tree.named(instead)
        if next_one is not None:
            waiting.append((next_one, provider.uuid))
