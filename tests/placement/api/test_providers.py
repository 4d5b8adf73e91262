"""What a provider looks like in a list is kept with it, but not without end."""

from __future__ import annotations

import json
from typing import Any
from unittest.mock import Mock

from moorage.placement.api.microversion import NEWEST
from moorage.placement.api.providers import index
from moorage.placement.api.request import Parameters, Request
from moorage.placement.index.cloud import Cloud
from moorage.web.versions import Version
from tests.placement.index.clouds import cloud_of, provider

VERSIONS: tuple[Version, ...] = ((1, 0), (1, 1), (1, 6), (1, 11), (1, 14), NEWEST)


def listed(cloud: Cloud, prefix: str, version: Version = NEWEST) -> Any:
    """The one provider of the cloud, for a client that finds the API at this prefix."""
    request = Request(version, Parameters(), {}, b"", prefix)
    answer = index(request, Mock(cloud=lambda: cloud))
    (item,) = json.loads(answer.body or b"")["resource_providers"]
    return item


def test_each_version_of_it_is_kept() -> None:
    cloud = cloud_of(provider("host"))
    (record,) = cloud.all_records()
    for version in VERSIONS:
        listed(cloud, "/placement", version)
    kept = dict(record.listings)
    for version in VERSIONS:
        listed(cloud, "/placement", version)
    assert record.listings == kept
    assert len(kept) == len(VERSIONS) - 1  # nothing has changed since 1.14


def test_prefixes_that_proxies_tell_do_not_pile_up() -> None:
    cloud = cloud_of(provider("host"))
    (record,) = cloud.all_records()
    for number in range(100):
        item = listed(cloud, f"/{number}")
        assert item["links"][0] == {"rel": "self", "href": f"/{number}/resource_providers/host"}
    assert len(record.listings) < len(VERSIONS)
