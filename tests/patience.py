"""Waiting for what another thread or process is about to do."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

LONGEST_SECONDS = 60.0


def eventually(
    condition: Callable[[], object], what: str = "it", longest: float = LONGEST_SECONDS, evidence: object = ""
) -> None:
    """Come back as soon as the condition holds; `longest` where waiting for longer would hide what is looked for.

    The evidence is shown as it is when time is up.
    """
    deadline = time.monotonic() + longest
    while not condition():
        if time.monotonic() > deadline:
            pytest.fail(f"{what} did not happen within {longest:g} seconds {evidence}")
        time.sleep(0.02)
