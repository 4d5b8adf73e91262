"""Leases as people ask for them: bodies and answers as the reservation API words them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

from msgspec import Struct

from moorage.client.calls import Calls, path_of
from moorage.client.errors import NotFound, OnlyMoorage, Unauthorized

Content = dict[str, Any]
Query = Mapping[str, object]


class LeaseCalls:
    """What is asked about leases. OnlyMoorage, before anything is done, where that takes a Moorage.

    A Blazar reads no query: to one that is asked for a dry run it would be an order.
    """

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._is_moorage: bool | None = None

    def is_moorage(self) -> bool:
        """Whether the service is a Moorage; asked once. A Blazar has no limits of projects."""
        if self._is_moorage is None:
            self._is_moorage = self._has_limits()
        return self._is_moorage

    def list_leases(self, query: Query) -> list[Content]:
        """The leases that meet all conditions; a Blazar looks at none."""
        if query.get("deleted"):
            self._only_moorage("remembers leases that were deleted")
        return self._several("/leases", "leases", query)

    def lease(self, lease_id: str) -> Content:
        """One lease; NotFound."""
        return self._one(path_of("leases", lease_id), "lease", {})

    def create_lease(self, order: Content) -> Content:
        """A new lease."""
        if order.get("on_conflict") == "wait":
            self._only_moorage("has leases wait for room")
        return self._done("POST", "/leases", order, "lease")

    def try_lease(self, order: Content) -> Content:
        """What would become of an order."""
        return self._tried("POST", "/leases", order)

    def change_lease(self, lease_id: str, wanted: Content) -> Content:
        """The lease as it is after a change."""
        return self._done("PUT", path_of("leases", lease_id), wanted, "lease")

    def try_change(self, lease_id: str, wanted: Content) -> Content:
        """What would become of a change."""
        return self._tried("PUT", path_of("leases", lease_id), wanted)

    def delete_lease(self, lease_id: str) -> None:
        """End a lease, if it has begun, and have it gone."""
        self._calls.send("DELETE", path_of("leases", lease_id))

    def calendar(self, query: Query) -> str:
        """The leases that meet all conditions, for calendar programs."""
        with self._unless_unknown("has calendars"):
            return self._calls.send("GET", "/leases.ics", query=_pairs(query)).body.decode()

    def slots_for(self, query: Query) -> list[Content]:
        """When a request would fit."""
        with self._unless_unknown("finds free times"):
            return self._several("/slots", "slots", query)

    def availability(self, query: Query) -> list[Content]:
        """How much of a request would fit over time."""
        with self._unless_unknown("tells what is free"):
            return self._several("/availability", "availability", query)

    def usage(self, query: Query) -> Content:
        """What a project has booked."""
        with self._unless_unknown("reports what is booked"):
            return self._one("/usage", "usage", query)

    def host_allocations(self) -> list[Content]:
        """Which reservations are on which host."""
        return self._several("/os-hosts/allocations", "allocations", {})

    def _has_limits(self) -> bool:
        try:
            self._calls.read(_Limits, "/limits")
        except NotFound as error:
            # A proxy answers so, too, while the service is away; the service itself has a sentence for it.
            if not error.detail:
                raise
            return False
        except Unauthorized as error:
            # Who may not see the limits is told so only where there are some.
            if error.status != HTTPStatus.FORBIDDEN or not error.detail:
                raise
        return True

    def _only_moorage(self, what: str, more: str = "") -> None:
        if not self.is_moorage():
            raise OnlyMoorage(f"Only a Moorage {what}; this reservation service is none{more}.")

    @contextmanager
    def _unless_unknown(self, what: str) -> Iterator[None]:
        """For what nobody else has a path for: so a Moorage is not asked first whether it is one."""
        try:
            yield
        except NotFound:
            self._only_moorage(what)
            raise

    def _one(self, path: str, name: str, query: Query) -> Content:
        return self._calls.read(dict[str, Content], path, _pairs(query))[name]

    def _several(self, path: str, name: str, query: Query) -> list[Content]:
        return self._calls.read(dict[str, list[Content]], path, _pairs(query))[name]

    def _tried(self, method: str, path: str, content: Content) -> Content:
        self._only_moorage("has dry runs", ", and would do it at once")
        return self._calls.ask(Content, method, path, query=[("dry_run", "true")], content=content)

    def _done(self, method: str, path: str, content: Content, name: str) -> Content:
        return self._calls.ask(dict[str, Content], method, path, content=content)[name]


class _Limits(Struct, frozen=True):
    limits: Content


def _pairs(query: Query) -> list[tuple[str, str]]:
    return list(_told(query.items()))


def _told(items: Iterable[tuple[str, object]]) -> Iterable[tuple[str, str]]:
    """What is asked for, without what is not."""
    for name, value in items:
        if value is not None and value is not False:
            yield name, "true" if value is True else str(value)
