"""What a receiver of LIQUID's answers refuses, as their JSON comes in.

Written from the description of the protocol alone, with nothing of Moorage's: that what Moorage says passes its own
validation before it is sent, shows nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

NAME = re.compile(r"^[a-zA-Z][a-zA-Z0-9._-]*$")
TOPOLOGIES = {"flat", "az-aware", "az-separated"}

INFO_FIELDS = {
    "version", "displayName", "categories", "resources", "rates", "capacityMetricFamilies", "usageMetricFamilies",
    "usageReportNeedsProjectMetadata", "quotaUpdateNeedsProjectMetadata", "commitmentHandlingNeedsProjectMetadata",
}  # fmt: skip
RESOURCE_FIELDS = {
    "displayName", "categoryName", "unit", "topology", "hasCapacity", "needsResourceDemand", "hasQuota",
    "handlesCommitments", "attributes",
}  # fmt: skip
FAMILY_FIELDS = {"type", "help", "labelKeys"}

Json = Mapping[str, Any]


def wrong_with_info(info: Json) -> list[str]:
    """Why an answer to `GET /v1/info` is refused."""
    return list(_info(info))


def wrong_with_capacity(report: Json, zones: Collection[str], info: Json) -> list[str]:
    """Why an answer to `POST /v1/report-capacity` is refused."""
    return list(_capacity(report, set(zones), info))


def wrong_with_usage(report: Json, zones: Collection[str], info: Json) -> list[str]:
    """Why an answer to `POST /v1/projects/…/report-usage` is refused."""
    return list(_usage(report, set(zones), info))


def _info(info: Json) -> Iterator[str]:
    yield from _fields("info", info, INFO_FIELDS, {"version", "resources", "rates"})
    if not _is_number(info.get("version")):
        yield f"info: version {info.get('version')!r}"
    resources, categories = info.get("resources") or {}, info.get("categories") or {}
    for name, resource in resources.items():
        yield from _declared(name, resource)
    used = {resource["categoryName"] for resource in resources.values() if "categoryName" in resource}
    if used != set(categories):
        yield f"info: categories {sorted(categories)}, used {sorted(used)}"
    for name, category in categories.items():
        if not category.get("displayName"):
            yield f"info: category {name}: no display name"
    for kind in ("capacityMetricFamilies", "usageMetricFamilies"):
        for name, family in (info.get(kind) or {}).items():
            yield from _fields(f"info: {name}", family, FAMILY_FIELDS, FAMILY_FIELDS)


def _declared(name: str, resource: Json) -> Iterator[str]:
    where = f"info: {name}"
    flags = {"hasCapacity", "needsResourceDemand", "hasQuota"}
    yield from _fields(where, resource, RESOURCE_FIELDS, {"displayName", "topology", *flags})
    yield from (f"{where}: {flag} is none" for flag in flags if not isinstance(resource.get(flag), bool))
    if not NAME.match(name):
        yield f"{where}: no name"
    if not resource.get("displayName"):
        yield f"{where}: no display name"
    if resource.get("topology") not in TOPOLOGIES:
        yield f"{where}: topology {resource.get('topology')!r}"


def _capacity(report: Json, zones: set[str], info: Json) -> Iterator[str]:
    yield from _fields("report", report, {"infoVersion", "resources", "metrics"}, {"infoVersion", "resources"})
    declared = info["resources"]
    yield from _resources(report, info, {name for name, resource in declared.items() if resource["hasCapacity"]})
    for name, resource in _known(report, info):
        yield from _fields(name, resource, {"perAZ"}, {"perAZ"})
        yield from _zones(name, resource, declared[name]["topology"], zones)
        for zone, there in resource["perAZ"].items():
            where = f"{name} in {zone}"
            yield from _fields(where, there, {"capacity", "usage", "subcapacities"}, {"capacity"})
            yield from _amounts(where, there, "capacity", "usage")
            for part in there.get("subcapacities") or []:
                yield from _fields(where, part, {"id", "name", "capacity", "usage", "attributes"}, {"capacity"})
                yield from _amounts(where, part, "capacity", "usage")
    yield from _metrics(report, info.get("capacityMetricFamilies"))


def _usage(report: Json, zones: set[str], info: Json) -> Iterator[str]:
    fields = {"infoVersion", "resources", "rates", "metrics", "serializedState"}
    yield from _fields("report", report, fields, {"infoVersion", "resources"})
    declared = info["resources"]
    yield from _resources(report, info, set(declared))
    if set(report.get("rates") or {}) != set(info.get("rates") or {}):
        yield f"rates {sorted(report.get('rates') or {})}"
    for name, resource in _known(report, info):
        yield from _fields(name, resource, {"forbidden", "quota", "perAZ"}, {"forbidden", "perAZ"})
        if not isinstance(resource.get("forbidden"), bool):
            yield f"{name}: forbidden {resource.get('forbidden')!r}"
        topology = declared[name]["topology"]
        by_zone = topology == "az-separated"
        yield from _zones(name, resource, topology, zones)
        yield from _quota(name, resource, wanted=declared[name]["hasQuota"] and not by_zone)
        for zone, there in resource["perAZ"].items():
            where = f"{name} in {zone}"
            yield from _fields(where, there, {"usage", "physicalUsage", "quota", "subresources"}, {"usage"})
            yield from _amounts(where, there, "usage", "physicalUsage")
            yield from _quota(where, there, wanted=declared[name]["hasQuota"] and by_zone and zone in zones)
            for part in there.get("subresources") or []:
                yield from _fields(where, part, {"id", "name", "usage", "attributes"}, set())
    yield from _metrics(report, info.get("usageMetricFamilies"))


def _resources(report: Json, info: Json, wanted: set[str]) -> Iterator[str]:
    if report.get("infoVersion") != info["version"]:
        yield f"infoVersion {report.get('infoVersion')}, not {info['version']}"
    there = set(report.get("resources") or {})
    yield from (f"{name}: missing" for name in sorted(wanted - there))
    yield from (f"{name}: not declared so" for name in sorted(there - wanted))


def _known(report: Json, info: Json) -> Iterator[tuple[str, Any]]:
    return ((name, part) for name, part in (report.get("resources") or {}).items() if name in info["resources"])


def _zones(name: str, resource: Json, topology: str, zones: set[str]) -> Iterator[str]:
    there = set(resource["perAZ"])
    good = there == {"any"} if topology == "flat" else zones <= there <= zones | {"unknown"}
    if not good:
        yield f"{name}: {topology}, in {sorted(there)}"


def _quota(where: str, part: Json, *, wanted: bool) -> Iterator[str]:
    if wanted != _is_number(part.get("quota")) or (not wanted and "quota" in part):
        yield f"{where}: quota {part.get('quota')!r}"


def _metrics(report: Json, families: Json | None) -> Iterator[str]:
    metrics = report.get("metrics") or {}
    if set(metrics) != set(families or {}):
        yield f"metrics {sorted(metrics)}, declared {sorted(families or {})}"
    for name, values in metrics.items():
        for value in values:
            if name in (families or {}) and len(value["l"]) != len((families or {})[name]["labelKeys"]):
                yield f"metric {name}: labels {value['l']}"


def _amounts(where: str, part: Json, *names: str) -> Iterator[str]:
    for name in names:
        if name in part and not (_is_number(part[name]) and part[name] >= 0):
            yield f"{where}: {name} {part[name]!r}"


def _fields(where: str, part: Json, known: set[str], needed: set[str]) -> Iterator[str]:
    yield from (f"{where}: {name} missing" for name in sorted(needed - set(part)))
    yield from (f"{where}: {name} unknown" for name in sorted(set(part) - known))


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
