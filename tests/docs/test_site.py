"""The documents as a site: every page is on it, every link on it leads somewhere, and nothing comes from elsewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.docs.documents import DOCUMENTS, REPOSITORY

MKDOCS = str(Path(sys.executable).with_name("mkdocs"))


def test_the_site_is_whole(tmp_path: Path) -> None:
    built = subprocess.run(
        [MKDOCS, "build", "--site-dir", str(tmp_path)],  # strict: a warning is an error
        cwd=REPOSITORY,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    wanted = {f"{path.stem}.html" for path in DOCUMENTS if path.parent.name == "docs"} | {
        "index.html",
        "changelog.html",
    }
    pages = {page.name: page.read_text(encoding="utf-8") for page in tmp_path.glob("*.html")}
    assert wanted <= pages.keys()
    loaded = re.compile(r'<(?:script|link|img)[^>]+(?:src|href)="(https?://[^"]+)"')
    assert {address for page in pages.values() for address in loaded.findall(page)} == set()
