"""Which providers can serve a part of a request: vector filters over all providers at once.

What comes out is organised by anchor, the root of the tree that a candidate will be about. A provider belongs to its
own tree, and one that shares its inventory also to every tree it shares with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from moorage.placement.index.cloud import Cloud
from moorage.placement.index.columns import Mask, Slots
from moorage.placement.index.topology import Topology
from moorage.placement.model.query import AggregateFilter, RequestGroup, TraitFilter

# Which providers have room for all of some resources.
HasRoom = Callable[[Cloud, Mapping[str, int]], Mask]


@dataclass(frozen=True, slots=True)
class Part:
    """Something that one provider must serve: a whole group with a suffix, or one class of the group without."""

    group: RequestGroup
    resources: Mapping[str, int]
    # Who can serve it within their own tree.
    providers: Mask
    # Who of them can serve it for other trees, and about which anchors, if any can.
    lenders: Mask | None = None
    open: Mask | None = None

    def anchors(self, topology: Topology) -> Mask:
        """The anchors about which the part can be served at all; not to be changed."""
        if not topology.has_trees and self.lenders is None:
            return self.providers  # each is its own root
        anchors = topology.mask(topology.roots[self.providers])
        anchors |= self.lent_to(topology)
        return anchors

    def lent_to(self, topology: Topology) -> Mask:
        """The anchors about which a provider of another tree can serve it."""
        if self.lenders is None:
            return topology.nobody()
        reached = topology.sharing.reached(self.lenders)
        return reached if self.open is None else reached & self.open

    def serving(self, topology: Topology, anchors: Mask) -> Mask:
        """Who can serve it about any of these anchors."""
        serving: Mask = self.providers & anchors[topology.roots]
        if self.lenders is not None:
            reaching = topology.sharing.reaching(anchors if self.open is None else anchors & self.open)
            serving |= self.lenders & reaching
        return serving

    def is_served_like(self, other: Part) -> bool:
        """Whether it was found together with another part, so that the same can serve both."""
        return self.providers is other.providers

    def narrowed(self, to: Mask) -> Part:
        """The same part, served by fewer."""
        lenders = None if self.lenders is None else self.lenders & to
        return replace(self, providers=self.providers & to, lenders=lenders)

    def chooser(self, topology: Topology) -> Callable[[Slots], list[list[int]]]:
        """A function that tells, for any anchors, the providers that can serve the part about each."""
        in_trees = topology.by_tree(self.providers)
        if self.lenders is None:
            return in_trees
        lending = topology.sharing.lending(self.lenders)
        is_open = self.open

        def choices(anchors: Slots) -> list[list[int]]:
            closed = np.zeros(len(anchors), dtype=np.bool_) if is_open is None else ~is_open[anchors]
            about_each = zip(in_trees(anchors), lending(anchors), closed.tolist(), strict=True)
            return [own if is_closed else own + lent if own else lent for own, lent, is_closed in about_each]

        return choices


def choosing(topology: Topology, parts: Sequence[Part]) -> Callable[[Slots], Iterator[list[list[int]]]]:
    """A function that tells, for any anchors, the choices about each: for each part, the providers that can serve it.

    Parts that are served alike have one list.
    """
    choosers: dict[int, Callable[[Slots], list[list[int]]]] = {}
    for part in parts:
        if id(part.providers) not in choosers:
            choosers[id(part.providers)] = part.chooser(topology)
    places = [list(choosers).index(id(part.providers)) for part in parts]

    def choices(anchors: Slots) -> Iterator[list[list[int]]]:
        for found in zip(*(choose(anchors) for choose in choosers.values()), strict=True):
            yield [found[place] for place in places]

    return choices


def parts_of_all(cloud: Cloud, groups: Iterable[RequestGroup]) -> list[Part]:
    """The parts of all groups. Eight groups that ask for the same are looked for once."""
    found: list[tuple[RequestGroup, list[Part]]] = []
    parts: list[Part] = []
    for group in groups:
        alike = next((known for first, known in found if group.asks_like(first)), None)
        if alike is None:
            alike = parts_of(cloud, group)
            found.append((group, alike))
            parts += alike
        else:
            parts += [replace(part, group=group) for part in alike]
    return parts


def with_room(cloud: Cloud, resources: Mapping[str, int]) -> Mask:
    """Providers with room for every class; all providers if nothing is asked for."""
    if not resources:
        return cloud.topology.alive.copy()
    masks = (
        cloud.topology.mask(cloud.columns_of(resource_class).offering(amount))
        for resource_class, amount in resources.items()
    )
    providers = next(masks)
    for mask in masks:
        providers &= mask
    return providers


def parts_of(cloud: Cloud, group: RequestGroup, has_room: HasRoom = with_room) -> list[Part]:
    """The parts of a group, each with those who can serve it. Who has room may be decided in another way."""
    if group.one_provider:
        return [_whole_group(cloud, group, has_room)]
    return [_one_class(cloud, group, name, has_room) for name in group.resources]


def _whole_group(cloud: Cloud, group: RequestGroup, has_room: HasRoom) -> Part:
    """Every condition looks at the provider itself."""
    topology = cloud.topology
    providers = has_room(cloud, group.resources)
    _keep_tree(cloud, providers, group.in_tree)
    keep_traits(topology, providers, group.traits)
    keep_members(topology, providers, group.aggregates)
    return Part(group, group.resources, providers, _lenders(topology, providers))


def _one_class(cloud: Cloud, group: RequestGroup, resource_class: str, has_room: HasRoom) -> Part:
    """One class of the group without a suffix, which the tree and those who share with it may serve together.

    Here an aggregate of a root spans its whole tree: the provider or the root must be a member of what is required,
    and neither may be of what is forbidden. Who is to share with another tree must be a member of what is required
    itself, and that tree's root may not be of what is forbidden either. A forbidden trait rules its provider out.
    Required ones may be met by all chosen providers together: where there can be several, they are left to the search.
    """
    topology = cloud.topology
    resources = {resource_class: group.resources[resource_class]}
    providers = has_room(cloud, resources)
    _keep_tree(cloud, providers, group.in_tree)
    together = _may_be_served_together(topology, group)
    keep_traits(topology, providers, TraitFilter((), group.traits.forbidden) if together else group.traits)
    allowed = None
    if group.aggregates.forbidden:
        allowed = ~topology.member_of_any(group.aggregates.forbidden)
        providers &= allowed & allowed[topology.roots]
    able = providers
    if group.aggregates.required:
        required = topology.alive.copy()
        keep_members(topology, required, AggregateFilter(required=group.aggregates.required))
        able = providers & required
        providers &= required | required[topology.roots]
    # Asking for a tree restricts the resources to that tree, so nothing is shared into another one.
    lenders = _lenders(topology, able) if group.in_tree is None else None
    return Part(group, resources, providers, lenders, allowed)


def _lenders(topology: Topology, able: Mask) -> Mask | None:
    """Those of the providers that share, if there are any."""
    if not topology.sharing:
        return None
    lenders = able & topology.sharing.mask()
    return lenders if lenders.any() else None


def _may_be_served_together(topology: Topology, group: RequestGroup) -> bool:
    return not group.one_provider and len(group.resources) > 1 and not topology.is_flat


def served_together(topology: Topology, parts: Sequence[Part]) -> list[int]:
    """Which of the parts several providers may serve together, so that each has only some of the required traits."""
    return [number for number, part in enumerate(parts) if _may_be_served_together(topology, part.group)]


def keep_traits_together(topology: Topology, anchors: Mask, parts: Sequence[Part]) -> None:
    """Strike out anchors where nobody who can serve such a part has a trait that is required of all together."""
    together = [parts[number] for number in served_together(topology, parts)]
    for any_of in together[0].group.traits.required if together else ():
        having = topology.having_any_trait(any_of)
        anchors &= np.logical_or.reduce([part.narrowed(having).anchors(topology) for part in together])


def keep_served_by_one(topology: Topology, anchors: Mask, parts: Sequence[Part]) -> None:
    """Strike out anchors without a provider that can serve every part which nobody shares with their tree."""
    if not topology.has_trees:
        return
    able = topology.alive.copy()
    for part in parts:
        able &= part.providers | part.lent_to(topology)[topology.roots]
    anchors &= topology.mask(topology.roots[able])


# --- filters, also for lists of providers


def keep_traits(topology: Topology, providers: Mask, wanted: TraitFilter) -> None:
    """Strike out providers that lack a required trait or have a forbidden one."""
    for any_of in wanted.required:
        providers &= topology.having_any_trait(any_of)
    if wanted.forbidden:
        providers &= ~topology.having_any_trait(wanted.forbidden)


def keep_members(topology: Topology, providers: Mask, wanted: AggregateFilter) -> None:
    """Strike out providers that are not members of what is required, or are of what is forbidden."""
    for any_of in wanted.required:
        providers &= topology.member_of_any(any_of)
    if wanted.forbidden:
        providers &= ~topology.member_of_any(wanted.forbidden)


def _keep_tree(cloud: Cloud, providers: Mask, in_tree: str | None) -> None:
    """Strike out providers outside the tree of the provider with this UUID."""
    if in_tree is None:
        return
    slot = cloud.slot_of(in_tree)
    if slot is None:
        providers[:] = False
    else:
        providers &= cloud.topology.roots == cloud.topology.roots[slot]
