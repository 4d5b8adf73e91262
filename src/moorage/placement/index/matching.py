"""Which providers can serve a part of a request: filters by room, traits, aggregates and tree.

What comes out is organised by anchor, the root of the tree that a candidate will be about. A provider belongs to its
own tree, and one that shares its inventory also to every tree it shares with.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping

from moorage.placement.index.cloud import Cloud, Shelf
from moorage.placement.model.query import AggregateFilter, CandidateQuery, RequestGroup, TraitFilter

# Providers by anchor.
ByAnchor = dict[int, list[int]]
IsAnchor = Callable[[int], bool]


def anchor_filter(cloud: Cloud, query: CandidateQuery) -> IsAnchor:
    """Whether a root may be what a candidate is about (`root_required`)."""
    wanted = query.root_traits
    if not wanted:
        return lambda _root_id: True
    return lambda root_id: has_traits(cloud.traits_of(root_id), wanted)


def serving_whole_group(cloud: Cloud, group: RequestGroup, is_anchor: IsAnchor) -> ByAnchor:
    """Providers that can serve a group all by themselves. Every condition looks at the provider itself."""
    found: ByAnchor = defaultdict(list)
    tree = _tree_root(cloud, group)
    for provider_id in _with_room_for_all(cloud, group.resources):
        root_id = cloud.nodes[provider_id].root_id
        if tree is not None and root_id != tree:
            continue
        if not has_traits(cloud.traits_of(provider_id), group.traits):
            continue
        if not _is_member(cloud.aggregates_of(provider_id), group.aggregates):
            continue
        for anchor_id in {root_id} | cloud.sharing_roots.get(provider_id, frozenset()):
            if is_anchor(anchor_id):
                found[anchor_id].append(provider_id)
    return found


def serving_each_class(cloud: Cloud, group: RequestGroup, is_anchor: IsAnchor) -> dict[str, ByAnchor]:
    """For each class of the group without a suffix: the providers that can serve it, in the tree or sharing with it.

    Here an aggregate of a root spans its whole tree: the provider or the root must be a member of what is required,
    and neither may be of what is forbidden. Required traits may be met by all chosen providers together, so they
    are left to the search; a forbidden one rules its provider out.
    """
    tree = _tree_root(cloud, group)
    found: dict[str, ByAnchor] = {}
    for resource_class, amount in group.resources.items():
        by_anchor: ByAnchor = defaultdict(list)
        for provider_id in _with_room(cloud.shelves.get(resource_class, {}), amount):
            root_id = cloud.nodes[provider_id].root_id
            if tree is not None and root_id != tree:
                continue
            if cloud.traits_of(provider_id) & group.traits.forbidden:
                continue
            anchors = {root_id}
            # Asking for a tree restricts the resources to that tree, so nothing is shared into another one.
            if tree is None and _shares(cloud, provider_id, group):
                anchors |= cloud.sharing_roots[provider_id]
            for anchor_id in anchors:
                if is_anchor(anchor_id) and _is_member_or_spanned(cloud, provider_id, anchor_id, group.aggregates):
                    by_anchor[anchor_id].append(provider_id)
        found[resource_class] = by_anchor
    return found


def has_traits(traits: frozenset[str], wanted: TraitFilter) -> bool:
    """Whether these traits meet every required condition and contain nothing forbidden."""
    return not traits & wanted.forbidden and all(traits & any_of for any_of in wanted.required)


def _tree_root(cloud: Cloud, group: RequestGroup) -> int | None:
    """The root of the tree that the group is restricted to; -1, which no provider has, for an unknown one."""
    if group.in_tree is None:
        return None
    node = cloud.by_uuid.get(group.in_tree)
    return -1 if node is None else node.root_id


def _with_room(shelves: Mapping[int, Shelf], amount: int) -> Iterator[int]:
    return (provider_id for provider_id, shelf in shelves.items() if shelf.offers(amount))


def _with_room_for_all(cloud: Cloud, resources: Mapping[str, int]) -> Iterable[int]:
    """Providers with room for every class; all providers if nothing is asked for."""
    if not resources:
        return cloud.nodes
    rooms = [set(_with_room(cloud.shelves.get(name, {}), amount)) for name, amount in resources.items()]
    return sorted(set.intersection(*rooms))


def _shares(cloud: Cloud, provider_id: int, group: RequestGroup) -> bool:
    if provider_id not in cloud.sharing_roots:
        return False
    required = AggregateFilter(required=group.aggregates.required)
    return _is_member(cloud.aggregates_of(provider_id), required)


def _is_member(aggregates: frozenset[str], wanted: AggregateFilter) -> bool:
    return not aggregates & wanted.forbidden and all(aggregates & any_of for any_of in wanted.required)


def _is_member_or_spanned(cloud: Cloud, provider_id: int, root_id: int, wanted: AggregateFilter) -> bool:
    both = (cloud.aggregates_of(provider_id), cloud.aggregates_of(root_id))
    if any(aggregates & wanted.forbidden for aggregates in both):
        return False
    return any(all(aggregates & any_of for any_of in wanted.required) for aggregates in both)
