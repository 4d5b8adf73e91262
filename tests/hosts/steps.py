"""What steps do, as Placement would have it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from moorage.hosts.difference import (
    CreateProvider,
    DeleteProvider,
    MoveProvider,
    RenameProvider,
    SetAggregates,
    SetInventories,
    SetTraits,
    Step,
)
from moorage.hosts.provider_tree import Provider, ProviderTree


def apply(tree: ProviderTree, steps: Iterable[Step]) -> ProviderTree:
    """The tree after these steps; TreeError if that is none."""
    providers = {provider.uuid: provider for provider in tree}
    for step in steps:
        match step:
            case CreateProvider(uuid, name, parent_uuid):
                providers[uuid] = Provider(uuid, name, parent_uuid)
            case RenameProvider(uuid, name):
                providers[uuid] = replace(providers[uuid], name=name)
            case MoveProvider(uuid, parent_uuid):
                providers[uuid] = replace(providers[uuid], parent_uuid=parent_uuid)
            case SetInventories(uuid, inventories):
                providers[uuid] = replace(providers[uuid], inventories=inventories)
            case SetTraits(uuid, traits):
                providers[uuid] = replace(providers[uuid], traits=traits)
            case SetAggregates(uuid, aggregates):
                providers[uuid] = replace(providers[uuid], aggregates=aggregates)
            case DeleteProvider(uuid):
                del providers[uuid]
    return ProviderTree(providers.values())
