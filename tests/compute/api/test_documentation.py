"""Every route and policy rule of the compute and image APIs is in its document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from moorage.compute.api import policies, routes
from moorage.compute.api.versions import VERSIONS
from moorage.compute.image_api import policies as image_policies
from moorage.compute.image_api import routes as image_routes
from moorage.web.versions import as_text
from tests.docs.documents import REPOSITORY

COMPUTE, IMAGE = REPOSITORY / "docs" / "compute-api.md", REPOSITORY / "docs" / "image-api.md"


def rows(table: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    for path, methods in table.items():
        for method in methods:
            yield f"| `{method}` | `{path}` |"


@pytest.mark.parametrize(
    ("document", "wanted"),
    [
        (COMPUTE, list(rows(routes.ROUTES))),
        (IMAGE, list(rows(image_routes.ROUTES))),
        (COMPUTE, [f"| `{rule.name}` |" for rule in policies.rules(routes.ROUTES)]),
        (IMAGE, [f"| `{rule.name}` |" for rule in image_policies.rules(image_routes.ROUTES)]),
        (COMPUTE, [f"{as_text(VERSIONS.oldest)} to {as_text(VERSIONS.newest)}"]),
    ],
    ids=["routes of compute", "routes of image", "rules of compute", "rules of image", "versions"],
)
def test_nothing_is_undocumented(document: Path, wanted: list[str]) -> None:
    text = document.read_text(encoding="utf-8")
    assert [line for line in wanted if line not in text] == []
