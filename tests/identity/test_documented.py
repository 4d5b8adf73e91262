"""Every route, every rule and every setting of the room is named where a reader looks for it."""

from __future__ import annotations

from moorage.identity.api.policies import rules
from moorage.identity.api.routes import ROUTES
from moorage.identity.options import IDENTITY_OPTIONS
from tests.docs.documents import REPOSITORY

DOCUMENT = (REPOSITORY / "docs" / "identity.md").read_text(encoding="utf-8")


def test_routes() -> None:
    routes = [f"| `{method}` | `{path}` | " for path, methods in ROUTES.items() for method in methods]
    assert [route for route in routes if route not in DOCUMENT] == []
    assert DOCUMENT.count("| `/v3") == len(routes) - 1


def test_rules_with_their_defaults() -> None:
    lines = [f"| `{rule.name}` | `{rule.check_str}` |" for rule in rules()]
    assert [line for line in lines if line not in DOCUMENT] == []


def test_settings() -> None:
    assert [option.name for option in IDENTITY_OPTIONS if f"[identity] {option.name}" not in DOCUMENT] == []
