"""`moorage fit` offers the hosts to which the compute service would send a server, and no others."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pytest
from typer.testing import CliRunner

from moorage.cli.main import app
from moorage.cli.misuse import Misuse
from moorage.cli.placement_query import narrowed, query_of_flavor, query_of_size
from moorage.client.calls import Pairs
from moorage.client.compute import Aggregate, ComputeClient, Flavor, Scheduling
from moorage.client.errors import NoEndpoint, NotFound
from moorage.client.image import Image
from moorage.client.operator import OperatorsCloud, operators_cloud
from moorage.compute.model import flavor as sizes
from moorage.placement.model.inventory import Inventory
from moorage.service.errors import OperatorError
from tests.clients.running_service import RunningService

TRAIT = "CUSTOM_FIT_TEST"
VMX = "HW_CPU_X86_VMX"
SIZE = ("--vcpus", "2", "--ram", "512", "--trait", TRAIT)

pytestmark = pytest.mark.usefixtures("installation")


@dataclass(frozen=True)
class Harbour:
    """A cloud with one host that has a trait, a flavor that requires it, and a host aggregate with the host in it."""

    cloud: OperatorsCloud
    flavor: str
    aggregate: int

    def hosts(self, *arguments: str) -> list[str]:
        """The hosts that are offered."""
        result = CliRunner().invoke(app, ["fit", *arguments, "--json"], catch_exceptions=False)
        found = [row["host"] for row in json.loads(result.stdout)]
        assert result.exit_code == (0 if found else 3)
        return found

    def refusal(self, *arguments: str) -> OperatorError:
        result = CliRunner().invoke(app, ["fit", *arguments])
        assert isinstance(result.exception, OperatorError), result.output
        return result.exception

    def keep_for(self, metadata: Mapping[str, str | None]) -> None:
        self.cloud.compute.set_aggregate_metadata(self.aggregate, metadata)


@pytest.fixture
def harbour(service: RunningService, monkeypatch: pytest.MonkeyPatch) -> Iterator[Harbour]:
    monkeypatch.setenv("OS_CLIENT_CONFIG_FILE", str(service.clouds_file))
    monkeypatch.setenv("OS_CLOUD", "moorage")
    cloud, uuid, flavor = operators_cloud(None), str(uuid4()), str(uuid4())
    placement, compute = cloud.placement, cloud.compute
    placement.ensure_traits([TRAIT])
    placement.create_provider(uuid, "fit-host")
    placement.put_inventories(uuid, {"VCPU": Inventory(8), "MEMORY_MB": Inventory(4096), "DISK_GB": Inventory(50)}, 0)
    placement.put_traits(uuid, ["COMPUTE_NODE", TRAIT], 1)
    compute.create_flavor(flavor, "fit-flavor", vcpus=2, ram_mb=512, disk_gb=1)
    compute.set_extra_specs(flavor, {f"trait:{TRAIT}": "required"})
    aggregate = compute.create_aggregate("fit-aggregate")
    compute.add_host(aggregate.id, "fit-host")
    yield Harbour(cloud, flavor, aggregate.id)
    compute.remove_host(aggregate.id, "fit-host")
    compute.delete_aggregate(aggregate.id)
    compute.delete_flavor(flavor)
    placement.delete_provider(uuid)
    placement.delete_trait(TRAIT)


def test_a_host_that_is_kept_for_leases_is_offered_to_nobody_else(harbour: Harbour) -> None:
    assert harbour.hosts("fit-flavor") == harbour.hosts(*SIZE) == ["fit-host"]
    harbour.keep_for({"reservation:1": "true"})
    assert harbour.hosts("fit-flavor") == harbour.hosts(*SIZE) == []
    harbour.cloud.compute.set_extra_specs(harbour.flavor, {"reservation:1": "true"})
    assert harbour.hosts("fit-flavor") == ["fit-host"]


def test_a_zone_and_further_traits(harbour: Harbour) -> None:
    harbour.keep_for({"availability_zone": "quay"})
    assert harbour.hosts("fit-flavor", "--zone", "quay", "--trait", "COMPUTE_NODE") == ["fit-host"]
    assert harbour.hosts(*SIZE, "--zone", "quay") == ["fit-host"]
    assert harbour.hosts("fit-flavor", "--zone", "quay", "--trait", VMX) == []
    for what in (["fit-flavor"], SIZE):
        assert 'There is no availability zone "pier".' in str(harbour.refusal(*what, "--zone", "pier"))


def test_what_the_image_requires_counts_as_well(harbour: Harbour) -> None:
    images = harbour.cloud.image
    made = [images.create_image(f"fit-{trait}", {f"trait:{trait}": "required"}) for trait in (TRAIT, VMX)]
    try:
        for what in (["fit-flavor"], SIZE):
            assert harbour.hosts(*what, "--image", f"fit-{TRAIT}") == ["fit-host"]
            assert harbour.hosts(*what, "--image", f"fit-{VMX}") == []
        story = CliRunner().invoke(app, ["fit", "fit-flavor", "--image", f"fit-{VMX}", "--explain", "--json"])
        assert json.loads(story.stdout)["blocked_by"]["condition"] in {f"required={TRAIT}", f"required={VMX}"}
    finally:
        for image in made:
            images.delete_image(image.id)


def test_a_flavor_that_is_too_small_for_the_image(harbour: Harbour) -> None:
    calls = harbour.cloud.image._calls
    content = {"name": "fit-image", "min_ram": 1024, "disk_format": "raw", "container_format": "bare"}
    made = calls.ask(dict[str, Any], "POST", "/images", content=content)
    try:
        for what in (["fit-flavor"], SIZE):
            told = str(harbour.refusal(*what, "--image", "fit-image"))
            assert "it has 512 MiB, the image needs 1024 MiB" in told
    finally:
        harbour.cloud.image.delete_image(made["id"])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "Say what shall fit"),
        (("fit-flavor", "--vcpus", "1"), "Say what shall fit"),
        (("fit-flavor", "--ram", "999999"), "A flavor has its own size"),
        (("fit-flavor", "--disk", "0"), "A flavor has its own size"),
    ],
    ids=" ".join,
)
def test_a_flavor_and_a_size_exclude_each_other(harbour: Harbour, arguments: tuple[str, ...], words: str) -> None:
    refused = harbour.refusal(*arguments)
    assert isinstance(refused, Misuse)
    assert words in str(refused)


# --- where the compute service does not say what a server would ask for


class Elsewhere(ComputeClient):
    """A Nova, or a Moorage of old, with these aggregates."""

    def __init__(self, aggregates: tuple[Aggregate, ...], scheduling: Scheduling | None = None) -> None:
        self.known, self.told = aggregates, scheduling

    def placement_query(self, *_given: str | None) -> Pairs | None:
        return None

    def scheduling(self) -> Scheduling | None:
        return self.told

    def aggregates(self) -> tuple[Aggregate, ...]:
        return self.known


class Nowhere(Elsewhere):
    """No compute service at all."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def scheduling(self) -> Scheduling | None:
        raise self.error


