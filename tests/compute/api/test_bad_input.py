"""Bodies and questions with one thing wrong, for every operation: refused or carried out, they break nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.compute.api.people import Cloud
from tests.placement.corner import encoded
from tests.placement.hostile import bad_values, damaged
from tests.properties import effort

PATCH = "application/openstack-images-v2.1-json-patch"
PARAMETERS = (
    *("limit", "marker", "offset", "sort", "sort_key", "sort_dir", "name", "status", "flavor", "image", "uuid", "host"),
    *("changes-since", "changes-before", "tags", "not-tags-any", "all_tenants", "deleted", "project_id", "user_id"),
    *("locked", "availability_zone", "power_state", "vm_state", "is_public", "minRam", "minDisk", "with_servers"),
    *("hypervisor_hostname_pattern", "tenant_id", "visibility", "member_status", "tag", "size_min", "protected"),
    *("created_at", "owner", "min_ram", "os_hidden", "a property"),
)
LISTS = (
    *("/compute/v2.1/flavors/detail", "/compute/v2.1/servers/detail", "/compute/v2.1/os-server-groups"),
    *("/compute/v2.1/os-hypervisors/detail", "/compute/v2.1/limits", "/image/v2/images"),
)


@dataclass(frozen=True)
class Order:
    """A request that is right, with what else it needs."""

    method: str
    path: str
    body: Any
    media_type: str = "application/json"


@dataclass(frozen=True)
class Furnished:
    """A cloud with one of everything, and an administrator whose requests are sent as they are."""

    cloud: Cloud
    orders: tuple[Order, ...]

    def send(self, method: str, path: str, body: bytes | None = None, media_type: str = "") -> httpx.Response:
        admin = self.cloud.admin
        headers = {"X-Auth-Token": admin.token, "X-Roles": admin.roles, "OpenStack-API-Version": "compute 2.96"}
        transport = httpx.WSGITransport(app=admin.application, raise_app_exceptions=False)
        with httpx.Client(transport=transport, base_url="http://cloud") as client:
            sent = headers | ({"Content-Type": media_type} if media_type else {})
            return client.request(method, path, content=body, headers=sent)


@pytest.fixture
def furnished(cloud: Cloud) -> Furnished:
    cloud.add_host("h1")
    admin = cloud.admin
    flavor, other = (
        admin.post("/flavors", {"flavor": {"name": name, "ram": 64, "vcpus": 1, "disk": 1}})["flavor"]["id"]
        for name in ("one", "other")
    )
    group = admin.post("/os-server-groups", {"server_group": {"name": "g", "policy": "affinity"}})["server_group"]["id"]
    aggregate = admin.post("/os-aggregates", {"aggregate": {"name": "a"}})["aggregate"]["id"]
    made = {"name": "s", "flavorRef": flavor, "networks": "none"}
    server = admin.post("/servers", {"server": made})["server"]["id"]
    bare = Furnished(cloud, ())
    image = bare.send("POST", "/image/v2/images", b'{"name": "i"}', "application/json").json()["id"]
    return Furnished(cloud, tuple(orders(flavor, other, group, aggregate, server, image)))


def orders(flavor: str, other: str, group: str, aggregate: int, server: str, image: str) -> list[Order]:
    """One for each kind of body that there is."""
    named = {"name": "n", "description": "d"}
    wanted = {
        **named,
        "flavorRef": flavor,
        "imageRef": image,
        "networks": "none",
        "metadata": {"a": "b"},
        "min_count": 1,
        "max_count": 1,
        "availability_zone": "nova",
        "tags": ["a"],
    }
    hints = {"group": group, "same_host": [server], "different_host": server}
    sizes = {"ram": 1, "vcpus": 1, "disk": 1, "swap": 0, "OS-FLV-EXT-DATA:ephemeral": 0, "rxtx_factor": 1.0}
    fields = {"name": "n", "visibility": "private", "min_disk": 1, "protected": False, "tags": ["a"], "p": "v"}
    changes = [{"op": "add", "path": "/p", "value": "v"}, {"op": "replace", "path": "/name", "value": "n"}]
    compute: Mapping[tuple[str, str], Any] = {
        ("POST", "/flavors"): {"flavor": {**named, **sizes, "os-flavor-access:is_public": True}},
        ("PUT", f"/flavors/{flavor}"): {"flavor": {"description": "d"}},
        ("POST", f"/flavors/{flavor}/action"): {"addTenantAccess": {"tenant": "t"}},
        ("POST", f"/flavors/{other}/os-extra_specs"): {"extra_specs": {"resources:VCPU": "2", "trait:X": "required"}},
        ("PUT", f"/flavors/{other}/os-extra_specs/k"): {"k": "v"},
        ("POST", "/os-aggregates"): {"aggregate": {"name": "n", "availability_zone": "z"}},
        ("PUT", f"/os-aggregates/{aggregate}"): {"aggregate": {"name": "n", "availability_zone": "z"}},
        ("POST", f"/os-aggregates/{aggregate}/action"): {"set_metadata": {"metadata": {"a": "b", "c": None}}},
        ("POST", "/os-server-groups"): {
            "server_group": {"name": "n", "policy": "anti-affinity", "rules": {"max_server_per_host": 2}}
        },
        ("POST", "/servers"): {"server": wanted, "os:scheduler_hints": hints},
        ("PUT", f"/servers/{server}"): {"server": named},
        ("POST", f"/servers/{server}/action"): {"rebuild": {"imageRef": image, "metadata": {"a": "b"}, **named}},
        ("PUT", f"/servers/{server}/metadata"): {"metadata": {"a": "b"}},
        ("PUT", f"/servers/{server}/metadata/k"): {"meta": {"k": "v"}},
        ("PUT", f"/servers/{server}/tags"): {"tags": ["a"]},
        ("PUT", "/os-quota-sets/p"): {"quota_set": {"instances": 5, "cores": -1, "force": True}},
    }
    resize = Order("POST", f"/compute/v2.1/servers/{server}/action", {"resize": {"flavorRef": other}})
    add_host = Order("POST", f"/compute/v2.1/os-aggregates/{aggregate}/action", {"add_host": {"host": "h1"}})
    return [
        *(Order(method, f"/compute/v2.1{path}", body) for (method, path), body in compute.items()),
        *(resize, add_host),
        Order("POST", "/image/v2/images", {**fields, "id": str(uuid4())}),
        Order("PATCH", f"/image/v2/images/{image}", changes, PATCH),
        Order("POST", f"/image/v2/images/{image}/members", {"member": "m"}),
    ]


def test_a_body_with_one_thing_wrong_breaks_nothing(furnished: Furnished) -> None:
    @effort(200)
    @given(st.sampled_from(furnished.orders), st.data())
    def check(order: Order, data: st.DataObject) -> None:
        body = encoded(data.draw(damaged(order.body)))
        answer = furnished.send(order.method, order.path, body, order.media_type)
        assert answer.status_code < 500, answer.text
        if answer.status_code >= 400:
            [error] = answer.json().values()
            assert error["message"]

    check()


def test_a_strange_question_breaks_nothing(furnished: Furnished) -> None:
    @effort(150)
    @given(st.sampled_from(LISTS), st.lists(st.tuples(st.sampled_from(PARAMETERS), bad_values), min_size=1, max_size=2))
    def check(path: str, asked: list[tuple[str, Any]]) -> None:
        pairs = (f"{quote(name)}={quote(str(value).encode('utf-8', 'surrogatepass'))}" for name, value in asked)
        answer = furnished.send("GET", f"{path}?{'&'.join(pairs)}")
        assert answer.status_code < 500, answer.text

    check()
