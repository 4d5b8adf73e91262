"""The right answers, worked out from a description of the cloud by trying everything.

Written from what the API promises, sharing no code with either service. It knows nothing of speed: every combination
is made and looked at, so that each rule stands here once, by itself, as a condition.

One rule may surprise: the required traits of the group without a suffix may be met by all its providers together, so
that a disk may come from a provider without the trait if another provider has it. Upstream documents and tests this
(https://bugs.launchpad.net/placement/+bug/1724633), and clients have come to rely on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

from tests.differential.clouds import Cloud, Provider
from tests.differential.queries import CandidateQuery, Conditions, Group, ProviderQuery

# Amounts by provider and class.
Amounts = frozenset[tuple[str, str, int]]
# Suffixes, each with its providers.
Mappings = frozenset[tuple[str, frozenset[str]]]


@dataclass(frozen=True)
class Candidate:
    amounts: Amounts
    mappings: Mappings

    @property
    def providers(self) -> frozenset[str]:
        """Those that resources are taken from."""
        return frozenset(uuid for uuid, _, _ in self.amounts)


# How one group is served: a provider for each class; or, without resources, a provider that gives nothing.
Choice = Mapping[str, Provider]


# --- GET /resource_providers


def matching_providers(cloud: Cloud, query: ProviderQuery) -> set[str]:
    return {
        provider.uuid
        for provider in cloud.providers
        if query.name in (None, provider.name)
        and query.uuid in (None, provider.uuid)
        and _in_tree(cloud, provider, query.conditions)
        and _has_traits(provider.traits, query.conditions)
        and _is_member(provider, query.conditions)
        and _has_room(cloud, provider, query.resources)
    }


# --- GET /allocation_candidates


def all_candidates(cloud: Cloud, query: CandidateQuery) -> set[Candidate]:
    """Every way to serve all groups, about any of the trees."""
    return {
        _candidate(query, choices)
        for choices_by_group in _choices_by_tree(cloud, query)
        for choices in product(*choices_by_group)
        if _is_acceptable(cloud, query, choices)
    }


def number_of_combinations(cloud: Cloud, query: CandidateQuery) -> int:
    """How much work `all_candidates` would be."""
    total = 0
    for root in _acceptable_roots(cloud, query):
        in_tree = 1
        for group in query.groups:
            in_tree *= _number_of_choices(cloud, group, root)
        total += in_tree
    return total


def summaries(cloud: Cloud, query: CandidateQuery, candidates: set[Candidate]) -> dict[str, dict[str, Any]]:
    """What is told about the providers: since 1.29 about all in the trees that resources are taken from."""
    involved = {uuid for candidate in candidates for uuid in candidate.providers}
    if query.minor >= 29:
        roots = {cloud.roots[uuid] for uuid in involved}
        involved = {provider.uuid for provider in cloud.providers if cloud.roots[provider.uuid] in roots}
    return {uuid: _summary(cloud, query, cloud.by_uuid[uuid]) for uuid in involved}


def _summary(cloud: Cloud, query: CandidateQuery, provider: Provider) -> dict[str, Any]:
    summary: dict[str, Any] = {
        "resources": {
            name: {"capacity": inventory.capacity, "used": cloud.used[provider.uuid, name]}
            for name, inventory in provider.inventories.items()
            if query.minor >= 27 or name in query.class_names
        }
    }
    if query.minor >= 17:
        summary["traits"] = frozenset(provider.traits)
    if query.minor >= 29:
        summary["parent_provider_uuid"] = provider.parent
        summary["root_provider_uuid"] = cloud.roots[provider.uuid]
    return summary


def _choices_by_tree(cloud: Cloud, query: CandidateQuery) -> Iterator[list[list[Choice]]]:
    for root in _acceptable_roots(cloud, query):
        yield [list(_choices(cloud, group, root)) for group in query.groups]


def _acceptable_roots(cloud: Cloud, query: CandidateQuery) -> Iterator[Provider]:
    for provider in cloud.providers:
        suitable = query.root_required <= provider.traits and not query.root_forbidden & provider.traits
        if provider.parent is None and suitable:
            yield provider


def _choices(cloud: Cloud, group: Group, root: Provider) -> Iterator[Choice]:
    if group.suffix:
        for provider in _whole_group_servers(cloud, group, root):
            yield dict.fromkeys(group.resources or [""], provider)
        return
    servers = [_class_servers(cloud, group, name, root) for name in group.resources]
    for chosen in product(*servers):
        together = frozenset[str]().union(*(provider.traits for provider in chosen))
        if all(together & any_of for any_of in group.conditions.required):
            yield dict(zip(group.resources, chosen, strict=True))


def _number_of_choices(cloud: Cloud, group: Group, root: Provider) -> int:
    if group.suffix:
        return len(_whole_group_servers(cloud, group, root))
    number = 1
    for name in group.resources:
        number *= len(_class_servers(cloud, group, name, root))
    return number


def _whole_group_servers(cloud: Cloud, group: Group, root: Provider) -> list[Provider]:
    """Who can serve a group with a suffix: one provider alone, that meets every condition itself."""
    return [
        provider
        for provider in cloud.providers
        if (_belongs(cloud, provider, root) or _shares_with(cloud, provider, root))
        and _in_tree(cloud, provider, group.conditions)
        and _has_traits(provider.traits, group.conditions)
        and _is_member(provider, group.conditions)
        and _has_room(cloud, provider, group.resources)
    ]


def _class_servers(cloud: Cloud, group: Group, name: str, root: Provider) -> list[Provider]:
    """Who can serve one class of the group without a suffix.

    A root's aggregates count for its whole tree. A provider of another tree must be a member itself to be lent, is not
    lent to a request for one tree, and not if its own root is a member of what is forbidden.
    """
    conditions = group.conditions
    found = []
    for provider in cloud.providers:
        if not _has_room(cloud, provider, {name: group.resources[name]}):
            continue
        if provider.traits & conditions.forbidden or not _in_tree(cloud, provider, conditions):
            continue
        own_root = cloud.by_uuid[cloud.roots[provider.uuid]]
        if (provider.aggregates | own_root.aggregates | root.aggregates) & conditions.not_member_of:
            continue
        if _belongs(cloud, provider, root):
            suitable = _is_required_member(provider, conditions) or _is_required_member(root, conditions)
        else:
            lent = _shares_with(cloud, provider, root) and conditions.in_tree is None
            suitable = lent and _is_required_member(provider, conditions)
        if suitable:
            found.append(provider)
    return found


def _belongs(cloud: Cloud, provider: Provider, root: Provider) -> bool:
    return cloud.roots[provider.uuid] == root.uuid


def _shares_with(cloud: Cloud, provider: Provider, root: Provider) -> bool:
    """Whether a provider that shares has an aggregate in common with any provider of the tree."""
    return provider.shares and any(provider.aggregates & member.aggregates for member in cloud.tree(root.uuid))


def _in_tree(cloud: Cloud, provider: Provider, conditions: Conditions) -> bool:
    if conditions.in_tree is None:
        return True
    return conditions.in_tree in cloud.roots and cloud.roots[provider.uuid] == cloud.roots[conditions.in_tree]


def _has_traits(traits: frozenset[str], conditions: Conditions) -> bool:
    return not traits & conditions.forbidden and all(traits & any_of for any_of in conditions.required)


def _is_member(provider: Provider, conditions: Conditions) -> bool:
    return not provider.aggregates & conditions.not_member_of and _is_required_member(provider, conditions)


def _is_required_member(provider: Provider, conditions: Conditions) -> bool:
    return all(provider.aggregates & any_of for any_of in conditions.member_of)


def _has_room(cloud: Cloud, provider: Provider, resources: Mapping[str, int]) -> bool:
    return all(
        (inventory := provider.inventories.get(name)) is not None
        and inventory.accepts(amount)
        and cloud.used[provider.uuid, name] + amount <= inventory.capacity
        for name, amount in resources.items()
    )


def _is_acceptable(cloud: Cloud, query: CandidateQuery, choices: tuple[Choice, ...]) -> bool:
    return (
        _fit_together(cloud, query, choices)
        and (query.group_policy != "isolate" or _are_isolated(query, choices))
        and all(_in_one_subtree(cloud, query, choices, suffixes) for suffixes in query.same_subtrees)
        and (query.minor >= 29 or _one_per_tree(cloud, query, choices))
    )


def _amounts(query: CandidateQuery, choices: tuple[Choice, ...]) -> Counter[tuple[str, str]]:
    amounts: Counter[tuple[str, str]] = Counter()
    for group, choice in zip(query.groups, choices, strict=True):
        for name, amount in group.resources.items():
            amounts[choice[name].uuid, name] += amount
    return amounts


def _fit_together(cloud: Cloud, query: CandidateQuery, choices: tuple[Choice, ...]) -> bool:
    """Whether what groups take from the same provider also fits in sum."""
    for (uuid, name), amount in _amounts(query, choices).items():
        inventory = cloud.by_uuid[uuid].inventories[name]
        if cloud.used[uuid, name] + amount > inventory.capacity or amount > inventory.max_unit:
            return False
    return True


def _are_isolated(query: CandidateQuery, choices: tuple[Choice, ...]) -> bool:
    """Whether all groups with suffixes have providers of their own."""
    served = [_providers(choice) for group, choice in zip(query.groups, choices, strict=True) if group.suffix]
    return not any(one & other for one, other in combinations(served, 2))


def _in_one_subtree(
    cloud: Cloud, query: CandidateQuery, choices: tuple[Choice, ...], suffixes: tuple[str, ...]
) -> bool:
    """Whether one of the providers of these groups is above (or is) all of them."""
    pairs = zip(query.groups, choices, strict=True)
    served = {uuid for group, choice in pairs if group.suffix in suffixes for uuid in _providers(choice)}
    return any(all(top in _ancestry(cloud, uuid) for uuid in served) for top in served)


def _ancestry(cloud: Cloud, uuid: str) -> set[str]:
    parent = cloud.by_uuid[uuid].parent
    return {uuid} | (_ancestry(cloud, parent) if parent else set())


def _one_per_tree(cloud: Cloud, query: CandidateQuery, choices: tuple[Choice, ...]) -> bool:
    providers = {uuid for uuid, _ in _amounts(query, choices)}
    return len({cloud.roots[uuid] for uuid in providers}) == len(providers)


def _providers(choice: Choice) -> set[str]:
    return {provider.uuid for provider in choice.values()}


def _candidate(query: CandidateQuery, choices: tuple[Choice, ...]) -> Candidate:
    mappings = frozenset(
        (group.suffix, frozenset(_providers(choice))) for group, choice in zip(query.groups, choices, strict=True)
    )
    amounts = frozenset((uuid, name, amount) for (uuid, name), amount in _amounts(query, choices).items())
    return Candidate(amounts, mappings)
