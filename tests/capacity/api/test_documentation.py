"""Every route, policy rule, metric and field of the configuration is in its document."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from moorage.capacity.api.policies import rules
from moorage.capacity.api.routes import ROUTES
from moorage.capacity.figures import FAMILIES
from moorage.capacity.model.configuration import Configuration
from tests.docs.documents import REPOSITORY


def text_of(name: str) -> str:
    return (REPOSITORY / "docs" / name).read_text(encoding="utf-8")


def names_of(kind: Any, prefix: str = "") -> Iterator[str]:
    for each in fields(kind):
        if hasattr(each.default, "__dataclass_fields__"):
            yield from names_of(type(each.default), f"{each.name}.")
        else:
            yield f"`{prefix}{each.name}`"


def test_routes_and_rules() -> None:
    text = text_of("liquid-api.md")
    routes = [f"| `{method}` | `{path}` |" for path, methods in ROUTES.items() for method in methods]
    wanted = [*routes, *(f"| `{rule.name}` |" for rule in rules(ROUTES))]
    assert [line for line in wanted if line not in text] == []


def test_metrics() -> None:
    text = text_of("liquid-api.md")
    assert [name for name in FAMILIES if name != "capacity" and f"_{name}`" not in text] == []


def test_fields_of_the_configuration() -> None:
    text = text_of("capacity.md")
    assert [name for name in names_of(Configuration) if name not in text] == []
