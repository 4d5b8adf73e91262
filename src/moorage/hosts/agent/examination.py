"""What a driver says about a host, or about some of its nodes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from moorage.hosts.agent.plan import Host
from moorage.hosts.agent.refusal import AgentRefuses
from moorage.hosts.drivers.driver import Driver, NativeProviders
from moorage.hosts.provider_tree import ProviderTree


def examine(driver: Driver, host: str, only: Collection[str] = ()) -> Host:
    """The host as it is now; with names, as if it had only the root providers with these names."""
    native = driver.read()
    return Host(host, driver.name, _only(native, frozenset(only)) if only else native)


def _only(native: NativeProviders, names: frozenset[str]) -> NativeProviders:
    roots = {root.name: root.uuid for root in native.tree.roots()}
    if unknown := sorted(names - roots.keys()):
        known = ", ".join(sorted(roots)) or "none"
        raise AgentRefuses([f"This host has no node {', '.join(unknown)}; it has: {known}."])
    chosen = frozenset(roots[name] for name in names)
    tree = ProviderTree(provider for uuid in sorted(chosen) for provider in native.tree.below(uuid))
    return replace(native, tree=tree, nodes=native.nodes & chosen)
