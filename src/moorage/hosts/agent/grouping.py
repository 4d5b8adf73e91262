"""Which changes to providers can be made independently of each other: at the same time, or one without another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from moorage.hosts.provider_tree import ProviderTree


def independent_groups(changing: Iterable[str], old: ProviderTree, new: ProviderTree) -> list[list[str]]:
    """Providers, by UUID, in groups: together are those of one tree, before or after, and those that pass on a name."""
    leaders: dict[tuple[str, str], tuple[str, str]] = {}

    def leader(mark: tuple[str, str]) -> tuple[str, str]:
        while leaders.setdefault(mark, mark) != mark:
            # Every other mark on the way is skipped the next time, which keeps ways short.
            leaders[mark] = leaders[leaders[mark]]
            mark = leaders[mark]
        return mark

    providers = list(dict.fromkeys(changing))
    for uuid in providers:
        first, *others = _marks(uuid, old, new)
        for other in others:
            leaders[leader(other)] = leader(first)
    groups: dict[tuple[str, str], list[str]] = {}
    for uuid in providers:
        groups.setdefault(leader(next(_marks(uuid, old, new))), []).append(uuid)
    return list(groups.values())


def _marks(uuid: str, old: ProviderTree, new: ProviderTree) -> Iterator[tuple[str, str]]:
    """What two providers have in common that have to wait for each other."""
    for tree in (old, new):
        provider = tree.get(uuid)
        if provider is not None:
            yield "tree", tree.root_of(uuid).uuid
            yield "name", provider.name
