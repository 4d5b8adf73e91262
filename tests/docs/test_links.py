"""Links between the documents lead somewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.documents import DOCUMENTS, anchors, links, name_of


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_links_lead_somewhere(document: Path) -> None:
    assert [link for link in links(document) if not leads_somewhere(document, link)] == []


def leads_somewhere(document: Path, link: str) -> bool:
    if link.startswith(("https://", "http://")):
        return True
    path, _, fragment = link.partition("#")
    target = document.parent / path if path else document
    return target.is_file() and (not fragment or fragment in anchors(target))
