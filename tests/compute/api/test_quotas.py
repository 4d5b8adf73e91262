"""Quotas and limits of projects."""

from __future__ import annotations

from typing import Any

import pytest

from moorage.db.database import Database
from tests.compute.api.clouds import open_cloud
from tests.compute.api.people import Cloud, Person

DEFAULTS = {
    "instances": 10,
    "cores": 20,
    "ram": 51200,
    "metadata_items": 128,
    "key_pairs": 100,
    "server_groups": 10,
    "server_group_members": 10,
}
FILES = {"injected_files": 5, "injected_file_content_bytes": 10240, "injected_file_path_bytes": 255}
NETWORK = dict.fromkeys(("floating_ips", "fixed_ips", "security_groups", "security_group_rules"), -1)


def quota_set(person: Person, project: str = "astronomy", what: str = "") -> Any:
    return person.get(f"/os-quota-sets/{project}{what}")["quota_set"]


def set_quota(cloud: Cloud, project: str = "astronomy", **limits: Any) -> Any:
    return cloud.admin.put(f"/os-quota-sets/{project}", {"quota_set": limits})["quota_set"]


def test_a_project_has_the_defaults(cloud: Cloud) -> None:
    assert quota_set(cloud.tycho) == {"id": "astronomy", **DEFAULTS}
    assert quota_set(cloud.tycho.at("2.56")) == {"id": "astronomy", **DEFAULTS, **FILES}
    assert quota_set(cloud.tycho.at("2.35")) == {"id": "astronomy", **DEFAULTS, **FILES, **NETWORK}
    assert quota_set(cloud.tycho, what="/defaults") == {"id": "astronomy", **DEFAULTS}


def test_defaults_are_settings(database: Database, installation: object) -> None:
    cloud = open_cloud(database, quota__cores=4, quota__instances=-1)
    assert quota_set(cloud.tycho) == {"id": "astronomy", **DEFAULTS, "cores": 4, "instances": -1}


def test_an_administrator_sets_and_resets_them(cloud: Cloud) -> None:
    assert set_quota(cloud, cores=7, ram="-1") == {**DEFAULTS, "cores": 7, "ram": -1}
    assert quota_set(cloud.tycho) == {"id": "astronomy", **DEFAULTS, "cores": 7, "ram": -1}
    set_quota(cloud, cores=8)
    assert quota_set(cloud.tycho)["ram"] == -1
    assert quota_set(cloud.tycho, what="/defaults")["cores"] == 20
    assert quota_set(cloud.maria, "botany")["cores"] == 20
    assert cloud.admin.status("DELETE", "/os-quota-sets/astronomy") == 202
    assert quota_set(cloud.tycho) == {"id": "astronomy", **DEFAULTS}


@pytest.mark.parametrize(
    "limits",
    [
        {"cores": -2},
        {"cores": "-2"},
        {"cores": 2**31},
        {"cores": "many"},
        {"cores": None},
        {"cores": 1.5},
        {"flies": 1},
    ],
)
def test_what_is_no_quota_is_refused(cloud: Cloud, limits: dict[str, Any]) -> None:
    code, message = cloud.admin.refused("PUT", "/os-quota-sets/astronomy", {"quota_set": {"ram": 1, **limits}})
    assert (code, next(iter(limits)) in message) == (400, True)
    assert quota_set(cloud.tycho) == {"id": "astronomy", **DEFAULTS}


@pytest.mark.parametrize(
    ("version", "name", "status"),
    [
        ("2.35", "floating_ips", 200),
        ("2.36", "floating_ips", 400),
        ("2.56", "injected_files", 200),
        ("2.57", "injected_files", 400),
    ],
)
def test_names_go_with_versions(admin: Person, version: str, name: str, status: int) -> None:
    assert admin.at(version).status("PUT", "/os-quota-sets/astronomy", {"quota_set": {name: 1}}) == status


def test_a_project_has_an_id_that_fits_the_table(cloud: Cloud) -> None:
    body = {"quota_set": {"cores": 1}}
    assert cloud.admin.status("PUT", f"/os-quota-sets/{'p' * 255}", body) == 200
    assert cloud.admin.status("PUT", f"/os-quota-sets/{'p' * 256}", body) == 400


