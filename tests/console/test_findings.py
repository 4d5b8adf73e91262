"""What does not agree, as the console's API tells it: each comparison by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from moorage.client.errors import Unavailable
from moorage.console.finding import Finding
from moorage.service import application
from tests.service.test_metrics import open_site

PATH = "/console/api/findings"


def test_one_that_cannot_be_made_hides_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = Finding("orphan", "somebody", "holds a place.")

    def away() -> list[Finding]:
        raise Unavailable("Compute is away.")

    monkeypatch.setattr(application, "server_audit", lambda _compute: lambda: [found])
    monkeypatch.setattr(application, "lease_audit", lambda _context: away)
    with open_site(tmp_path) as site:
        told = site.get(PATH).raise_for_status().json()
    assert told["errors"] == {"leases": "Compute is away."}
    assert told["findings"] == {"servers": [{"kind": "orphan", "subject": "somebody", "text": "holds a place."}]}


def test_a_mistake_of_ours_is_logged_and_hides_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken() -> list[Finding]:
        raise KeyError("secret")

    monkeypatch.setattr(application, "server_audit", lambda _compute: broken)
    with open_site(tmp_path) as site:
        told = site.get(PATH).raise_for_status().json()
    assert told == {"findings": {"leases": []}, "errors": {"servers": "It ended with KeyError; the log says more."}}
    assert "Comparing servers failed" in caplog.text
