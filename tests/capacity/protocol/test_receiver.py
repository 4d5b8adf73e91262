"""The receiver that answers are tested with: it takes good ones, and whatever is wrong with one, it says."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from tests.capacity.protocol.receiver import wrong_with_capacity, wrong_with_info, wrong_with_usage

ZONES = ("north", "south")
DECLARED = {"displayName": "Cores", "hasCapacity": True, "needsResourceDemand": True, "hasQuota": True}
FAMILY = {"type": "gauge", "help": "How many.", "labelKeys": ["zone"]}
INFO: dict[str, Any] = {
    "version": 7,
    "displayName": "Compute",
    "categories": {"servers": {"displayName": "Servers"}},
    "resources": {
        "cores": {**DECLARED, "topology": "az-aware", "categoryName": "servers"},
        "groups": {**DECLARED, "topology": "flat", "hasCapacity": False},
        "disks": {**DECLARED, "topology": "az-separated", "hasCapacity": False},
    },
    "rates": None,
    "capacityMetricFamilies": {"racks": FAMILY},
    "usageMetricFamilies": None,
}
CAPACITY: dict[str, Any] = {
    "infoVersion": 7,
    "resources": {
        "cores": {
            "perAZ": {
                "north": {"capacity": 3, "usage": 1, "subcapacities": [{"name": "host", "capacity": 3}]},
                "south": {"capacity": 0},
                "unknown": {"capacity": 1},
            }
        }
    },
    "metrics": {"racks": [{"v": 2, "l": ["north"]}]},
}
USAGE: dict[str, Any] = {
    "infoVersion": 7,
    "resources": {
        "cores": {
            "forbidden": False,
            "quota": -1,
            "perAZ": {"north": {"usage": 1, "subresources": [{"id": "server"}]}, "south": {"usage": 0}},
        },
        "groups": {"forbidden": False, "quota": 5, "perAZ": {"any": {"usage": 1}}},
        "disks": {"forbidden": False, "perAZ": {"north": {"usage": 1, "quota": 2}, "south": {"usage": 0, "quota": 2}}},
    },
}


def changed(document: dict[str, Any], path: str, value: object) -> dict[str, Any]:
    """A document with another value at a path; None takes it away."""
    copy = deepcopy(document)
    *parents, last = path.split("/")
    place: Any = copy
    for part in parents:
        place = place[part]
    if value is None:
        del place[last]
    else:
        place[last] = value
    return copy


def test_good_answers_are_taken() -> None:
    assert wrong_with_info(INFO) == []
    assert wrong_with_capacity(CAPACITY, ZONES, INFO) == []
    assert wrong_with_usage(USAGE, ZONES, INFO) == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("version", "7"),
        ("resources/cores/displayName", ""),
        ("resources/cores/topology", "round"),
        ("resources/cores/hasQuota", None),
        ("resources/cores/categoryName", "others"),
        ("resources/cores/capacity", 1),
        ("resources/two words", DECLARED | {"topology": "flat"}),
        ("categories/servers/displayName", ""),
        ("capacityMetricFamilies/racks/labelKeys", None),
    ],
)
def test_an_info(path: str, value: object) -> None:
    assert wrong_with_info(changed(INFO, path, value))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("infoVersion", 6),
        ("resources/cores", None),
        ("resources/groups", {"perAZ": {"any": {"capacity": 1}}}),
        ("resources/cores/perAZ/south", None),
        ("resources/cores/perAZ/west", {"capacity": 1}),
        ("resources/cores/perAZ/any", {"capacity": 1}),
        ("resources/cores/perAZ/north/capacity", -1),
        ("resources/cores/perAZ/north/usage", 0.5),
        ("resources/cores/perAZ/north/used", 1),
        ("metrics/racks", None),
        ("metrics/racks", [{"v": 2, "l": []}]),
        ("metrics/others", []),
    ],
)
def test_a_capacity_report(path: str, value: object) -> None:
    assert wrong_with_capacity(changed(CAPACITY, path, value), ZONES, INFO)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("infoVersion", None),
        ("resources/groups", None),
        ("resources/others", {"forbidden": False, "perAZ": {}}),
        ("resources/cores/forbidden", None),
        ("resources/cores/quota", None),
        ("resources/cores/perAZ/north/quota", 1),
        ("resources/cores/perAZ/south", None),
        ("resources/groups/perAZ/north", {"usage": 1}),
        ("resources/disks/quota", 4),
        ("resources/disks/perAZ/north/quota", None),
        ("resources/cores/perAZ/north/usage", -1),
        ("rates", {"traffic": {}}),
        ("metrics", {"racks": []}),
    ],
)
def test_a_usage_report(path: str, value: object) -> None:
    assert wrong_with_usage(changed(USAGE, path, value), ZONES, INFO)
