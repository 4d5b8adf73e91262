"""Makes the providers that descriptions stand for."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field

import os_traits

from moorage.hosts.drivers.driver import NativeProviders
from moorage.hosts.drivers.identity import nested_uuid
from moorage.hosts.drivers.static.description import Description, File
from moorage.hosts.drivers.static.names import MAX_NAME_LENGTH, PARENT, fill_in
from moorage.hosts.provider_config.findings import Finding
from moorage.hosts.provider_tree import Provider, ProviderTree

MAX_PROVIDERS = 100_000
"""A mistyped count shall not fill the memory; the largest clouds have less."""

NAMESPACE = uuid.uuid5(uuid.NAMESPACE_DNS, "static-driver.moorage")
"""Names make UUIDs in here. They are the same whoever describes the node, so a node may move to another host's file."""


def expand(name: str, file: File) -> tuple[NativeProviders, list[Finding]]:
    """All providers that a file describes, or what keeps them from being providers of one Placement."""
    size = sum(description.size for description in (*file.nodes, *file.providers))
    if size > MAX_PROVIDERS:
        nothing = NativeProviders(ProviderTree(), frozenset())
        return nothing, [Finding(name, f"the file describes {size} providers", allowed=f"at most {MAX_PROVIDERS}")]
    making = _Making(name)
    nodes = [root.uuid for description in file.nodes for root in making.roots(description, os_traits.COMPUTE_NODE)]
    for description in file.providers:
        for _ in making.roots(description):
            pass
    return NativeProviders(ProviderTree(making.providers.values()), frozenset(nodes)), making.findings


@dataclass(slots=True)
class _Making:
    """The providers so far; one that cannot be added is noted and left out, with what is below it."""

    file: str
    providers: dict[str, Provider] = field(default_factory=dict)
    names: dict[str, Description] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    def roots(self, description: Description, *traits: str) -> Iterator[Provider]:
        """The providers without a parent that a description stands for; what is below them is made as well."""
        for number in description.numbers:
            name = fill_in(description.name, number, "")
            made = self._make(description, name, description.uuid or str(uuid.uuid5(NAMESPACE, name)), None, traits)
            if made:
                yield made

    def _children(self, description: Description, parent: Provider) -> None:
        for number in description.numbers:
            name = fill_in(description.name, number, parent.name)
            part = fill_in(description.name, number, "") if PARENT in description.name else name
            self._make(description, name, description.uuid or nested_uuid(parent.uuid, part), parent.uuid)

    def _make(
        self, description: Description, name: str, identifier: str, parent: str | None, traits: tuple[str, ...] = ()
    ) -> Provider | None:
        if wrong := self._complaint(name, identifier):
            self.findings.append(Finding(self.file, wrong, *description.place, description.path))
            return None
        made = Provider(
            identifier,
            name,
            parent,
            description.inventories,
            description.traits.union(traits),
            description.aggregates,
        )
        self.providers[identifier] = made
        self.names[name] = description
        for child in description.children:
            self._children(child, made)
        return made

    def _complaint(self, name: str, identifier: str) -> str | None:
        if len(name) > MAX_NAME_LENGTH:
            return f"the name {name[:30]}… has {len(name)} characters, more than {MAX_NAME_LENGTH}"
        if name in self.names:
            other = self.names[name]
            return f"the name {name!r} is also that of a provider described in line {other.place.line}"
        if identifier in self.providers:
            return f"the UUID {identifier} is also that of {self.providers[identifier].name!r}"
        return None
