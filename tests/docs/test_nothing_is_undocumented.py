"""Every setting, command, route, policy rule and dependency is named where a reader looks for it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from moorage.capacity.api.routes import ROUTES as CAPACITY_ROUTES
from moorage.cli.main import app
from moorage.compute.api.routes import ROUTES as COMPUTE_ROUTES
from moorage.compute.image_api.routes import ROUTES as IMAGE_ROUTES
from moorage.placement.api import errors, policies
from moorage.placement.api.microversion import NEWEST
from moorage.placement.api.routes import ROUTES
from moorage.reservations.api.routes import ROUTES as RESERVATION_ROUTES
from moorage.service.settings import list_options
from tests.docs.documents import DOCUMENTS, REPOSITORY, blocks, name_of, steps


def text_of(name: str) -> str:
    return (REPOSITORY / "docs" / name).read_text(encoding="utf-8")


def missing(wanted: list[str], document: str) -> list[str]:
    text = text_of(document)
    return [name for name in wanted if name not in text]


def test_settings() -> None:
    settings = text_of("settings.md")
    _, *parts = re.split(r"^##+ `\[(\w+)\]`$", settings, flags=re.MULTILINE)
    sections = dict(zip(parts[::2], parts[1::2], strict=True))
    undocumented = [
        f"[{group}] {option.name}"
        for group, options in list_options()
        if group != "keystone_authtoken"  # summarised in authentication.md
        for option in options
        if f"`[{group}] {option.name}`" not in settings and f"| `{option.name}` |" not in sections.get(group, "")
    ]
    assert undocumented == []
    assert "keystone_authtoken" in sections


def test_commands() -> None:
    assert missing([f"## `{path}`\n" for path in commands(app, "moorage")], "command.md") == []


def commands(group: typer.Typer, path: str) -> Iterator[str]:
    yield path
    for command in group.registered_commands:
        assert command.callback is not None
        yield f"{path} {command.name or command.callback.__name__}"
    for child in group.registered_groups:
        assert child.typer_instance is not None
        yield from commands(child.typer_instance, f"{path} {child.name}")


def test_routes() -> None:
    routes = [f"| `{method}` | `{path}` |" for path, methods in ROUTES.items() for method in methods]
    assert missing(routes, "placement-api.md") == []


# For each API: its routes, below which path a service has them, and which function of the examples calls it there.
SHOWN = {
    "placement-api.md": (ROUTES, "/placement", "placement", ""),
    "compute-api.md": (COMPUTE_ROUTES, "/compute", "compute", "/v2.1"),
    "image-api.md": (IMAGE_ROUTES, "/image", "image", ""),
    "reservation-api.md": (RESERVATION_ROUTES, "/reservation", "reservation", "/v1"),
    "liquid-api.md": (CAPACITY_ROUTES, "/liquid-nova", "liquid", ""),
}


@pytest.mark.parametrize("name", SHOWN)
def test_every_route_is_shown_at_work(name: str) -> None:
    """The examples call each of them."""
    routes, mount, function, below = SHOWN[name]
    typed = [step.command for block in blocks(REPOSITORY / "docs" / name, "console") for step in steps(block)]
    calls = {
        (method, below + path)
        for command in typed
        for method, path in re.findall(rf"\b{function} ([A-Z]+) ['\"]?(/[^\s'\"?]*)", command)
    } | {("GET", path) for command in typed for path in re.findall(rf"http://127.0.0.1:8778{mount}(/[\w./]*)", command)}
    unused = [
        f"{method} {path}"
        for path, methods in routes.items()
        for method in methods
        if not any(method == used and re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", path), called) for used, called in calls)
    ]
    assert unused == []


def test_microversions() -> None:
    versions = [f"\n| 1.{minor} | " for minor in range(NEWEST[1] + 1)]
    assert missing(versions, "placement-api.md") == []


def test_error_codes() -> None:
    codes = [code for code in vars(errors).values() if isinstance(code, str) and code.startswith("placement.")]
    assert len(codes) == 10
    assert missing([f"| `{code}` |" for code in codes], "placement-api.md") == []


def test_policy_rules() -> None:
    rules = [f"| `{rule.name}` |" for rule in policies.rules(ROUTES)]
    assert missing(rules, "policy.md") == []


def test_dependencies() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    own = [re.match(r"[\w.-]+", wanted)[0] for wanted in project["dependencies"]]  # type: ignore[index]
    assert missing([f"| `{name}` |" for name in own], "architecture.md") == []
    further = [
        re.match(r"[\w.-]+", wanted)[0]  # type: ignore[index]
        for extra in project["optional-dependencies"].values()
        for wanted in extra
    ]
    assert missing([f"`{name}`" for name in further], "architecture.md") == []


@pytest.mark.parametrize("document", [path for path in DOCUMENTS if path.parent.name == "docs"], ids=name_of)
def test_the_readme_leads_to_every_document(document: Path) -> None:
    assert f"({name_of(document)})" in (REPOSITORY / "README.md").read_text(encoding="utf-8")