def test_a_limit_below_what_is_in_use_needs_force(cloud: Cloud) -> None:
    for name in ("a", "b"):
        cloud.tycho.post("/os-server-groups", {"server_group": {"name": name, "policy": "affinity"}})
    code, message = cloud.admin.refused("PUT", "/os-quota-sets/astronomy", {"quota_set": {"server_groups": 1}})
    assert (code, "already used 2" in message) == (400, True)
    assert set_quota(cloud, server_groups=1, force=True)["server_groups"] == 1
    assert set_quota(cloud, server_groups=-1)["server_groups"] == -1
    shown = quota_set(cloud.tycho, what="/detail")
    assert shown["server_groups"] == {"limit": -1, "in_use": 2, "reserved": 0}
    assert shown["cores"] == {"limit": 20, "in_use": 0, "reserved": 0}


def test_flavors_may_have_quotas_of_their_own(cloud: Cloud) -> None:
    flavor = {"id": "1", "name": "huge", "ram": 1024, "vcpus": 1, "disk": 0}
    cloud.admin.post("/flavors", {"flavor": flavor})
    body = {"quota_set": {"instances_huge": 2}}
    assert cloud.admin.status("PUT", "/os-quota-sets/astronomy", body) == 400
    cloud.admin.post("/flavors/1/os-extra_specs", {"extra_specs": {"quota:separate": "true"}})
    assert quota_set(cloud.tycho) == {"id": "astronomy", **DEFAULTS, "instances_huge": 10}
    assert set_quota(cloud, instances_huge=2)["instances_huge"] == 2
    assert quota_set(cloud.tycho, what="/detail")["instances_huge"] == {"limit": 2, "in_use": 0, "reserved": 0}
    cloud.admin.delete("/flavors/1")
    assert "instances_huge" not in quota_set(cloud.tycho)


def test_projects_see_their_own_and_change_none(cloud: Cloud) -> None:
    for path in ("/os-quota-sets/botany", "/os-quota-sets/botany/detail"):
        assert cloud.tycho.status("GET", path) == 403
        assert cloud.admin.status("GET", path) == 200
    assert cloud.tycho.status("PUT", "/os-quota-sets/astronomy", {"quota_set": {"cores": 99}}) == 403
    assert cloud.tycho.status("DELETE", "/os-quota-sets/astronomy") == 403


def test_limits(cloud: Cloud) -> None:
    set_quota(cloud, cores=7)
    cloud.tycho.post("/os-server-groups", {"server_group": {"name": "a", "policy": "affinity"}})
    newest = {
        "maxTotalInstances": 10,
        "maxTotalCores": 7,
        "maxTotalRAMSize": 51200,
        "maxTotalKeypairs": 100,
        "maxServerMeta": 128,
        "maxServerGroups": 10,
        "maxServerGroupMembers": 10,
        "totalInstancesUsed": 0,
        "totalCoresUsed": 0,
        "totalRAMUsed": 0,
        "totalServerGroupsUsed": 1,
    }
    assert cloud.tycho.get("/limits") == {"limits": {"rate": [], "absolute": newest}}
    older = cloud.tycho.at("2.56").get("/limits")["limits"]["absolute"]
    assert older.keys() - newest.keys() == {"maxPersonality", "maxPersonalitySize"}
    oldest = cloud.tycho.at("2.1").get("/limits")["limits"]["absolute"]
    assert oldest.keys() - older.keys() == {
        "maxImageMeta", "maxTotalFloatingIps", "maxSecurityGroups", "maxSecurityGroupRules",
        "totalFloatingIpsUsed", "totalSecurityGroupsUsed",
    }  # fmt: skip


def test_limits_of_another_project_are_for_administrators(cloud: Cloud) -> None:
    set_quota(cloud, cores=7)
    shown = cloud.admin.get("/limits", tenant_id="astronomy")["limits"]["absolute"]
    assert shown["maxTotalCores"] == 7
    assert cloud.maria.status("GET", "/limits", tenant_id="astronomy") == 403
