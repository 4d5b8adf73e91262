"""Random questions about a cloud: GET /allocation_candidates and GET /resource_providers with everything they take.

A question is kept as what it means, so that the reference can answer it; its spelling follows. Some questions carry an
oddity besides, a parameter whose meaning nobody should rely on: for those the two services are compared with each
other alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from urllib.parse import urlencode

from tests.differential.clouds import CLASSES, SHARING, TRAITS, UNUSED_CLASS, UNUSED_TRAIT, Cloud, random_uuid
from tests.differential.services import NEWEST, Call

UNKNOWN_CLASS = "CUSTOM_UNHEARD_OF"
UNKNOWN_TRAIT = "CUSTOM_UNSEEN"

Parameter = tuple[str, str]


@dataclass(frozen=True)
class Conditions:
    """What providers must be like. Items of the tuples must all be met, members of an inner set are alternatives."""

    required: tuple[frozenset[str], ...] = ()
    forbidden: frozenset[str] = frozenset()
    member_of: tuple[frozenset[str], ...] = ()
    not_member_of: frozenset[str] = frozenset()
    in_tree: str | None = None

    @property
    def trait_names(self) -> frozenset[str]:
        return self.forbidden.union(*self.required)

    def parameters(self, suffix: str = "") -> list[Parameter]:
        plain = [trait for any_of in self.required if len(any_of) == 1 for trait in any_of]
        plain += [f"!{trait}" for trait in sorted(self.forbidden)]
        result = [(f"required{suffix}", ",".join(plain))] if plain else []
        result += [(f"required{suffix}", _any_of(any_of)) for any_of in self.required if len(any_of) > 1]
        result += [(f"member_of{suffix}", _any_of(any_of)) for any_of in self.member_of]
        if self.not_member_of:
            result.append((f"member_of{suffix}", f"!{_any_of(self.not_member_of)}"))
        if self.in_tree:
            result.append((f"in_tree{suffix}", self.in_tree))
        return result

    def simpler(self) -> Iterator[Conditions]:
        for index in range(len(self.required)):
            yield replace(self, required=self.required[:index] + self.required[index + 1 :])
        for index in range(len(self.member_of)):
            yield replace(self, member_of=self.member_of[:index] + self.member_of[index + 1 :])
        if self.forbidden:
            yield replace(self, forbidden=frozenset())
        if self.not_member_of:
            yield replace(self, not_member_of=frozenset())
        if self.in_tree:
            yield replace(self, in_tree=None)


@dataclass(frozen=True)
class Group:
    suffix: str
    resources: Mapping[str, int]
    conditions: Conditions = Conditions()

    def parameters(self) -> list[Parameter]:
        result = [(f"resources{self.suffix}", _resources(self.resources))] if self.resources else []
        return result + self.conditions.parameters(self.suffix)

    def simpler(self) -> Iterator[Group]:
        for name in self.resources:
            yield replace(self, resources={key: value for key, value in self.resources.items() if key != name})
        for conditions in self.conditions.simpler():
            yield replace(self, conditions=conditions)


@dataclass(frozen=True)
class CandidateQuery:
    minor: int
    groups: tuple[Group, ...]
    group_policy: str | None = None
    limit: int | None = None
    root_required: frozenset[str] = frozenset()
    root_forbidden: frozenset[str] = frozenset()
    same_subtrees: tuple[tuple[str, ...], ...] = ()
    oddity: Parameter | None = None

    @property
    def means_what_it_says(self) -> bool:
        """Whether a valid answer can only mean what the fields say. Until 1.38 the last of several required counts."""
        any_of = any(len(traits) > 1 for group in self.groups for traits in group.conditions.required)
        return self.oddity is None and (self.minor >= 39 or not any_of)

    @property
    def trait_names(self) -> frozenset[str]:
        return self.root_required.union(self.root_forbidden, *(group.conditions.trait_names for group in self.groups))

    @property
    def class_names(self) -> frozenset[str]:
        return frozenset(name for group in self.groups for name in group.resources)

    def call(self) -> Call:
        return Call("GET", f"/allocation_candidates?{urlencode(self.parameters())}", self.minor)

    def parameters(self) -> list[Parameter]:
        result = [parameter for group in self.groups for parameter in group.parameters()]
        if self.group_policy:
            result.append(("group_policy", self.group_policy))
        if self.limit is not None:
            result.append(("limit", str(self.limit)))
        root = [*sorted(self.root_required), *(f"!{trait}" for trait in sorted(self.root_forbidden))]
        if root:
            result.append(("root_required", ",".join(root)))
        result += [("same_subtree", ",".join(suffixes)) for suffixes in self.same_subtrees]
        return result + ([self.oddity] if self.oddity else [])

    def simpler(self) -> Iterator[CandidateQuery]:
        """The question without one of its parts."""
        for index, group in enumerate(self.groups):
            before, after = self.groups[:index], self.groups[index + 1 :]
            yield replace(
                self,
                groups=before + after,
                same_subtrees=tuple(item for item in self.same_subtrees if group.suffix not in item),
            )
            for smaller in group.simpler():
                yield replace(self, groups=(*before, smaller, *after))
        for index in range(len(self.same_subtrees)):
            yield replace(self, same_subtrees=self.same_subtrees[:index] + self.same_subtrees[index + 1 :])
        if self.root_required or self.root_forbidden:
            yield replace(self, root_required=frozenset(), root_forbidden=frozenset())
        if self.limit is not None:
            yield replace(self, limit=None)
        if self.group_policy:
            yield replace(self, group_policy=None)


@dataclass(frozen=True)
class ProviderQuery:
    minor: int
    resources: Mapping[str, int] = field(default_factory=dict)
    conditions: Conditions = Conditions()
    name: str | None = None
    uuid: str | None = None
    oddity: Parameter | None = None

    @property
    def means_what_it_says(self) -> bool:
        """As for candidates."""
        any_of = any(len(traits) > 1 for traits in self.conditions.required)
        return self.oddity is None and (self.minor >= 39 or not any_of)

    @property
    def trait_names(self) -> frozenset[str]:
        return self.conditions.trait_names

    @property
    def class_names(self) -> frozenset[str]:
        return frozenset(self.resources)

    def call(self) -> Call:
        parameters = self.parameters()
        return Call("GET", "/resource_providers" + (f"?{urlencode(parameters)}" if parameters else ""), self.minor)

    def parameters(self) -> list[Parameter]:
        result = [("resources", _resources(self.resources))] if self.resources else []
        result += self.conditions.parameters()
        if self.name is not None:
            result.append(("name", self.name))
        if self.uuid is not None:
            result.append(("uuid", self.uuid))
        return result + ([self.oddity] if self.oddity else [])

    def simpler(self) -> Iterator[ProviderQuery]:
        """The question without one of its parts."""
        for name in self.resources:
            yield replace(self, resources={key: value for key, value in self.resources.items() if key != name})
        for conditions in self.conditions.simpler():
            yield replace(self, conditions=conditions)
        if self.name is not None:
            yield replace(self, name=None)
        if self.uuid is not None:
            yield replace(self, uuid=None)


Query = CandidateQuery | ProviderQuery


def _any_of(names: frozenset[str]) -> str:
    return f"in:{','.join(sorted(names))}" if len(names) > 1 else "".join(names)


def _resources(resources: Mapping[str, int]) -> str:
    return ",".join(f"{name}:{amount}" for name, amount in resources.items())


# --- making them up


def random_candidate_query(rng: Random, cloud: Cloud) -> CandidateQuery:
    return _Author(rng, cloud).candidates()


def random_provider_query(rng: Random, cloud: Cloud) -> ProviderQuery:
    return _Author(rng, cloud).providers()


class _Author:
    """Asks about things that one of the trees has, mostly, and uses what the version has, mostly."""

    def __init__(self, rng: Random, cloud: Cloud) -> None:
        self._rng = rng
        self._cloud = cloud
        self._minor = NEWEST
        root = cloud.roots[rng.choice(cloud.providers).uuid]
        near = [provider for provider in cloud.providers if provider.shares or cloud.roots[provider.uuid] == root]
        if rng.random() < 0.2:
            near = list(cloud.providers)
        self._classes = sorted({name for provider in near for name in provider.inventories}) or list(CLASSES)
        self._traits = sorted({trait for provider in near for trait in provider.traits} - {SHARING}) or TRAITS
        self._aggregates = sorted({uuid for provider in near for uuid in provider.aggregates}) or cloud.aggregates

    def candidates(self) -> CandidateQuery:
        rng = self._rng
        self._minor = rng.choice((39, 39, 39, 36, rng.randint(10, NEWEST)))
        groups = [self._group("")] if rng.random() < 0.6 or not self._has(25) else []
        suffixes: list[str] = []
        if self._has(25):
            names = ("1", "2", "3", "_NUMA", "_a-B", "42") if self._has(33) else ("1", "2", "3", "10")
            suffixes = rng.sample(names, rng.choice((0, 1, 1, 2, 2, 3) if groups else (1, 1, 2, 2, 3)))
        groups += [self._group(suffix) for suffix in suffixes]
        rng.shuffle(groups)
        policy = rng.choice(("none", "isolate")) if len(suffixes) > 1 or rng.random() < 0.2 else None
        if len(suffixes) > 1 and rng.random() < 0.02:
            policy = None
        return CandidateQuery(
            self._minor,
            tuple(groups),
            group_policy=policy if self._has(25) else None,
            limit=rng.choice((1, 2, 3, 5, 10, 1000)) if rng.random() < 0.25 and self._has(16) else None,
            root_required=self._few_traits(0.1) if self._has(35) else frozenset(),
            root_forbidden=self._few_traits(0.1) if self._has(35) else frozenset(),
            same_subtrees=self._same_subtrees(groups, suffixes),
            oddity=self._oddity(_CANDIDATE_ODDITIES),
        )

    def providers(self) -> ProviderQuery:
        rng = self._rng
        self._minor = rng.choice((39, 39, rng.randint(0, NEWEST), rng.randint(0, NEWEST)))
        anybody = rng.choice(self._cloud.providers)
        stranger = rng.random() < 0.1
        return ProviderQuery(
            self._minor,
            resources=self._resources((0, 0, 1, 2)) if self._has(4) else {},
            conditions=self._conditions(member_of=3, required=18, in_tree=14),
            name=("nobody" if stranger else anybody.name) if rng.random() < 0.1 else None,
            uuid=(random_uuid(rng) if stranger else anybody.uuid) if rng.random() < 0.1 else None,
            oddity=self._oddity(_PROVIDER_ODDITIES),
        )

    def _has(self, since: int) -> bool:
        """Whether to use something that exists since a version: if it does, and seldom although it does not."""
        return self._minor >= since or self._rng.random() < 0.005

    def _group(self, suffix: str) -> Group:
        counts = (0, 1, 1, 1, 2) if suffix and self._has(36) else (1, 1, 2, 2, 3) if not suffix else (1, 1, 1, 2)
        resources = self._resources(counts)
        conditions = self._conditions(member_of=21, required=17, in_tree=31)
        if not resources and conditions == Conditions():
            conditions = Conditions(required=(frozenset({self._rng.choice(TRAITS)}),))
        return Group(suffix, resources, conditions)

    def _resources(self, counts: Sequence[int]) -> dict[str, int]:
        rng = self._rng
        names = rng.sample(self._classes, min(rng.choice(counts), len(self._classes)))
        if names and rng.random() < 0.03:
            names[-1] = rng.choice((UNKNOWN_CLASS, UNUSED_CLASS, rng.choice(CLASSES)))
        amounts = (1, 1, 1, 1, 2, 2, 3, 4, 8, 100 if rng.random() < 0.1 else 1, 2**70 if rng.random() < 0.01 else 1)
        return {name: rng.choice(amounts) for name in names}

    def _conditions(self, *, member_of: int, required: int, in_tree: int) -> Conditions:
        rng = self._rng
        wanted: list[frozenset[str]] = []
        forbidden: frozenset[str] = frozenset()
        if self._has(required) and rng.random() < 0.45:
            wanted = [frozenset({self._trait()}) for _ in range(rng.choice((0, 1, 1, 2)))]
            if self._has(39) and rng.random() < 0.4:
                wanted.append(frozenset(self._trait() for _ in range(rng.choice((2, 3)))))
            if self._has(22) and rng.random() < 0.4:
                forbidden = frozenset(self._trait() for _ in range(rng.choice((1, 1, 2))))
                if rng.random() < 0.95:
                    forbidden -= frozenset().union(*wanted)
        members: list[frozenset[str]] = []
        strangers: frozenset[str] = frozenset()
        if self._has(member_of) and rng.random() < 0.35:
            times = rng.choice((0, 1, 1, 2)) if self._has(24) else 1
            members = [self._few_aggregates() for _ in range(times)]
            if self._has(32) and rng.random() < 0.4:
                strangers = self._few_aggregates()
        tree: str | None = None
        if self._has(in_tree) and rng.random() < 0.15:
            tree = rng.choice(self._cloud.providers).uuid if rng.random() < 0.95 else random_uuid(rng)
        return Conditions(tuple(wanted), forbidden, tuple(members), strangers, tree)

    def _trait(self) -> str:
        rng = self._rng
        if rng.random() < 0.06:
            return rng.choice((SHARING, UNUSED_TRAIT, UNKNOWN_TRAIT))
        return rng.choice(TRAITS if rng.random() < 0.3 else self._traits)

    def _few_traits(self, likely: float) -> frozenset[str]:
        return frozenset({self._trait()}) if self._rng.random() < likely else frozenset()

    def _few_aggregates(self) -> frozenset[str]:
        rng = self._rng
        likely = self._cloud.aggregates if rng.random() < 0.3 else self._aggregates
        known = rng.sample(likely, min(rng.choice((1, 1, 2)), len(likely)))
        return frozenset([*known[:-1], random_uuid(rng)] if rng.random() < 0.05 else known)

    def _same_subtrees(self, groups: Sequence[Group], suffixes: Sequence[str]) -> tuple[tuple[str, ...], ...]:
        """Groups without resources must be named in one, so they usually are."""
        rng = self._rng
        if not self._has(36) or not suffixes:
            return ()
        without = [group.suffix for group in groups if not group.resources]
        result = []
        if (without and rng.random() < 0.97) or (len(suffixes) > 1 and rng.random() < 0.4):
            others = [suffix for suffix in suffixes if suffix not in without]
            result.append((*without, *rng.sample(others, rng.randint(1 if others else 0, len(others)))))
        if rng.random() < 0.05:
            result.append(tuple(rng.sample(suffixes, rng.randint(1, len(suffixes)))))
        return tuple(result)

    def _oddity(self, kinds: Sequence[Parameter]) -> Parameter | None:
        rng = self._rng
        if rng.random() >= 0.06:
            return None
        key, value = rng.choice(kinds)
        aggregate, other = (rng.choice(self._cloud.aggregates) for _ in range(2))
        return key, value.format(aggregate=aggregate, other=other, shouted=aggregate.upper())


_COMMON_ODDITIES: tuple[Parameter, ...] = (
    *(("resources", value) for value in ("", " ", "VCPU", "VCPU:0", "VCPU:-1", "VCPU:1:2", "VCPU:x", ":1", "VCPU:1,")),
    *(("resources", value) for value in ("VCPU:1,VCPU:2", "VCPU: 1", "VCPU:1_0", "VCPU:1.0", "VCPU:+1", "vcpu:1")),
    *(("resources", value) for value in (" VCPU:1", "VCPU:١", f"VCPU:{2**31}")),
    *(
        ("required", value)
        for value in ("", " ", "!", "!!", ",", "in:", "in:,", "!in:HW_CPU_X86_AVX2", "hw_cpu_x86_avx2")
    ),
    *(
        ("required", value)
        for value in ("HW_CPU_X86_AVX2,", "in:!HW_CPU_X86_AVX2", " HW_CPU_X86_AVX2", "!!CUSTOM_GOLD")
    ),
    *(("required", value) for value in ("CUSTOM_GOLD,!CUSTOM_GOLD", "in:CUSTOM_GOLD", "CUSTOM_GOLD,CUSTOM_GOLD", "Ü")),
    *(("member_of", value) for value in ("", "x", "in:", "in:x", "!", "!in:", "{aggregate},{other}", "in:{aggregate}")),
    *(
        ("member_of", value)
        for value in ("!{aggregate}", "!in:{aggregate},{other}", "in:!{aggregate}", "!!{aggregate}")
    ),
    *(("member_of", value) for value in ("{aggregate}", "in:{aggregate},", " {aggregate}", "in:{aggregate}, {other}")),
    *(("in_tree", value) for value in ("", "x", "{aggregate}", " {aggregate} ", "in:{aggregate}")),
    *(("nonsense", "1"), ("Resources", "VCPU:1"), ("", "1"), ("limit", ""), ("", "")),
)
_PROVIDER_ODDITIES: tuple[Parameter, ...] = (
    *_COMMON_ODDITIES,
    *(("uuid", value) for value in ("", "x", "{shouted}", "{aggregate}")),
    *(("name", value) for value in ("", " ", "x" * 300, "Ü", "provider-0")),
    *(("limit", "1"), ("resources1", "VCPU:1"), ("required1", "CUSTOM_GOLD"), ("root_required", "CUSTOM_GOLD")),
)
_CANDIDATE_ODDITIES: tuple[Parameter, ...] = (
    *_COMMON_ODDITIES,
    *(("limit", value) for value in ("0", "-1", "1.5", "01", " 1", "x", "1", "2", "9" * 30, "1_0", "١")),
    *(("group_policy", value) for value in ("", "maybe", "None", "none", "isolate", "isolate,none")),
    *(("root_required", value) for value in ("", "!", "CUSTOM_GOLD", "CUSTOM_GOLD,!CUSTOM_GOLD", "in:CUSTOM_GOLD")),
    *(("root_required", value) for value in ("!!CUSTOM_GOLD", "!CUSTOM_GOLD", "CUSTOM_GOLD,,", "Ü", "CUSTOM_UNSEEN")),
    *(("same_subtree", value) for value in ("", ",", "1,", "1", "1,2", "1,1", "_NUMA", " 1 , 2 ", "9", "*")),
    *(
        (f"resources{suffix}", "VCPU:1")
        for suffix in ("0", "01", "1", "1a", "_", "-", "!", "A" * 64, "A" * 65, " ", "ä")
    ),
    *((f"required{suffix}", "CUSTOM_GOLD") for suffix in ("1", "9", "_b")),
    *((f"member_of{suffix}", "{aggregate}") for suffix in ("1", "9", "_b")),
    *((f"in_tree{suffix}", "{aggregate}") for suffix in ("1", "9", "_b")),
    *(("uuid", "{aggregate}"), ("name", "provider-0")),
)
