"""What the service is asked for: bodies in JSON, whose form a schema has seen, as values.

What a schema cannot see is looked at here: whether the zones that a request speaks of are zones that it names, and
whether whole numbers are written as such. To JSON Schema 5.0 and 1e3 are integers; to everybody else who speaks LIQUID
they are none, and those that are large have lost their last digits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from moorage.capacity.model.demand import CapacityRequest, Demand, ResourceDemand
from moorage.capacity.protocol.errors import InvalidRequest
from moorage.capacity.protocol.zones import RESERVED

_FACTOR = "overcommitFactor"


@dataclass(frozen=True, slots=True)
class UsageRequest:
    """A request for what a project uses: all zones that the asker knows."""

    zones: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QuotaRequest:
    """New quotas of a project, by resource."""

    quotas: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CommitmentChangeRequest:
    """Changes to commitments, as far as anybody here looks at them: which resources, and as of which info."""

    zone: str
    info_version: int
    resources: frozenset[str]


def capacity_request(content: Any) -> CapacityRequest:
    """The body of POST /v1/report-capacity."""
    _check_whole_numbers(content)
    zones = _zones(content["allAZs"])
    demand = {
        name: ResourceDemand(_demand_by_zone(name, asked["perAZ"] or {}, zones), float(asked.get(_FACTOR) or 0))
        for name, asked in (content.get("demandByResource") or {}).items()
    }
    return CapacityRequest(zones, demand)


def usage_request(content: Any) -> UsageRequest:
    """The body of POST /v1/projects/{project_id}/report-usage."""
    return UsageRequest(_zones(content["allAZs"]))


def quota_request(content: Any) -> QuotaRequest:
    """The body of PUT /v1/projects/{project_id}/quota."""
    _check_whole_numbers(content)
    for name, wanted in content["resources"].items():
        # None of the resources here is az-separated.
        if wanted.get("perAZ"):
            raise InvalidRequest(
                f"Invalid input for field/attribute resources.{name}.perAZ. Value: {wanted['perAZ']}. No resource of"
                " this service has quotas by zone; give quota alone."
            )
    return QuotaRequest({name: wanted["quota"] for name, wanted in content["resources"].items()})


def commitment_change_request(content: Any) -> CommitmentChangeRequest:
    """The body of POST /v1/change-commitments."""
    _check_whole_numbers(content)
    [zone] = _zones([content["az"]], "az")
    named = (project.get("byResource") or {} for project in (content.get("byProject") or {}).values())
    resources = frozenset(name for resources in named for name in resources)
    return CommitmentChangeRequest(zone, content["infoVersion"], resources)


def _check_whole_numbers(content: Any, where: str = "") -> None:
    """Refuse all other numbers; only a factor may be one."""
    fields: Iterable[tuple[object, Any]] = ()
    if isinstance(content, dict):
        fields = content.items()
    elif isinstance(content, list):
        fields = enumerate(content)
    for name, value in fields:
        place = f"{where}{name}"
        if isinstance(value, float) and name != _FACTOR:
            raise InvalidRequest(
                f"Invalid input for field/attribute {place}. Value: {value}. A whole number is allowed, written without"
                " a fraction or an exponent."
            )
        _check_whole_numbers(value, f"{place}.")


def _zones(named: Sequence[str], where: str = "allAZs") -> tuple[str, ...]:
    for zone in named:
        if zone in RESERVED:
            raise InvalidRequest(
                f"Invalid input for field/attribute {where}. Value: {zone}. The names {', '.join(sorted(RESERVED))} are"
                " reserved by the protocol; no zone has them."
            )
    return tuple(named)


def _demand_by_zone(resource: str, demand: Mapping[str, Any], zones: Sequence[str]) -> Mapping[str, Demand]:
    for zone in demand:
        if zone not in zones:
            raise InvalidRequest(
                f"Invalid input for field/attribute demandByResource.{resource}.perAZ. Value: {zone}. The zones of this"
                f" request are those of allAZs: {', '.join(zones) or 'none'}."
            )
    return {
        zone: Demand(amounts.get("usage", 0), amounts.get("unusedCommitments", 0), amounts.get("pendingCommitments", 0))
        for zone, amounts in demand.items()
    }
