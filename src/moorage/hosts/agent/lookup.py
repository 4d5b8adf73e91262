"""Finds the trees that concern a host, with as few questions as possible."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Generic, Protocol, TypeVar

from moorage.hosts.agent.observation import Scope
from moorage.hosts.provider_tree import Provider

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
        ours: Callable[[], Sequence[Found]] = tuple,
    ) -> None:
        # The tree that a provider is in, all providers, the UUID of a provider by its name, and the trees with anything
        # that is ours, where a Placement can tell.
        self._tree = tree
        self._everything = everything
        self._uuid_of = uuid_of
        self._ours = ours
        # By the UUIDs that the host says, the ones in Placement of those that are there only under their names.
        self._adopted: dict[str, str] = {}
        # In which tree a provider was last found.
        self._roots: dict[str, str] = {}

    def find(self, scope: Scope, remembered: Collection[str] = ()) -> dict[str, Found]:
        """The providers of all trees in question, by UUID; those that are remembered to be ours are among them."""
        found = {} if scope.only_native else {each.uuid: each for each in self._ours()}
        likely = {self._roots.get(uuid, uuid) for uuid in remembered if uuid not in scope.native}
        strangers = [root for root in scope.native.roots() if not self._is_met(root, found)]
        trees = {*(root.uuid for root in strangers), *scope.further, *likely}.difference(found)
        if len(trees) <= FEW_TREES:
            # What was remembered and is not in the tree any more where it was is asked for by itself.
            self._ask_for_each(found, strangers, [*sorted({*scope.further, *likely}), *remembered])
        else:
            found |= self._select(scope, frozenset({*trees, *remembered}))
        names = {each.name: each.uuid for each in found.values()}
        self._adopted = {
            root.uuid: names[root.name]
            for root in scope.native.roots()
            if root.uuid not in found and root.name in names
        }
        self._roots = {each.uuid: each.root_uuid for each in found.values()}
        return found

    def _is_met(self, root: Provider, found: Mapping[str, Found]) -> bool:
        """Whether a root is there, under its name: so there is nobody else of that name."""
        met = found.get(self._adopted.get(root.uuid, root.uuid))
        return met is not None and met.name == root.name

    def _select(self, scope: Scope, wanted: frozenset[str]) -> dict[str, Found]:
        everything = self._everything()
        names = {root.name for root in scope.native.roots()}
        roots = {each.root_uuid for each in everything if each.uuid in wanted or each.name in names}
        return {each.uuid: each for each in everything if each.root_uuid in roots}

    def _ask_for_each(self, found: dict[str, Found], strangers: Iterable[Provider], further: Iterable[str]) -> None:
        """Add the trees of roots of the host, by UUID and by name, and those of further providers, by UUID."""
        asked: set[str] = set()

        def ask(uuid: str) -> None:
            if uuid not in found and uuid not in asked:
                asked.add(uuid)
                found.update({each.uuid: each for each in self._tree(uuid)})

        for root in strangers:
            ask(self._adopted.get(root.uuid, root.uuid))
            if not self._is_met(root, found):
                ask(root.uuid)
                namesake = self._uuid_of(root.name)
                if namesake is not None:
                    ask(namesake)
        for uuid in further:
            ask(uuid)
