"""Traits in the properties of images: what the document that proposes them says, over the compute and the image API."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest

from moorage.placement.model.inventory import Inventory
from tests.compute.api.people import Cloud, Person

AVX2, TRUSTED, OFFLOAD = "HW_CPU_X86_AVX2", "CUSTOM_TRUSTED_HOST", "CUSTOM_NIC_OFFLOAD"
PATCH = "application/openstack-images-v2.1-json-patch"


def add_traits(cloud: Cloud, provider: str, *traits: str) -> None:
    known = cloud.placement.traits(provider)
    cloud.placement.ensure_traits(traits)
    cloud.placement.put_traits(provider, {*known.traits, *traits}, known.generation)


def add_host(cloud: Cloud, name: str, *traits: str) -> str:
    uuid = cloud.add_host(name)
    add_traits(cloud, uuid, *traits)
    return uuid


def add_network_card(cloud: Cloud, host: str, *traits: str) -> str:
    uuid = str(uuid4())
    cloud.placement.create_provider(uuid, f"card {uuid}", host)
    cloud.placement.put_inventories(uuid, {"SRIOV_NET_VF": Inventory(total=8)}, 0)
    add_traits(cloud, uuid, *traits)
    return uuid


def flavor(cloud: Cloud, extra_specs: Mapping[str, str] | None = None) -> str:
    sizes = {"name": f"flavor {uuid4()}", "vcpus": 1, "ram": 512, "disk": 1}
    made: str = cloud.admin.post("/flavors", {"flavor": sizes})["flavor"]["id"]
    if extra_specs:
        cloud.admin.post(f"/flavors/{made}/os-extra_specs", {"extra_specs": extra_specs})
    return made


def imaging(person: Person) -> Person:
    return replace(person, service="image")


def image(cloud: Cloud, **properties: str) -> str:
    """An image that requires traits, written as everybody writes it."""
    written = {name.replace("__", ":"): value for name, value in properties.items()}
    uuid: str = imaging(cloud.tycho).post("/images", {"name": "an image", **written})["id"]
    return uuid


def requiring(cloud: Cloud, traits: Iterable[str]) -> str:
    return image(cloud, **{f"trait__{trait}": "required" for trait in traits})


def order(flavor_id: str, image_id: str) -> dict[str, Any]:
    return {"server": {"name": "s", "flavorRef": flavor_id, "imageRef": image_id, "networks": "none"}}


def place_of(cloud: Cloud, flavor_id: str, image_id: str) -> Any:
    uuid = cloud.tycho.post("/servers", order(flavor_id, image_id))["server"]["id"]
    return cloud.admin.get(f"/servers/{uuid}")["server"]["OS-EXT-SRV-ATTR:host"]


def boot(cloud: Cloud, flavor_id: str, image_id: str) -> str:
    uuid: str = cloud.tycho.post("/servers", order(flavor_id, image_id))["server"]["id"]
    assert cloud.tycho.get(f"/servers/{uuid}")["server"]["status"] == "ACTIVE"
    return uuid


def rebuild_refused(cloud: Cloud, server: str, image_id: str) -> str:
    """Why a rebuild is refused, which leaves the server as it was."""
    before = cloud.admin.get(f"/servers/{server}")
    status, message = cloud.tycho.refused("POST", f"/servers/{server}/action", {"rebuild": {"imageRef": image_id}})
    assert status == 409
    assert cloud.admin.get(f"/servers/{server}") == before
    return message


@pytest.mark.parametrize(
    ("of_flavor", "of_image", "place"),
    [
        ([], [AVX2, TRUSTED], "both"),
        ([AVX2], [TRUSTED], "both"),
        ([TRUSTED, AVX2], [AVX2], "both"),
        ([AVX2, TRUSTED], [], "both"),
        ([], [AVX2, TRUSTED, "HW_CPU_X86_AVX512F"], None),
    ],
)
def test_the_union_of_both_decides(cloud: Cloud, of_flavor: list[str], of_image: list[str], place: str | None) -> None:
    add_host(cloud, "neither")
    add_host(cloud, "fast", AVX2)
    add_host(cloud, "trusted", TRUSTED)
    add_host(cloud, "both", AVX2, TRUSTED)
    with_traits = flavor(cloud, {f"trait:{trait}": "required" for trait in of_flavor})
    assert place_of(cloud, with_traits, requiring(cloud, of_image)) == place


@pytest.mark.parametrize(
    ("key", "value"), [(f"trait__{AVX2}", "forbidden"), (f"trait__{AVX2}", "yes"), (f"trait1__{AVX2}", "required")]
)
def test_images_may_say_anything_but_servers_are_made_from_required_ones_alone(
    cloud: Cloud, key: str, value: str
) -> None:
    add_host(cloud, "fast", AVX2)
    odd = image(cloud, **{key: value})
    status, message = cloud.tycho.refused("POST", "/servers", order(flavor(cloud), odd))
    assert status == 400
    assert key.replace("__", ":") in message
    assert cloud.tycho.get("/servers")["servers"] == []


def test_they_are_merged_with_the_unnumbered_group_alone(cloud: Cloud) -> None:
    """The card of one host has the trait, and the processors of the other: only the latter is what the image means."""
    wrong, right = add_host(cloud, "wrong"), add_host(cloud, "right", OFFLOAD)
    add_network_card(cloud, wrong, OFFLOAD)
    add_network_card(cloud, right)
    with_card = flavor(cloud, {"resources1:SRIOV_NET_VF": "1"})
    offloading = requiring(cloud, [OFFLOAD])
    assert {place_of(cloud, with_card, offloading) for _ in range(3)} == {"right"}


class TestRebuild:
    def test_properties_that_were_changed_meanwhile_count(self, cloud: Cloud) -> None:
        host = add_host(cloud, "host")
        plain = image(cloud)
        server = boot(cloud, flavor(cloud), plain)
        change = [{"op": "add", "path": f"/trait:{TRUSTED}", "value": "required"}]
        answer = imaging(cloud.tycho).send("PATCH", f"/images/{plain}", change, {"content-type": PATCH})
        assert answer.status_code == 200
        assert TRUSTED in rebuild_refused(cloud, server, plain)
        add_traits(cloud, host, TRUSTED)
        cloud.tycho.post(f"/servers/{server}/action", {"rebuild": {"imageRef": plain}})

    def test_traits_of_all_providers_in_the_allocation_count_together(self, cloud: Cloud) -> None:
        host = add_host(cloud, "host", TRUSTED)
        add_network_card(cloud, host, OFFLOAD)
        server = boot(cloud, flavor(cloud, {"resources1:SRIOV_NET_VF": "1"}), image(cloud))
        both = requiring(cloud, [TRUSTED, OFFLOAD])
        cloud.tycho.post(f"/servers/{server}/action", {"rebuild": {"imageRef": both}})
        assert cloud.tycho.get(f"/servers/{server}")["server"]["image"]["id"] == both

    def test_a_single_missing_trait_is_enough_and_it_alone_is_named(self, cloud: Cloud) -> None:
        add_host(cloud, "host", TRUSTED)
        server = boot(cloud, flavor(cloud), image(cloud))
        message = rebuild_refused(cloud, server, requiring(cloud, [TRUSTED, AVX2]))
        assert AVX2 in message
        assert TRUSTED not in message
