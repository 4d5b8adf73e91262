"""Every route and policy rule of the reservation API is in its document."""

from __future__ import annotations

from moorage.reservations.api import policies, routes
from tests.docs.documents import REPOSITORY


def test_nothing_is_undocumented() -> None:
    text = (REPOSITORY / "docs" / "reservation-api.md").read_text(encoding="utf-8")
    rows = [f"| `{method}` | `{path}` |" for path, methods in routes.ROUTES.items() for method in methods]
    rules = [f"| `{rule.name}` |" for rule in policies.rules(routes.ROUTES)]
    assert [line for line in (*rows, *rules) if line not in text] == []
