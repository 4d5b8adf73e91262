"""Random clouds: what providers there are, what they have and who uses it, and the requests that write it all down.

A cloud is a plain description, so that what is right can be worked out from it without either service. Numbers and
vocabularies are small on purpose: things must fit by a hair, fail by a hair, and meet each other often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from uuid import UUID

from tests.differential.services import Call

SHARING = "MISC_SHARES_VIA_AGGREGATE"
CLASSES = ("VCPU", "MEMORY_MB", "DISK_GB", "SRIOV_NET_VF", "VGPU", "IPV4_ADDRESS", "CUSTOM_FPGA")
UNUSED_CLASS = "CUSTOM_NOBODY_HAS_IT"
TRAITS = ("HW_CPU_X86_AVX2", "HW_CPU_X86_VMX", "STORAGE_DISK_SSD", "CUSTOM_GOLD", "CUSTOM_PHYSNET_A")
UNUSED_TRAIT = "CUSTOM_NOBODY_IS_IT"


@dataclass(frozen=True)
class Inventory:
    total: int
    reserved: int = 0
    min_unit: int = 1
    max_unit: int = 100
    step_size: int = 1
    allocation_ratio: float = 1.0

    @property
    def capacity(self) -> int:
        return int((self.total - self.reserved) * self.allocation_ratio)

    def accepts(self, amount: int) -> bool:
        """Whether an amount has a size that may be taken at once."""
        return self.min_unit <= amount <= self.max_unit and amount % self.step_size == 0


@dataclass(frozen=True)
class Provider:
    uuid: str
    name: str
    parent: str | None
    inventories: Mapping[str, Inventory]
    traits: frozenset[str] = frozenset()
    aggregates: frozenset[str] = frozenset()

    @property
    def shares(self) -> bool:
        return SHARING in self.traits


@dataclass(frozen=True)
class Allocation:
    consumer: str
    provider: str
    resources: Mapping[str, int]


@dataclass(frozen=True)
class Cloud:
    """Parents stand before their children."""

    providers: tuple[Provider, ...]
    allocations: tuple[Allocation, ...] = ()
    aggregates: tuple[str, ...] = ()

    @cached_property
    def by_uuid(self) -> dict[str, Provider]:
        return {provider.uuid: provider for provider in self.providers}

    @cached_property
    def roots(self) -> dict[str, str]:
        """The root of each provider's tree."""
        roots: dict[str, str] = {}
        for provider in self.providers:
            roots[provider.uuid] = roots[provider.parent] if provider.parent else provider.uuid
        return roots

    @cached_property
    def used(self) -> Counter[tuple[str, str]]:
        """How much is used, by provider and class."""
        used: Counter[tuple[str, str]] = Counter()
        for allocation in self.allocations:
            for name, amount in allocation.resources.items():
                used[allocation.provider, name] += amount
        return used

    def tree(self, root: str) -> list[Provider]:
        return [provider for provider in self.providers if self.roots[provider.uuid] == root]

    def simpler(self) -> Iterator[Cloud]:
        """The cloud without one of its parts, large parts first."""
        for provider in reversed(self.providers):
            if not any(other.parent == provider.uuid for other in self.providers):
                yield Cloud(
                    tuple(other for other in self.providers if other != provider),
                    tuple(item for item in self.allocations if item.provider != provider.uuid),
                    self.aggregates,
                )
        for index in range(len(self.allocations)):
            yield replace(self, allocations=self.allocations[:index] + self.allocations[index + 1 :])
        for index, provider in enumerate(self.providers):
            for smaller in _simpler_provider(provider):
                if all(
                    (provider.uuid, name) not in self.used for name in provider.inventories.keys() - smaller.inventories
                ):
                    yield replace(self, providers=(*self.providers[:index], smaller, *self.providers[index + 1 :]))


def _simpler_provider(provider: Provider) -> Iterator[Provider]:
    for name, inventory in provider.inventories.items():
        others = {key: value for key, value in provider.inventories.items() if key != name}
        yield replace(provider, inventories=others)
        if inventory != (plain := Inventory(inventory.capacity)):
            yield replace(provider, inventories={**others, name: plain})
    for trait in sorted(provider.traits):
        yield replace(provider, traits=provider.traits - {trait})
    for aggregate in sorted(provider.aggregates):
        yield replace(provider, aggregates=provider.aggregates - {aggregate})


