"""A reservation service as Blazar is: it insists on fields, reads no query of an order, and knows no paths of ours."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any
from wsgiref.types import StartResponse, WSGIEnvironment

# Without these Blazar's plugins refuse a reservation.
REQUIRED = {
    "virtual:instance": {"vcpus", "memory_mb", "disk_gb", "amount", "affinity", "resource_properties"},
    "flavor:instance": {"flavor_id", "amount", "affinity"},
    "physical:host": {"min", "max", "hypervisor_properties", "resource_properties"},
}
# What its table of leases has a column for; it stumbles over anything else.
KNOWN = {"name", "start_date", "end_date", "before_end_date", "reservations", "events"}

_Answer = tuple[HTTPStatus, dict[str, Any]]


class Blazar:
    """Keeps its leases in memory; `requests` are the methods and paths that it was asked for."""

    def __init__(self, *leases: dict[str, Any]) -> None:
        self.leases = list(leases)
        self.orders: list[dict[str, Any]] = []
        self.requests: list[tuple[str, str]] = []

    def __call__(self, environment: WSGIEnvironment, start_response: StartResponse) -> list[bytes]:
        length = int(environment.get("CONTENT_LENGTH") or 0)
        content = json.loads(environment["wsgi.input"].read(length) or b"null")
        method, path = environment["REQUEST_METHOD"], environment["PATH_INFO"]
        self.requests.append((method, path))
        status, answer = self._answer(method, path, content)
        start_response(f"{status.value} {status.phrase}", [("Content-Type", "application/json")])
        return [json.dumps(answer).encode()]

    def _answer(self, method: str, path: str, content: Any) -> _Answer:
        parts = path.strip("/").split("/")
        match method, parts:
            case "GET", ["leases"]:
                return HTTPStatus.OK, {"leases": self.leases}
            case "POST", ["leases"]:
                return self._create(content)
            case (("GET" | "PUT"), ["leases", lease_id]):
                return self._show_or_change(lease_id, content)
        # This Flask says by itself.
        return HTTPStatus.NOT_FOUND, {"error": 404, "error_message": "The requested URL was not found on the server."}

    def _create(self, order: dict[str, Any]) -> _Answer:
        if unknown := set(order) - KNOWN:
            return _error(HTTPStatus.INTERNAL_SERVER_ERROR, f"Internal Server Error: {sorted(unknown)}")
        for reservation in order["reservations"]:
            if missing := REQUIRED[reservation["resource_type"]] - set(reservation):
                return _error(HTTPStatus.BAD_REQUEST, f"Missing parameter {','.join(sorted(missing))}")
        self.orders.append(order)
        lease = {
            **lease_of(str(len(self.leases) + 1), order["name"], *order["reservations"]),
            "start_date": _shown(order["start_date"]),
            "end_date": _shown(order["end_date"]),
        }
        self.leases.append(lease)
        return HTTPStatus.CREATED, {"lease": lease}

    def _show_or_change(self, lease_id: str, wanted: dict[str, Any] | None) -> _Answer:
        for lease in self.leases:
            if lease["id"] == lease_id:
                lease |= {name: _shown(value) for name, value in (wanted or {}).items() if name.endswith("_date")}
                return HTTPStatus.OK, {"lease": lease if wanted is None else {**lease, "status": "UPDATING"}}
        return _error(HTTPStatus.NOT_FOUND, f"Object with {{'lease_id': '{lease_id}'}} not found")


def lease_of(
    lease_id: str, name: str, *kinds: dict[str, Any], status: str = "PENDING", project: str = "p"
) -> dict[str, Any]:
    """A lease as Blazar shows it, on the first of January 2030; each kind is what a reservation has of its own."""
    common = {"status": status.lower(), "missing_resources": False, "resources_changed": False}
    return {
        "id": lease_id,
        "name": name,
        "status": status,
        "project_id": project,
        "start_date": "2030-01-01T00:00:00.000000",
        "end_date": "2030-01-02T00:00:00.000000",
        "reservations": [{"id": f"r{number}", **common, **kind} for number, kind in enumerate(kinds)],
        "events": [],
    }


def _shown(date: str) -> str:
    return f"{date.replace(' ', 'T')}:00.000000"


def _error(status: HTTPStatus, message: str) -> _Answer:
    return status, {"error_code": status.value, "error_message": message, "error_name": status.value}
