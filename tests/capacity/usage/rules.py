"""Where usage, quotas and OS types differ from the existing service's, as functions on a vector's expectation.

docs/capacity.md has the reasons.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

Vector = Any
Expected = Any

POOLED = ("cores", "instances", "ram")


def expected_here(vector: Vector) -> Expected:
    """What Moorage shall answer: what the existing service does, after all rules."""
    expected = deepcopy(vector["expected"])
    for rule in RULES:
        rule(vector["input"], expected)
    expected.pop("limes_validation_error", None)
    return expected


def image_unknown(_given: Any, expected: Expected) -> None:
    """The document's word for a server whose image has no id."""
    for server in _subresources(expected):
        if server["attributes"]["os_type"] == "image-missing":
            server["attributes"]["os_type"] = "image-unknown"


def boot_volume_that_cannot_be_located(given: Any, expected: Expected) -> None:
    """Only a boot volume without an id is missing; one that is not to be found cannot be inspected."""
    for server in _subresources(expected):
        attached = given["volume_attachments"].get(server["id"], [])
        is_found = any(each["device"] in ("/dev/sda", "/dev/vda") for each in attached)
        if server["attributes"]["os_type"] == "rootdisk-missing" and not is_found:
            server["attributes"]["os_type"] = "rootdisk-inspect-error"


def excluded_flavors_are_not_declared(given: Any, expected: Expected) -> None:
    """What the selection of flavors excludes has no capacity, so it is not declared."""
    for flavor in given["flavors"]:
        if not _is_selected(flavor, given["config"]):
            expected.get("info", {}).get("resources", {}).pop(f"instances_{flavor['name']}", None)


def only_what_is_declared(_given: Any, expected: Expected) -> None:
    """A report with resources that are not declared is thrown away by its receiver."""
    for name in [*expected.get("report", {}).get("resources", {})]:
        if name not in expected["info"]["resources"]:
            del expected["report"]["resources"][name]


def missing_limits_are_counted(given: Any, expected: Expected) -> None:
    """A Nova that says nothing of a split flavor has no quota for it; its servers are counted."""
    zones = given["request"]["allAZs"]
    resources = expected.get("report", {}).get("resources")
    if resources is None:
        return
    for name in expected["info"]["resources"]:
        if name in resources or not name.startswith("instances_"):
            continue
        per_zone: dict[str, Any] = {zone: {"usage": 0} for zone in zones}
        for server in given["servers"]:
            if f"instances_{server['flavor']['original_name']}" == name:
                zone = _zone(server, zones)
                _move(resources, per_zone.setdefault(zone, {"usage": 0}), server, zone, zones)
        resources[name] = {"forbidden": False, "quota": -1, "perAZ": per_zone}


def _move(resources: Any, target: Any, server: Any, zone: str, zones: list[str]) -> None:
    """Take a server out of what is pooled."""
    target["usage"] += 1
    amounts = {"cores": server["flavor"]["vcpus"], "instances": 1, "ram": server["flavor"]["ram"]}
    for name, amount in amounts.items():
        place = resources[name]["perAZ"][zone]
        place["usage"] -= amount
        moved = [each for each in place.get("subresources", []) if each["id"] == server["id"]]
        if moved:
            target.setdefault("subresources", []).extend(moved)
            place["subresources"].remove(moved[0])
            if not place["subresources"]:
                del place["subresources"]
        if place["usage"] <= 0 and zone not in zones:
            del resources[name]["perAZ"][zone]


def no_server_is_lost(given: Any, expected: Expected) -> None:
    """Servers in no known zone are all counted and listed, also if Nova has counted fewer."""
    zones = given["request"]["allAZs"]
    resources = expected.get("report", {}).get("resources")
    ironic = {
        each["name"] for each in given["flavors"] if each["extra_specs"].get("capabilities:hypervisor_type") == "ironic"
    }
    stray = [
        server
        for server in given["servers"]
        if _zone(server, zones) == "unknown" and server["flavor"]["original_name"] not in ironic
    ]
    if resources is None or not stray:
        return
    counted = dict.fromkeys(POOLED, 0)
    for server in stray:
        if f"instances_{server['flavor']['original_name']}" not in resources:
            for name, amount in zip(POOLED, (server["flavor"]["vcpus"], 1, server["flavor"]["ram"]), strict=True):
                counted[name] += amount
    for name, amount in counted.items():
        place = resources[name]["perAZ"].setdefault("unknown", {"usage": 0})
        place["usage"] = max(place["usage"], amount)
    listed = resources["instances"]["perAZ"]["unknown"].get("subresources")
    if listed and len(listed) < len(stray):
        template = listed[0]
        resources["instances"]["perAZ"]["unknown"]["subresources"] = [
            {**template, "id": server["id"], "name": server["name"], "attributes": _attributes(template, server)}
            for server in stray
        ]


def _attributes(template: Any, server: Any) -> Any:
    return {**template["attributes"], **{key: server[key] for key in ("status", "metadata", "tags")}}


def only_named_quotas_are_written(given: Any, expected: Expected) -> None:
    """What a request does not name stays."""
    if "nova_quota_put" in expected:
        named = given["quota_request"]["resources"]
        written = expected["nova_quota_put"]["quota_set"]
        expected["nova_quota_put"]["quota_set"] = {name: written[name] for name in named}


RULES: tuple[Callable[[Any, Expected], None], ...] = (
    image_unknown,
    boot_volume_that_cannot_be_located,
    excluded_flavors_are_not_declared,
    only_what_is_declared,
    missing_limits_are_counted,
    no_server_is_lost,
    only_named_quotas_are_written,
)


def _subresources(expected: Expected) -> Iterator[Any]:
    for resource in expected.get("report", {}).get("resources", {}).values():
        for zone in resource["perAZ"].values():
            yield from zone.get("subresources", ())


def _zone(server: Any, zones: list[str]) -> str:
    zone: str = server["OS-EXT-AZ:availability_zone"]
    return zone if zone in zones else "unknown"


def _is_selected(flavor: Any, config: Any) -> bool:
    selection, specs = config.get("flavor_selection", {}), flavor["extra_specs"]
    required = selection.get("required_extra_specs", {})
    excluded = selection.get("excluded_extra_specs", {})
    return all(specs.get(key, "") == value for key, value in required.items()) and not any(
        specs.get(key, "") == value for key, value in excluded.items()
    )
