"""The parts of the documents that the program writes are up to date."""

from __future__ import annotations

import subprocess
import sys

from tests.docs.documents import REPOSITORY


def test_they_are_current() -> None:
    script = REPOSITORY / "tools" / "generate-docs"
    checked = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
