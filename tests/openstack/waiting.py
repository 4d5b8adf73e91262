"""Waiting for what somebody else in the cloud brings about."""

from __future__ import annotations

from collections.abc import Callable

from openstack.utils import iterate_timeout

LONGEST_SECONDS = 240


def eventually(is_so: Callable[[], bool], what: str, seconds: int = LONGEST_SECONDS, pause: float = 1) -> None:
    """Come back as soon as something is so."""
    for _ in iterate_timeout(seconds, f"in vain: {what}", wait=pause):
        if is_so():
            return