FLAVOR = Flavor(id="1", name="f", vcpus=2, ram_mb=512, disk_gb=1)
UUID = "c0ffee00-0000-4000-8000-00000000a66e"
BY_TRAIT = Aggregate(id=1, uuid=UUID, name="kept", metadata={"trait:CUSTOM_KEPT": "required", "reservation:1": "true"})


def asked(monkeypatch: pytest.MonkeyPatch, service: RunningService, compute: ComputeClient) -> OperatorsCloud:
    monkeypatch.setenv("OS_CLIENT_CONFIG_FILE", str(service.clouds_file))
    cloud = operators_cloud("moorage")
    cloud.__dict__["compute"] = compute
    return cloud


def test_of_a_nova_aggregates_are_closed_by_traits(service: RunningService, monkeypatch: pytest.MonkeyPatch) -> None:
    cloud = asked(monkeypatch, service, Elsewhere((BY_TRAIT,)))
    assert ("member_of", f"!in:{UUID}") in query_of_flavor(cloud, FLAVOR, None, None)
    opened = Flavor(id="1", name="f", vcpus=2, ram_mb=512, disk_gb=1, extra_specs={"trait:CUSTOM_KEPT": "required"})
    assert "member_of" not in dict(query_of_flavor(cloud, opened, None, None))


def test_of_a_moorage_its_settings_count(service: RunningService, monkeypatch: pytest.MonkeyPatch) -> None:
    def query(scheduling: Scheduling) -> dict[str, str]:
        cloud = asked(monkeypatch, service, Elsewhere((BY_TRAIT,), scheduling))
        return dict(query_of_size(cloud, sizes.Flavor(flavor_id="", name="", ram_mb=1, vcpus=1), None, None))

    assert query(Scheduling("", ("reservation:",), isolates_aggregates=False))["member_of"] == f"!in:{UUID}"
    assert "member_of" not in query(Scheduling("", (), isolates_aggregates=False))


@pytest.mark.parametrize("error", [NoEndpoint("None."), NotFound("None.", 404)], ids=lambda error: type(error).__name__)
def test_without_a_compute_service_nobody_keeps_hosts_apart(
    service: RunningService, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    cloud = asked(monkeypatch, service, Nowhere(error))
    size = sizes.Flavor(flavor_id="", name="", ram_mb=64, vcpus=1)
    assert dict(query_of_size(cloud, size, None, None))["resources"] == "MEMORY_MB:64,VCPU:1"


def test_an_image_says_what_it_needs(service: RunningService, monkeypatch: pytest.MonkeyPatch) -> None:
    cloud = asked(monkeypatch, service, Elsewhere(()))
    with pytest.raises(OperatorError, match="it has 1 GiB, the image needs 9 GiB"):
        query_of_flavor(cloud, FLAVOR, Image("i", "i", "active", {}, min_disk_gb=9), None)


def test_traits_join_those_of_the_flavor() -> None:
    query = [("limit", "1000"), ("required", "A,!B"), ("resources", "VCPU:1")]
    assert narrowed(query, [], 3) == [("required", "A,!B"), ("resources", "VCPU:1"), ("limit", "3")]
    assert dict(narrowed(query, ["C", "D"], 3))["required"] == "A,!B,C,D"
    with pytest.raises(OperatorError, match="numbered groups only"):
        narrowed([("resources_A", "VCPU:1")], ["C"], 3)
