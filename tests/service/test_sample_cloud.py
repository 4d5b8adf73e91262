"""The sample cloud: what is in it, and that the Placement API takes all of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import os_resource_classes
import os_traits
import pytest

from moorage.compute.audit import audit
from moorage.compute.servers.consumers import holding, is_held_for
from moorage.service.application import open_database, placement_application
from moorage.service.compute_service import open_compute
from moorage.service.ledger_database import upgrade_database
from moorage.service.sample_cloud import LoadError, SampleCloud, Send, identifier, in_process, load, sample_cloud
from moorage.service.sample_servers import servers_of
from moorage.service.serve import load_sample
from moorage.service.settings import load_settings


@pytest.fixture(scope="module")
def cloud() -> SampleCloud:
    return sample_cloud()


@pytest.fixture(scope="module")
def send(tmp_path_factory: pytest.TempPathFactory, cloud: SampleCloud) -> Send:
    """The Placement API with the sample cloud in it."""
    url = f"sqlite:///{tmp_path_factory.mktemp('sample')}/moorage.sqlite"
    upgrade_database(url)
    settings = load_settings({"database.connection": url, "api.auth_strategy": "noauth2"}, config_files=[])
    transport = in_process(placement_application(settings), "admin")
    assert load(transport, cloud)
    return transport


def get(send: Send, path: str) -> Any:
    status, answer = send("GET", path, None)
    assert status == 200, answer
    return answer


def candidates(send: Send, query: str) -> Iterator[str]:
    """The names of the hosts that could serve a query."""
    names = {provider["uuid"]: provider["name"] for provider in get(send, "/resource_providers")["resource_providers"]}
    found = get(send, f"/allocation_candidates?{query}")
    for request in found["allocation_requests"]:
        roots = {found["provider_summaries"][uuid]["root_provider_uuid"] for uuid in request["allocations"]}
        yield from (names[root] for root in roots)


def test_it_looks_like_a_real_cloud(cloud: SampleCloud) -> None:
    roots = Counter(provider.kind for provider in cloud.providers if provider.parent is None)
    assert roots == {"compute": 18, "legacy": 5, "diskless": 6, "numa": 6, "gpu": 3, "sriov": 3, "storage": 3}
    assert Counter(consumer.type for consumer in cloud.consumers) == {"INSTANCE": 62, "MIGRATION": 2}
    assert len({consumer.project for consumer in cloud.consumers}) == 4


def test_it_is_the_same_every_time(cloud: SampleCloud) -> None:
    assert sample_cloud() == cloud
    assert identifier("az1-compute-01") == "fac8c797-890f-5b00-a513-33443bbbb6e7"


def test_its_names_are_standard_or_custom(cloud: SampleCloud) -> None:
    standard = {*os_traits.get_traits(), *os_resource_classes.STANDARDS}
    used = {name for provider in cloud.providers for name in (*provider.traits, *provider.inventories)}
    assert {name for name in used - standard if not name.startswith("CUSTOM_")} == set()


def test_everything_arrives(send: Send, cloud: SampleCloud) -> None:
    assert len(get(send, "/resource_providers")["resource_providers"]) == len(cloud.providers)
    project = UUID(identifier("shop")).hex
    usages = get(send, f"/usages?project_id={project}")["usages"]
    assert usages["INSTANCE"]["consumer_count"] == 24
    assert usages["MIGRATION"]["consumer_count"] == 1
    assert usages["INSTANCE"]["DISK_GB"] == 14 * 80 + 6 * 200 + 4 * 1200


def test_it_is_not_loaded_into_a_ledger_that_has_providers(send: Send, cloud: SampleCloud) -> None:
    assert not load(send, cloud)


@pytest.mark.parametrize(
    ("query", "kinds"),
    [
        ("resources=VCPU:2,DISK_GB:20&required=HW_CPU_X86_AVX2", {"compute", "gpu", "sriov", "diskless", "storage"}),
        ("resources=VCPU:2,DISK_GB:20&required=CUSTOM_REPLICATED", {"diskless", "storage"}),
        ("resources1=PCPU:4&resources2=PCPU:4&group_policy=isolate", {"numa"}),
        ("resources=VCPU:4&resources1=VGPU:1&required1=CUSTOM_GPU_L40S", {"gpu"}),
        ("resources=SRIOV_NET_VF:1&required=CUSTOM_PHYSNET_BACKBONE", {"sriov"}),
    ],
)
def test_each_kind_of_host_answers_the_question_it_is_there_for(send: Send, query: str, kinds: set[str]) -> None:
    assert {name.split("-")[1] for name in candidates(send, query)} == kinds


def test_its_servers_hold_in_placement_what_their_flavors_say(cloud: SampleCloud) -> None:
    claims = {consumer.uuid: consumer for consumer in cloud.consumers}
    for server in servers_of(cloud.consumers, datetime.now(UTC)):
        claim = claims[server.uuid]
        assert is_held_for(server.flavor, holding(server, claim.holds)), claim.name


def test_a_server_on_the_move_waits_to_be_confirmed(cloud: SampleCloud) -> None:
    moving = [server for server in servers_of(cloud.consumers, datetime.now(UTC)) if server.status != "ACTIVE"]
    places = {server.name: (server.resize_origin and server.resize_origin.host, server.host) for server in moving}
    assert places == {
        "web-01": ("az1-compute-01", "az3-compute-02"),
        "desktop-01": ("az1-legacy-01", "az2-legacy-02"),
    }


def test_servers_and_allocations_agree(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/moorage.sqlite"
    upgrade_database(url)
    settings = load_settings({"database.connection": url, "api.auth_strategy": "noauth2"}, config_files=[])
    load_sample(settings, "admin")
    database = open_database(settings)
    compute = open_compute(settings, database, lambda: placement_application(settings, database))
    assert audit(compute, fix=False, age=timedelta()) == []


def test_a_zone_is_an_aggregate(send: Send) -> None:
    found = set(candidates(send, f"resources=VCPU:1,DISK_GB:1&member_of={identifier('az2')}&required=COMPUTE_NODE"))
    assert {name.split("-")[0] for name in found} == {"az2"}


def test_a_refusal_is_told() -> None:
    def refuse(method: str, _path: str, _body: object) -> tuple[int, Any]:
        return (200, {"resource_providers": []}) if method == "GET" else (507, {"errors": ["no room"]})

    with pytest.raises(LoadError, match=r"507.*no room"):
        load(refuse)


def test_in_process_requests_reach_a_mounted_application(tmp_path: Path) -> None:
    seen = []

    def application(environment: Any, start_response: Any) -> list[bytes]:
        seen.append((environment["REQUEST_METHOD"], environment["PATH_INFO"], environment["wsgi.input"].read()))
        start_response("201 Created", [])
        return []

    assert in_process(application, "t", mount="/placement")("PUT", "/traits/CUSTOM_A", {"a": 1}) == (201, None)
    assert seen == [("PUT", "/placement/traits/CUSTOM_A", b'{"a": 1}')]
