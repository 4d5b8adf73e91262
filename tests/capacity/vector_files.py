"""Vectors: inputs and outputs of the existing service, in JSON files. Kinds are told by content."""

from __future__ import annotations

import functools
import gzip
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from moorage.capacity.model.cloud import Cloud, Server
from moorage.capacity.model.configuration import Configuration
from moorage.capacity.model.demand import CapacityRequest, Demand, ResourceDemand
from moorage.capacity.model.flavor import Flavor
from moorage.capacity.model.hypervisor import Aggregate, Hypervisor, Inventory

KINDS = ("capacity", "placement", "overcommit", "usage")

Vector = Mapping[str, Any]


@functools.cache
def read_vectors(directory: Path) -> Mapping[str, list[tuple[str, Vector]]]:
    """By kind, the names and contents of all vectors in the files of a directory."""
    found: dict[str, list[tuple[str, Vector]]] = {kind: [] for kind in KINDS}
    files = sorted([*directory.glob("*.json"), *directory.glob("*.json.gz")])
    if not files:
        # Without any, tests would be skipped and all be well.
        raise pytest.UsageError(f"--vectors: there are no files *.json or *.json.gz in {directory}")
    for file in files:
        content = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
        for number, vector in enumerate(msgspec.json.decode(content)):
            name = vector.get("name") or f"{file.name.split('.')[0]}-{number}"
            found[_kind(vector)].append((name, vector))
    return found


def _kind(vector: Vector) -> str:
    if "factor" in vector:
        return "overcommit"
    if "steps" in vector["input"]:
        return "placement"
    return "usage" if "limits" in vector["input"] else "capacity"


def cloud_of(given: Vector) -> Cloud:
    return Cloud(
        flavors=tuple(map(flavor_of, given["flavors"])),
        hypervisors=tuple(map(hypervisor_of, given["hypervisors"])),
        aggregates=tuple(
            Aggregate(
                name=each["name"], availability_zone=each["availability_zone"] or "", hosts=tuple(each["hosts"] or ())
            )
            for each in given["aggregates"]
        ),
        servers=tuple(
            Server(
                flavor_id=each["flavor_id"],
                availability_zone=each["availability_zone"] or "",
                hypervisor_hostname=each["hypervisor_hostname"] or "",
            )
            for each in given["servers"] or ()
        ),
    )


def flavor_of(given: Vector) -> Flavor:
    return Flavor(
        id=given.get("id", given["name"]),
        name=given["name"],
        vcpus=given["vcpus"],
        ram_mib=given["ram"],
        disk_gib=given["disk"],
        is_public=given.get("os-flavor-access:is_public", True),
        extra_specs=given.get("extra_specs") or {},
    )


def hypervisor_of(given: Vector) -> Hypervisor:
    missing = given.get("no_resource_provider", False)
    return Hypervisor(
        id=given.get("id", ""),
        hostname=given["hypervisor_hostname"],
        service_host=given.get("service_host", ""),
        hypervisor_type=given.get("hypervisor_type", ""),
        running_vms=given.get("running_vms", 0),
        traits=tuple(given.get("traits") or ()),
        inventories={
            name: Inventory(each["total"], each.get("reserved", 0), each.get("max_unit", 0))
            for name, each in (given.get("inventories") or {}).items()
        },
        usages=given.get("usages") or {},
        problem="Placement has no resource provider of this name." if missing else "",
    )


def configuration_of(given: Vector) -> Configuration:
    return msgspec.convert(given["config"], Configuration)


def request_of(given: Vector) -> CapacityRequest:
    request = given["request"]
    return CapacityRequest(
        tuple(request["allAZs"] or ()),
        {
            resource: ResourceDemand(
                {
                    zone: Demand(
                        each.get("usage", 0), each.get("unusedCommitments", 0), each.get("pendingCommitments", 0)
                    )
                    for zone, each in (demand.get("perAZ") or {}).items()
                },
                demand.get("overcommitFactor", 0),
            )
            for resource, demand in (request["demandByResource"] or {}).items()
        },
    )