# --- writing it down


def calls(cloud: Cloud) -> list[Call]:
    """The requests that make the cloud out of nothing."""
    result = [
        Call("PUT", f"/resource_classes/{name}") for name in (*CLASSES, UNUSED_CLASS) if name.startswith("CUSTOM_")
    ]
    result += [Call("PUT", f"/traits/{name}") for name in (*TRAITS, UNUSED_TRAIT) if name.startswith("CUSTOM_")]
    generations: Counter[str] = Counter()
    late: list[str] = []
    for provider in cloud.providers:
        body = {"uuid": provider.uuid, "name": provider.name, "parent_provider_uuid": provider.parent}
        result.append(Call("POST", "/resource_providers", body=body))
        if not _fits(cloud, provider):
            # More is used than there is (since): that much must be there while it is taken.
            late.append(provider.uuid)
            ample = {name: Inventory(10_000, max_unit=10_000) for name in provider.inventories}
            result.append(_inventories(replace(provider, inventories=ample), generations))
        elif provider.inventories:
            result.append(_inventories(provider, generations))
        path = f"/resource_providers/{provider.uuid}"
        for kind, members in (("traits", provider.traits), ("aggregates", provider.aggregates)):
            if members:
                content = {kind: sorted(members), "resource_provider_generation": generations[provider.uuid]}
                result.append(Call("PUT", f"{path}/{kind}", body=content))
                generations[provider.uuid] += 1
    for allocation in cloud.allocations:
        result.append(_allocation(allocation))
        generations[allocation.provider] += 1
    return result + [_inventories(cloud.by_uuid[uuid], generations) for uuid in late]


def _fits(cloud: Cloud, provider: Provider) -> bool:
    taken = [item.resources for item in cloud.allocations if item.provider == provider.uuid]
    return all(
        cloud.used[provider.uuid, name] <= inventory.capacity
        and all(inventory.accepts(resources[name]) for resources in taken if name in resources)
        for name, inventory in provider.inventories.items()
    )


def _inventories(provider: Provider, generations: Counter[str]) -> Call:
    content = {name: vars(inventory) for name, inventory in provider.inventories.items()}
    body = {"inventories": content, "resource_provider_generation": generations[provider.uuid]}
    generations[provider.uuid] += 1
    return Call("PUT", f"/resource_providers/{provider.uuid}/inventories", body=body)


def _allocation(allocation: Allocation) -> Call:
    body = {
        "allocations": {allocation.provider: {"resources": dict(allocation.resources)}},
        "consumer_generation": None,
        "consumer_type": "INSTANCE",
        "project_id": "project",
        "user_id": "user",
    }
    return Call("PUT", f"/allocations/{allocation.consumer}", body=body)


# --- making it up


def random_uuid(rng: Random) -> str:
    return str(UUID(int=rng.getrandbits(128), version=4))


def random_cloud(rng: Random, largest: int = 40) -> Cloud:
    """A cloud of up to so many providers; most are small, because small ones show a difference just as well."""
    return _Draft(rng, min(largest, rng.choice((1, 2, 4, 6, 6, 8, 8, 10, 12, 16, 40)))).cloud()


