"""Something that does not agree, as the audits of different rooms find it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """What kind of thing, about whom, and a sentence."""

    kind: str
    subject: str
    text: str


Audit = Callable[[], list[Finding]]
"""Looks, and changes nothing."""
