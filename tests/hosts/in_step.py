"""A Placement that agents bring in step, in the simplest form: providers and origins as values."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace

from moorage.hosts.adoption import adopt
from moorage.hosts.desired import Desired, desired
from moorage.hosts.difference import difference
from moorage.hosts.drivers.driver import NativeProviders
from moorage.hosts.merging import merge
from moorage.hosts.provider_config.records import COMPUTE_NODE, Record
from moorage.hosts.provider_tree import Provider, ProviderTree
from moorage.placement.model.inventory import Inventory
from moorage.placement.model.origin import Origin

DRIVER, FILE = "driver:static", "file:a.yaml"
VCPU, LLC, PIPE = {"VCPU": Inventory(8)}, {"CUSTOM_LLC": Inventory(22)}, {"CUSTOM_PIPE": Inventory(3)}
NODE = Provider("n", "node", None, VCPU, frozenset({"HW_FAST"}), frozenset({"rack"}))
NUMA = Provider("m", "node-numa", "n", {"MEMORY_MB": Inventory(64)})
# Somebody else's, below what the agent reports.
GUEST = Provider("r", "reservation", "m", PIPE, frozenset({"CUSTOM_THEIRS"}))


@dataclass
class Placement:
    """Holds providers and origins; each step of an agent leaves it as that agent wants it."""

    tree: ProviderTree = field(default_factory=ProviderTree)
    origins: dict[str, Origin] = field(default_factory=dict)

    def wanted(
        self, native: Iterable[Provider], files: Iterable[Record], host: str = "here", in_use: Collection[str] = ()
    ) -> Desired:
        """What the host's agent would like to see."""
        tree = ProviderTree(native)
        reported = NativeProviders(tree, frozenset(root.uuid for root in tree.roots()))
        merged = merge(adopt(reported, self.tree, self.origins, host, "static", in_use), files)
        return desired(self.tree, self.origins, merged, host)

    def step(self, *native: Provider, files: Iterable[Record] = (), host: str = "here") -> None:
        """Let the agent have its way, after which it has nothing more to wish for."""
        files = list(files)
        wanted = self.wanted(native, files, host)
        self.tree, self.origins = wanted.tree, dict(wanted.origins)
        again = self.wanted(native, files, host)
        assert difference(self.tree, again.tree) == ()
        assert again.origins == self.origins

    def others_set(self, *providers: Provider) -> None:
        """Somebody else writes these providers."""
        self.tree = self.tree.with_providers(providers)


def record(
    uuid: str = COMPUTE_NODE, inventories: dict[str, Inventory] | None = None, traits: Iterable[str] = ()
) -> Record:
    """A record of the file a.yaml."""
    return Record(uuid, None, inventories or {}, frozenset(traits), "a.yaml", 1)


def with_more(
    provider: Provider, inventories: dict[str, Inventory] | None = None, traits: Iterable[str] = ()
) -> Provider:
    """The provider with more than it had."""
    return replace(
        provider,
        inventories={**provider.inventories, **(inventories or {})},
        traits=provider.traits.union(traits),
    )
