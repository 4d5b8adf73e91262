"""Writing and reading many providers in one request, for tests that name them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from tests.placement.rest import Api, Query, Reply

PATH = "/moorage/providers"


def uuid_of(name: str) -> str:
    """A UUID that reads the same in every test: that of its name."""
    return str(UUID(bytes=name.encode().ljust(16, b"\0")[:16]))


def item(name: str, parent: str | None = None, **parts: Any) -> dict[str, Any]:
    """A provider of a request; its parent is given by name."""
    return {"uuid": uuid_of(name), "name": name, "parent_provider_uuid": parent and uuid_of(parent), **parts}


def gone(name: str, **parts: Any) -> dict[str, Any]:
    """A provider that a request wants gone."""
    return {"uuid": uuid_of(name), **parts}


def write(api: Api, *items: Mapping[str, Any], **more: Any) -> dict[str, int]:
    """Write providers; their generations by name."""
    answer = api.post(PATH, {"providers": items, **more})["providers"]
    assert [provider["uuid"] for provider in answer] == [wanted["uuid"] for wanted in items]
    return {wanted["name"]: provider["generation"] for wanted, provider in zip(items, answer, strict=True)}


def refused(api: Api, *items: Mapping[str, Any], **more: Any) -> Reply:
    return api.send("POST", PATH, {"providers": items, **more})


def read(api: Api, query: Query = None) -> dict[str, Any]:
    """Providers by name."""
    return {provider["name"]: provider for provider in api.get(PATH, query)["providers"]}
