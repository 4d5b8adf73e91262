"""The protocol's own rules for what a service says, as those apply them who receive it.

A report that breaks one of them is thrown away as a whole by its receiver. So each is checked before it is sent, and
what is found here is a mistake of this program.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from moorage.capacity.protocol.errors import InvalidAnswer
from moorage.capacity.protocol.info import ServiceInfo, Topology
from moorage.capacity.protocol.reports import CapacityReport, UsageReport
from moorage.capacity.protocol.zones import ANY, UNKNOWN

_NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9._-]*")


def check_info(info: ServiceInfo) -> None:
    """Refuse to send an info that breaks a rule."""
    _refuse("ServiceInfo", _wrong_with_info(info))


def check_capacity_report(report: CapacityReport, zones: Collection[str], info: ServiceInfo) -> None:
    """Refuse to send a capacity report that breaks a rule; the zones are those of the request."""
    _refuse("capacity report", _wrong_with_capacity(report, zones, info))


def check_usage_report(report: UsageReport, zones: Collection[str], info: ServiceInfo) -> None:
    """Refuse to send a usage report that breaks a rule; the zones are those of the request."""
    _refuse("usage report", _wrong_with_usage(report, zones, info))


def is_resource_name(name: str) -> bool:
    """Whether a resource may have this name."""
    return _NAME.fullmatch(name) is not None


def _refuse(what: str, complaints: Iterator[str]) -> None:
    if found := list(complaints):
        raise InvalidAnswer(what, found)


def _wrong_with_info(info: ServiceInfo) -> Iterator[str]:
    used = {resource.category_name for resource in info.resources.values() if resource.category_name is not None}
    for name in sorted(filter(lambda name: not is_resource_name(name), [*info.resources, *info.categories])):
        yield f"{name!r} is no name for a resource or category"
    for name in sorted(used - info.categories.keys()):
        yield f"the category {name} is used and not declared"
    for name in sorted(info.categories.keys() - used):
        yield f"the category {name} is declared and not used"
    for name, category in info.categories.items():
        if not category.display_name:
            yield f"the category {name} has no display name"
    for name, resource in info.resources.items():
        if not resource.display_name:
            yield f"the resource {name} has no display name"


def _wrong_with_capacity(report: CapacityReport, zones: Collection[str], info: ServiceInfo) -> Iterator[str]:
    yield from _wrong_version(report.info_version, info)
    wanted = {name for name, resource in info.resources.items() if resource.has_capacity}
    yield from _wrong_resources(report.resources.keys(), wanted)
    for name in sorted(wanted & report.resources.keys()):
        per_zone = report.resources[name].per_zone
        yield from _wrong_zones(name, per_zone.keys(), info.resources[name].topology, zones)
        amounts = [amount for zone in per_zone.values() for amount in (zone.capacity, zone.usage or 0)]
        yield from _negative(name, amounts)


def _wrong_with_usage(report: UsageReport, zones: Collection[str], info: ServiceInfo) -> Iterator[str]:
    yield from _wrong_version(report.info_version, info)
    yield from _wrong_resources(report.resources.keys(), info.resources.keys())
    for name in sorted(info.resources.keys() & report.resources.keys()):
        declared, usage = info.resources[name], report.resources[name]
        yield from _wrong_zones(name, usage.per_zone.keys(), declared.topology, zones)
        yield from _negative(name, [zone.usage for zone in usage.per_zone.values()])
        # No resource here has its quota by zone, so it always belongs to the resource as a whole.
        if declared.has_quota != (usage.quota is not None):
            yield f"{name} has {'no' if usage.quota is None else 'a'} quota"


def _wrong_version(version: int, info: ServiceInfo) -> Iterator[str]:
    if version != info.version:
        yield f"infoVersion is {version}, the info has version {info.version}"


def _wrong_resources(reported: Collection[str], wanted: Collection[str]) -> Iterator[str]:
    for name in sorted(set(wanted) - set(reported)):
        yield f"{name} is missing"
    for name in sorted(set(reported) - set(wanted)):
        yield f"{name} is not declared so"


def _wrong_zones(name: str, reported: Collection[str], topology: Topology, zones: Collection[str]) -> Iterator[str]:
    needed = {ANY} if topology is Topology.FLAT else set(zones)
    allowed = needed if topology is Topology.FLAT else needed | {UNKNOWN}
    for zone in sorted(needed - set(reported)):
        yield f"{name} is missing in the zone {zone}"
    for zone in sorted(set(reported) - allowed):
        yield f"{name} is reported for the zone {zone}, which was not asked for"


def _negative(name: str, amounts: Collection[int]) -> Iterator[str]:
    if least := min((amount for amount in amounts if amount < 0), default=0):
        yield f"{name} has the amount {least}"
