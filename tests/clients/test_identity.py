"""The stock clients with the Identity API: keystoneauth's plugins, the `openstack` command and openstacksdk."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from keystoneauth1 import exceptions, loading
from keystoneauth1.session import Session
from openstack.config import OpenStackConfig
from openstack.connection import Connection

from tests.clients.openstack_command import OpenStack
from tests.clients.running_service import RunningService, running_service

# The SDK warns of what will change within itself.
pytestmark = pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """A service of its own, in which people come and go."""
    with running_service(tmp_path_factory.mktemp("service")) as started:
        yield started


@pytest.fixture(scope="module")
def shell(service: RunningService) -> OpenStack:
    """The `openstack` command with the clouds.yaml of the service."""
    return OpenStack(service.clouds_file)


@pytest.fixture
def mary(shell: OpenStack) -> Iterator[dict[str, str]]:
    """A member of a project, as she would log in."""
    project = shell.shows("project create astronomy")
    user = shell.shows("user create --password secret --project astronomy mary")
    shell.does("role add --user mary --project astronomy member")
    yield {
        "username": "mary",
        "password": "secret",
        "user_domain_id": "default",
        "project_name": "astronomy",
        "project_domain_id": "default",
        "user_id": user["id"],
        "project_id": project["id"],
    }
    shell.does("user delete mary")
    shell.does("project delete astronomy")


def session(service: RunningService, plugin: str, path: str = "/identity/v3", **options: str) -> Any:
    loader: Any = loading.get_plugin_loader(plugin)
    return Session(auth=loader.load_from_options(auth_url=f"{service.url}{path}", **options))


def by_name(mary: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in mary.items() if name not in ("user_id", "project_id")}


def cloud_of(file: Path, service: RunningService, auth_type: str, auth: dict[str, str]) -> OpenStack:
    """The command of somebody else."""
    auth = {"auth_url": f"{service.url}/identity/v3", **auth}
    file.write_text(yaml.safe_dump({"clouds": {"moorage": {"auth_type": auth_type, "auth": auth}}}))
    return OpenStack(file)


# --- keystoneauth


@pytest.mark.parametrize("plugin", ["password", "v3password"])
def test_keystoneauth_logs_in_by_password_and_finds_services(
    service: RunningService, mary: dict[str, str], plugin: str
) -> None:
    found = session(service, plugin, **by_name(mary))
    assert found.get_user_id() == mary["user_id"]
    assert found.get_project_id() == mary["project_id"]
    assert found.auth.get_access(found).role_names == ["member", "reader"]
    for interface in ("public", "internal", "admin"):
        assert found.get_endpoint(service_type="placement", interface=interface) == service.placement
    endpoint = found.get_endpoint(service_type="identity", interface="public", version="3")
    assert endpoint == f"{service.url}/identity/v3/"


def test_keystoneauth_logs_in_at_the_address_without_a_version(service: RunningService, mary: dict[str, str]) -> None:
    found = session(service, "password", "/identity", **by_name(mary))
    assert found.get_project_id() == mary["project_id"]


def test_keystoneauth_tells_a_wrong_password(service: RunningService, mary: dict[str, str]) -> None:
    for wrong in ({"password": "guess"}, {"username": "nobody"}, {"project_name": "admin"}):
        with pytest.raises(exceptions.Unauthorized) as caught:
            session(service, "password", **{**by_name(mary), **wrong}).get_token()
        assert "The request you have made requires authentication." in str(caught.value)


def test_keystoneauth_gets_one_token_by_another(service: RunningService, mary: dict[str, str]) -> None:
    first = session(service, "v3password", username="mary", password="secret", user_domain_id="default")
    second = session(service, "v3token", token=first.get_token(), project_id=mary["project_id"])
    assert second.get_project_id() == mary["project_id"]


def test_keystoneauth_logs_in_for_the_system(service: RunningService) -> None:
    password = (service.state / "admin-password").read_text().strip()
    found = session(
        service, "v3password", username="admin", password=password, user_domain_id="default", system_scope="all"
    )
    assert found.auth.get_access(found).system_scoped


def test_keystoneauth_uses_an_application_credential(
    service: RunningService, mary: dict[str, str], tmp_path: Path
) -> None:
    own = cloud_of(tmp_path / "clouds.yaml", service, "password", by_name(mary))
    made = own.shows("application credential create --role reader backup")
    by_id = {
        "application_credential_id": credential(made, "id"),
        "application_credential_secret": credential(made, "secret"),
    }
    named = {
        "application_credential_name": "backup",
        "application_credential_secret": credential(made, "secret"),
        "username": "mary",
        "user_domain_id": "default",
    }
    for options in (by_id, named):
        found = session(service, "v3applicationcredential", **options)
        assert found.get_project_id() == mary["project_id"]
        assert found.auth.get_access(found).role_names == ["reader"]
    own.does("application credential delete backup")
    with pytest.raises(exceptions.Unauthorized):
        session(service, "v3applicationcredential", **by_id).get_token()


def credential(made: dict[str, Any], name: str) -> str:
    """A field, which releases of the command spell differently."""
    return str({key.lower(): value for key, value in made.items()}[name])


# --- the openstack command


def test_token_issue(shell: OpenStack, service: RunningService) -> None:
    issued = shell.shows("token issue")
    assert (issued["user_id"], issued["project_id"]) == ("admin", "admin")
    assert service.get("/resource_providers", X_Auth_Token=issued["id"]).status_code == 200
    other = shell.shows("token issue")
    shell.does(f"token revoke {other['id']}")
    assert service.get("/resource_providers", X_Auth_Token=other["id"]).status_code == 401


def test_projects(shell: OpenStack) -> None:
    made = shell.shows("project create --description Sky --tag night --property telescope=hubble observatory")
    assert (made["description"], made["tags"], made["telescope"]) == ("Sky", ["night"], "hubble")
    assert "observatory" in [project["Name"] for project in shell.shows("project list")]
    shell.does("project set --name planetarium --disable observatory")
    assert shell.shows("project show planetarium")["enabled"] is False
    assert "Conflict" in shell.refuses("project create planetarium")
    shell.does("project delete planetarium")
    assert "planetarium" in shell.refuses("project show planetarium")


def test_users_and_roles(shell: OpenStack, mary: dict[str, str]) -> None:
    assert "mary" in [user["Name"] for user in shell.shows("user list")]
    assert shell.shows("user show mary")["default_project_id"] == mary["project_id"]
    shell.does("user set --email mary@example.org mary")
    assert shell.shows("user show mary")["email"] == "mary@example.org"
    assert [role["Name"] for role in shell.shows("role list")] == ["admin", "member", "reader", "service"]
    assert shell.shows("role create observer")["name"] == "observer"
    shell.does("role add --user mary --project astronomy observer")
    assigned = shell.shows("role assignment list --user mary --names")
    assert sorted(one["Role"] for one in assigned) == ["member", "observer"]
    shell.does("role remove --user mary --project astronomy observer")
    effective = shell.shows("role assignment list --user mary --effective --names")
    assert sorted(one["Role"] for one in effective) == ["member", "reader"]
    shell.does("role delete observer")
    assert "immutable" in shell.refuses("role delete admin")


def test_what_is_served(shell: OpenStack, service: RunningService) -> None:
    listed = {entry["Type"]: entry for entry in shell.shows("catalog list")}
    assert {"identity", "placement"} <= set(listed)
    assert shell.shows("catalog show placement")["type"] == "placement"
    assert {"identity", "placement"} <= {one["Type"] for one in shell.shows("service list")}
    public = shell.shows("endpoint list --service placement --interface public")
    assert [endpoint["URL"] for endpoint in public] == [service.placement]
    assert [region["Region"] for region in shell.shows("region list")] == ["RegionOne"]
    assert [domain["ID"] for domain in shell.shows("domain list")] == ["default"]


def test_a_member_sees_their_own_and_nothing_else(
    service: RunningService, mary: dict[str, str], tmp_path: Path
) -> None:
    own = cloud_of(tmp_path / "clouds.yaml", service, "password", by_name(mary))
    assert own.shows("token issue")["project_id"] == mary["project_id"]
    assert [entry["Type"] for entry in own.shows("catalog list")]
    assert "403" in own.refuses("user list")
    assert "403" in own.refuses("resource provider list")
    own.does("user password set --original-password secret --password other")
    assert "401" in own.refuses("token issue")


# --- openstacksdk


def test_openstacksdk(service: RunningService, mary: dict[str, str]) -> None:
    clouds = OpenStackConfig(config_files=[str(service.clouds_file)], load_envvars=False)
    with Connection(config=clouds.get_one("moorage")) as cloud:
        identity: Any = cloud.identity
        assert cloud.current_user_id == "admin"
        assert cloud.current_project.name == "admin"
        assert identity.find_user("mary").id == mary["user_id"]
        assert identity.find_project("astronomy").id == mary["project_id"]
        assert {role.name for role in identity.roles()} >= {"admin", "member", "reader", "service"}
        assert list(cloud.placement.resource_providers()) == []
        made = identity.create_project(name="chemistry", description="Mixes")
        assert identity.update_project(made, is_enabled=False).is_enabled is False
        assert [project.name for project in identity.projects(limit=1)].count("chemistry") == 1
        identity.delete_project(made)


# --- the log


def test_no_secret_was_logged(service: RunningService, shell: OpenStack) -> None:
    token = shell.shows("token issue")["id"]
    password = (service.state / "admin-password").read_text().strip()
    log = service.log
    assert '"POST /identity/v3/auth/tokens" status: 201' in log
    assert [secret for secret in (token, password, service.token) if secret in log] == []
    assert json.dumps(password) in service.clouds_file.read_text()
