"""Makes sure that both sides hold the same cloud and give the same answers, before and while they are measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bench.client import Answer
from bench.providers import Provider
from bench.service import Service

_PARTS = ("", "/inventories", "/usages", "/traits", "/aggregates", "/allocations")


class DifferentClouds(Exception):
    """The sides do not answer alike, so there is nothing to compare."""


def require_same_cloud(services: Sequence[Service], cloud: Sequence[Provider]) -> None:
    """Ask all sides about the first, the middle and the last provider, and how many there are."""
    paths = [
        f"/resource_providers/{cloud[place].uuid}{part}"
        for place in sorted({0, len(cloud) // 2, len(cloud) - 1} if cloud else ())
        for part in _PARTS
    ]
    for path in [*paths, "/resource_providers"]:
        answers = {service.name: _ask(service, path) for service in services}
        first, *others = answers.values()
        if any(other != first for other in others):
            raise DifferentClouds(f"GET {path} is answered differently: {answers}")


def difference(answers: Mapping[str, Answer | None]) -> str:
    """In a few words, how the sides differ in the number of candidates or providers they have found; "" if not."""
    sizes = {side: _size(answer) for side, answer in answers.items() if answer is not None}
    if len(set(sizes.values())) < 2:  # noqa: PLR2004 - it takes two to differ
        return ""
    return "answers differ: " + ", ".join(f"{side} found {size}" for side, size in sizes.items())


def _ask(service: Service, path: str) -> object:
    with service.connect() as connection:
        answer = connection.get(path)
    content = answer.json()
    if path == "/resource_providers":
        return answer.status, len(content["resource_providers"])
    return answer.status, _comparable(content)


def _comparable(content: Any) -> Any:
    """Without what may differ: links, which name the mount, and the order of lists."""
    if isinstance(content, dict):
        return {key: _comparable(value) for key, value in content.items() if key != "links"}
    if isinstance(content, list):
        return sorted(map(_comparable, content), key=repr)
    return content


def _size(answer: Answer) -> int | None:
    content = answer.json()
    for key in ("allocation_requests", "resource_providers"):
        if isinstance(content, dict) and isinstance(content.get(key), list):
            return len(content[key])
    return None
