"""The protocol's rules for what is sent: whatever breaks one is not sent, and said to be a mistake of the program."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import pytest

from moorage.capacity.declaration import declare
from moorage.capacity.model.configuration import Configuration
from moorage.capacity.model.flavor import Flavor
from moorage.capacity.protocol.errors import InvalidAnswer
from moorage.capacity.protocol.info import CategoryInfo, ServiceInfo
from moorage.capacity.protocol.reports import (
    CapacityReport,
    ResourceCapacity,
    ResourceUsage,
    UsageReport,
    ZoneCapacity,
    ZoneUsage,
)
from moorage.capacity.protocol.validation import check_capacity_report, check_info, check_usage_report

FLAVOR = Flavor(id="x", name="x", vcpus=1, ram_mib=1, disk_gib=1, extra_specs={"quota:separate": "true"})
INFO = declare([FLAVOR], Configuration()).with_version(7).info
ZONES = ("a", "b")
HERE = ResourceCapacity({zone: ZoneCapacity(1) for zone in ZONES})
CAPACITY = {name: HERE for name, resource in INFO.resources.items() if resource.has_capacity}
USED = ResourceUsage(False, {zone: ZoneUsage(1) for zone in ZONES}, 5)
FLAT = ResourceUsage(False, {"any": ZoneUsage(1)}, 5)
USAGE = {name: FLAT if name.startswith("server_group") else USED for name in INFO.resources}


def test_good_ones_pass() -> None:
    check_info(INFO)
    check_capacity_report(CapacityReport(7, CAPACITY), ZONES, INFO)
    check_usage_report(UsageReport(7, USAGE), ZONES, INFO)
    unknown = ResourceCapacity({**HERE.per_zone, "unknown": ZoneCapacity(1)})
    check_capacity_report(CapacityReport(7, {**CAPACITY, "cores": unknown}), ZONES, INFO)


def info_with(**changes: object) -> ServiceInfo:
    return msgspec.structs.replace(INFO, **changes)


def test_info() -> None:
    cores = INFO.resources["cores"]
    wrong = {
        "'x y' is no name": info_with(resources={"x y": cores}),
        "the category c is used and not declared": info_with(
            resources={"cores": msgspec.structs.replace(cores, category_name="c")}
        ),
        "the category c is declared and not used": info_with(categories={"c": CategoryInfo("C")}),
        "the resource cores has no display name": info_with(
            resources={"cores": msgspec.structs.replace(cores, display_name="")}
        ),
    }
    for told, info in wrong.items():
        with pytest.raises(InvalidAnswer, match=told):
            check_info(info)


CAPACITY_CHANGES: list[tuple[Mapping[str, ResourceCapacity | None], str]] = [
    ({"instances_x": None}, "instances_x is missing"),
    ({"server_groups": HERE}, "server_groups is not declared so"),
    ({"cores": ResourceCapacity({"a": ZoneCapacity(1)})}, "cores is missing in the zone b"),
    ({"cores": ResourceCapacity({**HERE.per_zone, "c": ZoneCapacity(1)})}, "cores is reported for the zone c"),
    ({"cores": ResourceCapacity({**HERE.per_zone, "a": ZoneCapacity(-1)})}, "cores has the amount -1"),
]


@pytest.mark.parametrize(("changes", "told"), CAPACITY_CHANGES)
def test_capacity(changes: Mapping[str, ResourceCapacity | None], told: str) -> None:
    resources = {name: each for name, each in {**CAPACITY, **changes}.items() if each is not None}
    with pytest.raises(InvalidAnswer, match=told) as found:
        check_capacity_report(CapacityReport(7, resources), ZONES, INFO)
    assert "This is a bug in Moorage" in str(found.value)


USAGE_CHANGES: list[tuple[Mapping[str, ResourceUsage | None], str]] = [
    ({"server_groups": None}, "server_groups is missing"),
    ({"other": USED}, "other is not declared so"),
    ({"server_groups": USED}, "server_groups is missing in the zone any"),
    ({"cores": FLAT}, "cores is reported for the zone any"),
    ({"cores": ResourceUsage(False, USED.per_zone)}, "cores has no quota"),
]


@pytest.mark.parametrize(("changes", "told"), USAGE_CHANGES)
def test_usage(changes: Mapping[str, ResourceUsage | None], told: str) -> None:
    resources = {name: each for name, each in {**USAGE, **changes}.items() if each is not None}
    with pytest.raises(InvalidAnswer, match=told):
        check_usage_report(UsageReport(7, resources), ZONES, INFO)


def test_versions_must_agree() -> None:
    with pytest.raises(InvalidAnswer, match="infoVersion is 6, the info has version 7"):
        check_usage_report(UsageReport(6, USAGE), ZONES, INFO)
