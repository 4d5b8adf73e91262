"""Finds the trees that concern a host, with as few questions as possible."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Generic, Protocol, TypeVar

from moorage.hosts.agent.observation import Scope

# For more trees than these, one list of all providers is quicker than a question for each tree.
FEW_TREES = 16


class Placed(Protocol):
    """Whatever says who a provider is and which tree it is in."""

    @property
    def uuid(self) -> str: ...  # noqa: D102 - what it says
    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def root_uuid(self) -> str: ...  # noqa: D102


Found = TypeVar("Found", bound=Placed)


class Lookup(Generic[Found]):
    """Asks for trees, and remembers where it found them; one for each agent."""

    def __init__(
        self,
        tree: Callable[[str], Sequence[Found]],
        everything: Callable[[], Sequence[Found]],
        uuid_of: Callable[[str], str | None],
        is_ours: Callable[[Found], bool] = lambda _: False,
    ) -> None:
        # The tree that a provider is in, all providers, the UUID of a provider by its name, and whether it is ours.
        self._tree = tree
        self._everything = everything
        self._uuid_of = uuid_of
        self._is_ours = is_ours
        # Under which UUID a name was last found: a provider that was adopted has another one than the host says.
        self._uuids: dict[str, str] = {}
        # In which tree a provider was last found.
        self._roots: dict[str, str] = {}

    def find(self, scope: Scope, ours: Collection[str] = ()) -> dict[str, Found]:
        """The providers of all trees in question, by UUID."""
        roots = [root.uuid for root in scope.native.roots()]
        likely = {*scope.further, *(self._roots.get(uuid, uuid) for uuid in ours if uuid not in scope.native)}
        if len(likely.union(roots)) <= FEW_TREES:
            # What of ours is not in the tree any more where it was is asked for by itself.
            found = self._ask_for_each(scope, [*roots, *sorted(likely.difference(roots)), *ours])
        else:
            found = self._select(scope, frozenset({*roots, *scope.further, *ours}))
        self._uuids = {each.name: each.uuid for each in found.values()}
        self._roots = {each.uuid: each.root_uuid for each in found.values()}
        return found

    def _select(self, scope: Scope, wanted: frozenset[str]) -> dict[str, Found]:
        everything = self._everything()
        names = {root.name for root in scope.native.roots()}
        roots = {
            each.root_uuid
            for each in everything
            if each.uuid in wanted or each.name in names or (self._is_ours(each) and not scope.only_native)
        }
        return {each.uuid: each for each in everything if each.root_uuid in roots}

    def _ask_for_each(self, scope: Scope, wanted: Iterable[str]) -> dict[str, Found]:
        found: dict[str, Found] = {}
        for uuid in wanted:
            if uuid not in found:
                native = scope.native.get(uuid)
                trees = self._tree(uuid) if native is None else self._ask_by_name(uuid, native.name)
                found |= {each.uuid: each for each in trees}
        return found

    def _ask_by_name(self, uuid: str, name: str) -> list[Found]:
        """The trees of the provider with this UUID and of that with this name; mostly they are the same one."""
        likely = self._uuids.get(name, uuid)
        found = list(self._tree(likely))
        if any(each.name == name for each in found):
            return found
        if likely != uuid:
            found += self._tree(uuid)
        namesake = self._uuid_of(name)
        if namesake is not None and not any(each.uuid == namesake for each in found):
            found += self._tree(namesake)
        return found
