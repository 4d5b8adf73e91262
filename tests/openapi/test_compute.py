"""The compute API answers as its description says.

Whatever a test changes was made for it, beside the sample cloud, whose hosts and projects are there for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from typing import Any
from uuid import uuid4

import httpx
import pytest
from schemathesis import Case

from tests.clients.running_service import RunningService
from tests.openapi.conforming import Known, WhenNeeded, ask, described
from tests.properties import effort

schema = described(
    "compute",
    refusable=(
        # Markers that name nothing.
        "get-v2-1-flavors",
        "get-v2-1-flavors-detail",
        "get-v2-1-os-server-groups",
        # And a pattern together with pages.
        "get-v2-1-os-hypervisors",
        "get-v2-1-os-hypervisors-detail",
        # And statuses that there are not, patterns that are none, times in the wrong order.
        "get-v2-1-servers",
        "get-v2-1-servers-detail",
        # Names with characters that cannot be printed, or spaces around them.
        "post-v2-1-flavors",
        "post-v2-1-os-server-groups",
        "put-v2-1-servers-server_id",
        # And zones with a colon, or of hosts that are in another one; aggregates with hosts are not deleted.
        "post-v2-1-os-aggregates",
        "put-v2-1-os-aggregates-aggregate_id",
        "post-v2-1-os-aggregates-aggregate_id-action",
        "delete-v2-1-os-aggregates-aggregate_id",
        # And flavors, images and groups that are not there or do not go together.
        "post-v2-1-servers",
        "post-v2-1-servers-server_id-action",
        "get-v2-1-moorage-placement-query",
        # Extra specs that cannot be read; keys in the path that are not those of the body.
        "post-v2-1-flavors-flavor_id-os-extra_specs",
        "put-v2-1-flavors-flavor_id-os-extra_specs-key",
        "put-v2-1-servers-server_id-metadata-key",
        # The tag that is one too many.
        "put-v2-1-servers-server_id-tags-tag",
        # Quotas of flavors that have none for themselves; limits below what is in use.
        "put-v2-1-os-quota-sets-project_id",
    ),
)


@schema.parametrize()
@effort(10)
def test_the_compute_api_answers_as_described(case: Case[Any], sample_service: RunningService, known: Known) -> None:
    ask(case, sample_service, "compute", known, **_names(case, known))


def _names(case: Case[Any], known: Known) -> dict[str, Sequence[str]]:
    """What is meant by names that depend on the path."""
    if case.method == "PUT" and case.path.endswith("/{key}"):
        return {"key": _keys_of(case.body)}
    # Pages begin behind something that is in the list.
    listed = case.path.removeprefix("/v2.1/").removesuffix("/detail")
    return {"marker": known[_LISTED[listed]]} if listed in _LISTED else {}


def _keys_of(body: Any) -> list[str]:
    """What the path must name for a body: the only key of its metadata."""
    content = body.get("meta", body) if isinstance(body, dict) else None
    return [key for key in content if key] if isinstance(content, dict) else []


@pytest.fixture
def known(sample_service: RunningService) -> Iterator[Known]:
    """Things of this test alone: each operation may take some away."""
    headers = {"X-Auth-Token": sample_service.token, "OpenStack-API-Version": "compute 2.96"}
    with httpx.Client(base_url=sample_service.url, headers=headers) as api:
        things = _Things(api)
        yield WhenNeeded({name: partial(getattr, things, kind) for name, kind in _KINDS.items()})
        # Room for the next test.
        for kind in ("servers", "os-server-groups"):
            for left in things.listed(kind):
                api.delete(f"/compute/v2.1/{kind}/{left['id']}").raise_for_status()


_LISTED = {
    "flavors": "flavor_id",
    "os-hypervisors": "hypervisor_id",
    "os-server-groups": "group_id",
    "servers": "server_id",
}
# What is meant by the names of paths, parameters and fields.
_KINDS = {
    "flavor_id": "flavors",
    "flavorRef": "flavors",
    "flavor": "flavors",
    "imageRef": "images",
    "image": "images",
    "uuid": "images",
    "aggregate_id": "aggregates",
    "hypervisor_id": "hypervisors",
    "host": "hosts",
    "hypervisor_hostname": "hosts",
    "availability_zone": "zones",
    "group_id": "groups",
    "group": "groups",
    "server_id": "servers",
    "same_host": "servers",
    "different_host": "servers",
    "key": "keys",
    "tag": "tags",
    "project_id": "projects",
    "tenant": "projects",
}


class _Things:
    """What there is to ask for, made when it is first asked for."""

    projects = ("astronomy", "genetics")
    zones = ("az1", "az2", "nova")
    keys = ("colour",)
    tags = ("blue",)

    def __init__(self, api: httpx.Client) -> None:
        self._api = api

    @cached_property
    def flavors(self) -> list[str]:
        """The last one is for nobody but administrators."""
        size: dict[str, Any] = {"vcpus": 1, "ram": 64, "disk": 1}
        made = [
            self._made("flavors", "flavor", **size, **{"os-flavor-access:is_public": word})
            for word in ("yes", "yes", "no")
        ]
        for flavor in made:
            self._post(f"flavors/{flavor}/os-extra_specs", {"extra_specs": self._metadata})
        return made

    @cached_property
    def images(self) -> list[str]:
        answers = [self._api.post("/image/v2/images", json={"name": "tried"}).raise_for_status() for _ in range(2)]
        return [answer.json()["id"] for answer in answers]

    @cached_property
    def aggregates(self) -> list[str]:
        return [self._made("os-aggregates", "aggregate") for _ in range(2)]

    @cached_property
    def groups(self) -> list[str]:
        policies = ("affinity", "soft-anti-affinity")
        return [self._made("os-server-groups", "server_group", policy=policy) for policy in policies]

    @cached_property
    def servers(self) -> list[str]:
        """The first one waits for a word on its new size."""
        usual, other, _ = self.flavors
        order = {"flavorRef": usual, "imageRef": self.images[0], "networks": "none"}
        labels = {"metadata": self._metadata, "tags": self.tags}
        made = [self._made("servers", "server", **order, **labels) for _ in range(3)]
        self._post(f"servers/{made[0]}/action", {"resize": {"flavorRef": other}})
        return made

    @cached_property
    def hypervisors(self) -> list[str]:
        return [host["id"] for host in self.listed("os-hypervisors")]

    @cached_property
    def hosts(self) -> list[str]:
        return [host["hypervisor_hostname"] for host in self.listed("os-hypervisors")]

    def listed(self, kind: str) -> list[Any]:
        [found] = self._api.get(f"/compute/v2.1/{kind}").raise_for_status().json().values()
        return list(found)

    @property
    def _metadata(self) -> dict[str, str]:
        return dict.fromkeys(self.keys, "green")

    def _made(self, path: str, kind: str, **content: Any) -> str:
        answer = self._post(path, {kind: {"name": f"tried-{uuid4()}", **content}})
        return str(answer.json()[kind]["id"])

    def _post(self, path: str, content: Any) -> httpx.Response:
        return self._api.post(f"/compute/v2.1/{path}", json=content).raise_for_status()
