"""Finding providers: the conditions of a list, each looking at the provider itself."""

from __future__ import annotations

import numpy as np

from moorage.placement.index.cloud import Cloud
from moorage.placement.index.columns import Mask
from moorage.placement.index.matching import keep_members, keep_traits, with_room
from moorage.placement.index.records import Record
from moorage.placement.model.query import ProviderFilter


def matching_providers(cloud: Cloud, wanted: ProviderFilter, among: Mask | None = None) -> list[Record]:
    """The providers, all or `among` these, that meet every condition."""
    cloud.check_classes(wanted.resources)
    cloud.check_traits(wanted.traits.names)
    providers = with_room(cloud, wanted.resources)
    if among is not None:
        providers &= among
    if wanted.uuid:
        _keep_only(providers, cloud.slot_of(wanted.uuid))
    if wanted.name:
        _keep_only(providers, cloud.slot_named(wanted.name))
    if wanted.in_tree:
        slot = cloud.slot_of(wanted.in_tree)
        if slot is None:
            return []
        providers &= cloud.topology.roots == cloud.topology.roots[slot]
    keep_traits(cloud.topology, providers, wanted.traits)
    keep_members(cloud.topology, providers, wanted.aggregates)
    return cloud.records_at(np.flatnonzero(providers).tolist())


def _keep_only(providers: Mask, slot: int | None) -> None:
    kept = slot is not None and bool(providers[slot])
    providers[:] = False
    if kept:
        providers[slot] = True