class _Draft:
    """A cloud while it grows."""

    def __init__(self, rng: Random, size: int) -> None:
        self._rng = rng
        self._size = size
        self._providers: list[Provider] = []
        self._aggregates = tuple(random_uuid(rng) for _ in range(rng.choice((1, 2, 3, 4))))
        # Whether ordinary providers, and not storage alone, may happen to share.
        self._odd_sharing = rng.random() < 0.25
        self._flat = rng.random() < 0.25
        self._no_sharing = rng.random() < 0.35

    def cloud(self) -> Cloud:
        trees = [self._host, self._numa_host, self._network_host, self._gpu_host, self._deep_host, self._empty]
        pools = [self._storage, self._storage, self._addresses]
        kinds = [self._host, self._host, self._empty] if self._flat else trees
        while len(self._providers) < self._size:
            self._rng.choice(kinds if self._no_sharing or self._rng.random() < 0.7 else pools)()
        providers = tuple(self._providers[: self._size])
        return Cloud(providers, tuple(self._allocations(providers)), self._aggregates)

    # --- kinds of trees

    def _host(self) -> None:
        self._add(None, self._some("VCPU", "MEMORY_MB", "DISK_GB"))

    def _empty(self) -> None:
        self._add(None, ())

    def _numa_host(self) -> None:
        root = self._add(None, self._some("DISK_GB"))
        for _ in range(self._rng.choice((1, 2, 2, 3))):
            self._add(root, self._some("VCPU", "MEMORY_MB"))

    def _network_host(self) -> None:
        root = self._add(None, self._some("VCPU", "MEMORY_MB", "DISK_GB"))
        agent = self._add(root, ())
        for _ in range(self._rng.choice((1, 2, 2))):
            self._add(agent, ("SRIOV_NET_VF",))

    def _gpu_host(self) -> None:
        root = self._add(None, self._some("VCPU", "MEMORY_MB"))
        for _ in range(self._rng.choice((1, 2, 3))):
            self._add(root, self._some("VGPU", "CUSTOM_FPGA"))

    def _deep_host(self) -> None:
        root = self._add(None, self._some("MEMORY_MB", "DISK_GB"))
        for _ in range(self._rng.choice((1, 2))):
            node = self._add(root, self._some("VCPU", "MEMORY_MB"))
            for _ in range(self._rng.choice((0, 1, 2))):
                card = self._add(node, self._some("SRIOV_NET_VF", "CUSTOM_FPGA"))
                for _ in range(self._rng.choice((0, 1))):
                    self._add(card, self._some("SRIOV_NET_VF", "VGPU"))

    def _storage(self) -> None:
        root = self._add(None, self._some("DISK_GB", "CUSTOM_FPGA"), shares=True)
        if self._odd_sharing and self._rng.random() < 0.4:
            self._add(root, ("DISK_GB",), shares=self._rng.random() < 0.5)

    def _addresses(self) -> None:
        self._add(None, self._some("IPV4_ADDRESS", "DISK_GB"), shares=True)

    # --- the parts

    def _some(self, *names: str) -> tuple[str, ...]:
        return tuple(name for name in names if self._rng.random() < 0.8)

    def _add(self, parent: str | None, classes: tuple[str, ...], *, shares: bool = False) -> str:
        rng = self._rng
        shares = shares or (self._odd_sharing and rng.random() < 0.1)
        traits = {trait for trait in TRAITS if rng.random() < 0.3} | ({SHARING} if shares else set())
        likely = 0.6 if shares else 0.35 if parent is None else 0.15
        provider = Provider(
            random_uuid(rng),
            f"provider-{len(self._providers)}",
            parent,
            {name: self._inventory() for name in classes},
            frozenset(traits),
            frozenset(aggregate for aggregate in self._aggregates if rng.random() < likely),
        )
        # A tree may outgrow the size; then its last providers are cut off, which never are parents of others.
        self._providers.append(provider)
        return provider.uuid

    def _inventory(self) -> Inventory:
        rng = self._rng
        if rng.random() < 0.5:
            return Inventory(rng.choice((1, 2, 4, 8)))
        total = rng.choice((2, 3, 4, 8, 10))
        min_unit = rng.choice((1, 1, 1, 2))
        return Inventory(
            total,
            reserved=rng.choice((0, 0, 1, total)),
            min_unit=min_unit,
            max_unit=rng.choice((min_unit, 2, 4, 100)),
            step_size=rng.choice((1, 1, 2, 3)),
            allocation_ratio=rng.choice((1.0, 1.5, 0.7, 16.0, 1.0)),
        )

    def _allocations(self, providers: tuple[Provider, ...]) -> Iterator[Allocation]:
        rng = self._rng
        for provider in providers:
            for _ in range(rng.choice((0, 0, 0, 1, 2))):
                resources = {
                    name: rng.choice((1, 1, 2, 3, 6))
                    for name, inventory in provider.inventories.items()
                    if rng.random() < 0.6 and inventory.capacity > 0
                }
                # What has no room is usually left away, and sometimes makes the provider over-full.
                if rng.random() < 0.9:
                    resources = {
                        name: amount
                        for name, amount in resources.items()
                        if provider.inventories[name].accepts(amount)
                        and amount * 2 <= provider.inventories[name].capacity
                    }
                if resources:
                    yield Allocation(random_uuid(rng), provider.uuid, resources)
