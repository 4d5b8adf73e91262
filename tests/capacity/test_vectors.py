"""The same inputs as the existing service had, and the same outputs, apart from a few rules that are applied here.

`pytest tests/capacity --vectors DIRECTORY` runs whatever vectors are in that directory.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from moorage.capacity.errors import (
    CapacityError,
    FailingHypervisors,
    NoPooledFlavors,
    PooledTraitsDisagree,
    UnusableOvercommit,
)
from moorage.capacity.model.configuration import BinpackBehavior
from moorage.capacity.model.overcommit import effective, raw
from moorage.capacity.model.report import CapacityReport, Subcapacity
from moorage.capacity.packing.block import Cluster
from moorage.capacity.packing.size import Size
from moorage.capacity.packing.vessels import Vessels
from moorage.capacity.report import block_of, report_capacity
from moorage.capacity.selection.flavors import select_flavors, traits_match
from moorage.capacity.selection.hypervisors import SelectedHypervisor, nodes_of, select_hypervisors
from tests.capacity.vector_files import Vector, cloud_of, configuration_of, flavor_of, hypervisor_of, request_of

KINDS_OF_ERRORS = {
    "conflict: pooled flavors": PooledTraitsDisagree,
    "pooled capacity requested, but there are no matching flavors": NoPooledFlavors,
    "overcommit on": UnusableOvercommit,
    "Nova hypervisor": FailingHypervisors,
    "cannot deduce node count": FailingHypervisors,
    "node count for": FailingHypervisors,
    # The existing service crashes on a hypervisor with more reserved than there is.
    "PANIC: runtime error: makeslice": FailingHypervisors,
}


def test_overcommit_is_rounded_as_the_existing_service_does(overcommit_vector: Vector) -> None:
    factor, value = overcommit_vector["factor"], overcommit_vector["value"]

    assert effective(factor, value) == overcommit_vector["apply"]
    assert raw(factor, value) == overcommit_vector["reverse"]


def test_each_block_goes_to_the_node_that_the_existing_service_chooses(placement_vector: Vector) -> None:
    given = placement_vector["input"]
    pooled = {key.removeprefix("trait:"): value for key, value in (given["pooled_extra_specs"] or {}).items()}
    clusters = []
    for each in map(hypervisor_of, given["hypervisors"]):
        nodes, traits = nodes_of(each), frozenset(each.traits)
        clusters.append(Cluster(each.hostname, nodes.count, nodes.size, not traits_match(pooled, traits), traits))
    blocks = [block_of(flavor_of(each), given.get("cores_overcommit", 0)) for each in given["flavors"]]
    free = [cluster.size for cluster in clusters for _ in range(cluster.nodes)]
    vessels = Vessels(clusters, free, blocks, BinpackBehavior(**given["binpack_behavior"]))
    blocked = Size(*_blocked(given["blocked"]))

    chosen = [vessels.place(block, blocked) for block in given["steps"]]

    assert [[number, *cluster.size, not cluster.is_special] for number, cluster in enumerate(clusters)
            for _ in range(cluster.nodes)] == placement_vector["expected"]["nodes"]  # fmt: skip
    assert [-1 if node is None else node for node in chosen] == placement_vector["expected"]["placements"]


def _blocked(given: Any) -> Iterable[int]:
    return given if isinstance(given, list) else [given["vcpus"], given["memory_mib"], given["local_disk_gib"]]


def test_capacity_is_what_the_existing_service_reports(capacity_vector: Vector) -> None:
    given, expected = capacity_vector["input"], capacity_vector["expected"]
    cloud, request, configuration = cloud_of(given), request_of(given), configuration_of(given)

    if "error" in expected:
        with pytest.raises(CapacityError) as raised:
            report_capacity(cloud, request, configuration)
        kinds = [kind for words, kind in KINDS_OF_ERRORS.items() if words in expected["error"]]
        assert kinds, f"an error of an unknown kind: {expected['error']}"
        assert isinstance(raised.value, kinds[0])
        return

    report = report_capacity(cloud, request, configuration).report

    assert _as_json(report) == _by_our_rules(expected["report"]["resources"], given)


def _as_json(report: CapacityReport) -> dict[str, Any]:
    return {
        resource: {
            "perAZ": {
                zone: {"capacity": each.capacity}
                | ({} if each.usage is None else {"usage": each.usage})
                | ({"subcapacities": list(map(_subcapacity, each.subcapacities))} if each.subcapacities else {})
                for zone, each in zones.items()
            }
        }
        for resource, zones in report.resources.items()
    }


def _subcapacity(each: Subcapacity) -> dict[str, Any]:
    return {
        "name": each.name,
        "capacity": each.capacity,
        "usage": each.usage,
        "attributes": {"aggregate_name": each.aggregate_name, "traits": list(each.traits)},
    }


def _by_our_rules(resources: dict[str, Any], given: Vector) -> dict[str, Any]:
    """What the existing service reports, with our rules applied: more subcapacities, and only zones that are known."""
    known = given["request"]["allAZs"] or []
    special = _only_for_split_flavors(given) if given["config"].get("with_subcapacities") else []
    result: dict[str, Any] = {}
    for resource, report in resources.items():
        zones: dict[str, Any] = {}
        for zone, each in sorted((report["perAZ"] or {}).items()):
            content = dict(each)
            if resource in ("cores", "instances", "ram"):
                more = [_nothing(hypervisor) for hypervisor in special if hypervisor.zone == zone]
                if more:
                    content["subcapacities"] = [*(each.get("subcapacities") or []), *more]
            name = zone if zone in known else "unknown"
            zones[name] = _added(zones[name], content) if name in zones else content
        result[resource] = {"perAZ": zones}
    return result


def _only_for_split_flavors(given: Vector) -> list[SelectedHypervisor]:
    cloud, configuration = cloud_of(given), configuration_of(given)
    flavors = select_flavors(configuration, cloud.flavors)
    found = select_hypervisors(configuration.hypervisor_selection, cloud, flavors.pooled_traits)
    return [each for each in found.hypervisors if not each.accepts_pooled]


def _nothing(each: SelectedHypervisor) -> dict[str, Any]:
    attributes = {"aggregate_name": each.aggregate_name, "traits": sorted(each.hypervisor.traits)}
    return {"name": each.hypervisor.service_host, "capacity": 0, "usage": 0, "attributes": attributes}


def _added(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Two zones as one: numbers and lists added."""
    return {key: one[key] + other[key] if key in one and key in other else (one | other)[key] for key in one | other}
