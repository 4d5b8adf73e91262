"""Names do wherever the APIs want ids: of servers, projects, users; and ids do as well."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from typer.testing import CliRunner

from moorage.cli.main import app
from moorage.cli.names import only_one
from moorage.client.operator import OperatorsCloud, operators_cloud
from moorage.placement.model.inventory import Inventory
from moorage.service.errors import OperatorError
from tests.clients.running_service import RunningService

pytestmark = pytest.mark.usefixtures("installation")


def shown(*arguments: str) -> Any:
    result = CliRunner().invoke(app, [*arguments, "--json"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def refused(*arguments: str) -> str:
    with pytest.raises(OperatorError) as refusal:
        CliRunner().invoke(app, arguments, catch_exceptions=False)
    return str(refusal.value)


@dataclass(frozen=True)
class Quay:
    """A cloud with a host, and a project and a user who have a name."""

    cloud: OperatorsCloud
    project_id: str
    user_id: str


@pytest.fixture
def quay(service: RunningService, monkeypatch: pytest.MonkeyPatch) -> Iterator[Quay]:
    monkeypatch.setenv("OS_CLIENT_CONFIG_FILE", str(service.clouds_file))
    monkeypatch.setenv("OS_CLOUD", "moorage")
    cloud, host, flavor = operators_cloud(None), str(uuid4()), str(uuid4())
    project, user = (
        next(iter(cloud.identity.projects_named("quay-project")), None)
        or cloud.identity.create_project("quay-project", "default"),
        next(iter(cloud.identity.users_named("quay-user")), None)
        or cloud.identity.create_user("quay-user", "default", "a password of a quay"),
    )
    cloud.placement.create_provider(host, "quay-host")
    cloud.placement.put_inventories(
        host, {"VCPU": Inventory(8), "MEMORY_MB": Inventory(4096), "DISK_GB": Inventory(50)}, 0
    )
    cloud.placement.put_traits(host, ["COMPUTE_NODE"], 1)
    cloud.compute.create_flavor(flavor, "quay-flavor", vcpus=1, ram_mb=512, disk_gb=1)
    image = cloud.image.create_image("quay-image", {})
    yield Quay(cloud, project.id, user.id)
    for server in cloud.compute.servers():
        if server.name.startswith("quay"):
            cloud.compute.delete_server(server.id)
    for consumer in cloud.placement.provider_allocations(host):
        cloud.placement.delete_allocations(consumer)
    cloud.image.delete_image(image.id)
    cloud.compute.delete_flavor(flavor)
    cloud.placement.delete_provider(host)


def test_what_a_server_holds_is_found_by_its_name(quay: Quay) -> None:
    made = ("server", "create", "quay.1", "--flavor", "quay-flavor", "--image", "quay-image")
    server = shown(*made)["id"]
    assert {row["provider"] for row in shown("allocation", "show", "quay.1")} == {"quay-host"}
    assert shown("allocation", "set", "quay.1", "quay-host=VCPU:2")["consumer"] == server
    [row] = shown("allocation", "show", server)
    assert (row["class"], row["amount"]) == ("VCPU", 2)
    assert shown("allocation", "delete", "quay.1") == {"consumer": server}
    # A name is a name, and no pattern: the dot stands for itself.
    assert refused("allocation", "show", "quay.").startswith("There is no server quay.;")
    assert refused("server", "show", "quayx1").startswith("There is no server quayx1;")
    assert shown("server", "create", "quay.ä", *made[3:])["id"] == shown("server", "show", "quay.ä")["id"]
    twin = shown(*made)["id"]
    told = refused("allocation", "show", "quay.1")
    assert told.startswith("2 servers are called quay.1; name one by its id: ")
    assert server in told
    assert twin in told
    assert shown("server", "delete", twin)["name"] == "quay.1"


def test_projects_and_users_have_names(quay: Quay) -> None:
    consumer = str(uuid4())
    asked = ("allocation", "set", consumer, "quay-host=VCPU:2")
    made = shown(*asked, "--project", "quay-project", "--user", "quay-user")
    assert (made["project"], made["user"]) == (quay.project_id, quay.user_id)
    for project, user in (("quay-project", "quay-user"), (quay.project_id, quay.user_id)):
        used = {row["class"]: row["amount"] for row in shown("usage", "--project", project, "--user", user)}
        assert used["VCPU"] == 2
        assert shown("server", "list", "--project", project) == []
        assert shown("lease", "list", "--project", project) == []
        assert shown("lease", "usage", "--project", project)["leases"] == 0


def test_who_is_called_nothing_is_an_id(quay: Quay) -> None:
    consumer = str(uuid4())
    made = shown("allocation", "set", consumer, "quay-host=VCPU:1", "--project", "nobody's", "--user", "no one")
    assert (made["project"], made["user"]) == ("nobody's", "no one")


def test_an_id_counts_more_than_a_name() -> None:
    things = [SimpleNamespace(id="1", name="2"), SimpleNamespace(id="2", name="3"), SimpleNamespace(id="4", name="3")]
    assert only_one("flavor", "2", things) is things[1]
    with pytest.raises(OperatorError, match=r"2 flavors are called 3; name one by its id: 2, 4\."):
        only_one("flavor", "3", things)
    with pytest.raises(OperatorError, match="There is no flavor 5; `moorage flavor list` shows"):
        only_one("flavor", "5", things)
