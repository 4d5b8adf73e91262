"""Who uses what, and where more would fit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from moorage.client.calls import Calls, Pairs, path_of
from moorage.client.placement.values import Amounts, ConsumerAllocations, ProviderInventories


class AllocationCalls:
    """The part of the client that is about consumers."""

    _calls: Calls

    def allocations(self, consumer_uuid: str) -> ConsumerAllocations | None:
        """What a consumer holds; None for one that holds nothing, which Placement does not remember."""
        answer = self._calls.read(_Consumer, path_of("allocations", consumer_uuid))
        if not answer.allocations:
            return None
        return ConsumerAllocations(
            allocations={uuid: share.resources for uuid, share in answer.allocations.items()},
            project_id=answer.project_id,
            user_id=answer.user_id,
            consumer_type=answer.consumer_type,
            generation=answer.consumer_generation,
        )

    def put_allocations(self, consumer_uuid: str, wanted: ConsumerAllocations) -> None:
        """Replace all that a consumer holds; with no allocations at all, forget it."""
        self._calls.send("PUT", path_of("allocations", consumer_uuid), content=_consumer(wanted))

    def post_allocations(self, wanted: Mapping[str, ConsumerAllocations]) -> None:
        """Replace all that several consumers hold, or nothing of it."""
        content = {uuid: _consumer(allocations) for uuid, allocations in wanted.items()}
        self._calls.send("POST", "/allocations", content=content)

    def delete_allocations(self, consumer_uuid: str) -> None:
        """Take everything from a consumer; NotFound if it has nothing."""
        self._calls.send("DELETE", path_of("allocations", consumer_uuid))

    def provider_allocations(self, provider_uuid: str) -> Mapping[str, Amounts]:
        """Who holds what of a provider: amounts by consumer."""
        answer = self._calls.read(_OfProvider, path_of("resource_providers", provider_uuid, "allocations"))
        return {uuid: share.resources for uuid, share in answer.allocations.items()}

    def project_usages(
        self, project_id: str, user_id: str | None = None, consumer_type: str | None = None
    ) -> Mapping[str, Amounts]:
        """What a project uses: amounts by type of consumer; among them is the number of consumers, `consumer_count`."""
        optional = (("user_id", user_id), ("consumer_type", consumer_type))
        query = [("project_id", project_id), *((name, value) for name, value in optional if value is not None)]
        return self._calls.read(_Usages, "/usages", query).usages

    def allocation_candidates(self, query: Pairs) -> dict[str, Any]:
        """Where something would fit, as the API answers: `allocation_requests` and `provider_summaries`."""
        return self._calls.read(dict[str, Any], "/allocation_candidates", query)

    def reshape(
        self, inventories: Mapping[str, ProviderInventories], allocations: Mapping[str, ConsumerAllocations]
    ) -> None:
        """Replace inventories (by provider) together with the allocations (by consumer) on them, or nothing of it."""
        content = {
            "inventories": dict(inventories),
            "allocations": {uuid: _consumer(wanted) for uuid, wanted in allocations.items()},
        }
        self._calls.send("POST", "/reshaper", content=content)


# --- how the API words it


class _Share(Struct, frozen=True):
    resources: Amounts


class _Consumer(Struct, frozen=True):
    allocations: Mapping[str, _Share]
    project_id: str = ""
    user_id: str = ""
    consumer_type: str = ""
    consumer_generation: int | None = None


class _OfProvider(Struct, frozen=True):
    allocations: Mapping[str, _Share]


class _Usages(Struct, frozen=True):
    usages: Mapping[str, Amounts]


def _consumer(wanted: ConsumerAllocations) -> _Consumer:
    return _Consumer(
        allocations={uuid: _Share(dict(amounts)) for uuid, amounts in wanted.allocations.items()},
        project_id=wanted.project_id,
        user_id=wanted.user_id,
        consumer_type=wanted.consumer_type,
        consumer_generation=wanted.generation,
    )
