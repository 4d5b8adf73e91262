"""Leases as people ask for them: bodies and answers as the reservation API words them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from moorage.client.calls import Calls, path_of

Content = dict[str, Any]
Query = Mapping[str, object]


class LeaseCalls:
    """What is asked about leases. Dry runs, slots, availability and usage are Moorage's alone."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list_leases(self, query: Query) -> list[Content]:
        """The leases that meet all conditions."""
        return self._several("/leases", "leases", query)

    def lease(self, lease_id: str) -> Content:
        """One lease; NotFound."""
        return self._one(path_of("leases", lease_id), "lease", {})

    def create_lease(self, order: Content) -> Content:
        """A new lease."""
        return self._done("POST", "/leases", order, "lease")

    def try_lease(self, order: Content) -> Content:
        """What would become of an order."""
        return self._calls.ask(Content, "POST", "/leases", query=[("dry_run", "true")], content=order)

    def change_lease(self, lease_id: str, wanted: Content) -> Content:
        """The lease as it is after a change."""
        return self._done("PUT", path_of("leases", lease_id), wanted, "lease")

    def delete_lease(self, lease_id: str) -> None:
        """End a lease, if it has begun, and have it gone."""
        self._calls.send("DELETE", path_of("leases", lease_id))

    def calendar(self, query: Query) -> str:
        """The leases that meet all conditions, for calendar programs."""
        return self._calls.send("GET", "/leases.ics", query=_pairs(query)).body.decode()

    def slots_for(self, query: Query) -> list[Content]:
        """When a request would fit."""
        return self._several("/slots", "slots", query)

    def availability(self, query: Query) -> list[Content]:
        """How much of a request would fit over time."""
        return self._several("/availability", "availability", query)

    def usage(self, query: Query) -> Content:
        """What a project has booked."""
        return self._one("/usage", "usage", query)

    def host_allocations(self) -> list[Content]:
        """Which reservations are on which host."""
        return self._several("/os-hosts/allocations", "allocations", {})

    def _one(self, path: str, name: str, query: Query) -> Content:
        return self._calls.read(dict[str, Content], path, _pairs(query))[name]

    def _several(self, path: str, name: str, query: Query) -> list[Content]:
        return self._calls.read(dict[str, list[Content]], path, _pairs(query))[name]

    def _done(self, method: str, path: str, content: Content, name: str) -> Content:
        return self._calls.ask(dict[str, Content], method, path, content=content)[name]


def _pairs(query: Query) -> list[tuple[str, str]]:
    return list(_told(query.items()))


def _told(items: Iterable[tuple[str, object]]) -> Iterable[tuple[str, str]]:
    """What is asked for, without what is not."""
    for name, value in items:
        if value is not None and value is not False:
            yield name, "true" if value is True else str(value)
