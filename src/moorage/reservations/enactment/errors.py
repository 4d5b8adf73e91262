"""Why a step could not be carried out."""

from __future__ import annotations


class NotYet(Exception):
    """Something else has to happen first; it is worth another try soon. The message is a sentence for people."""


class UnfitCloud(Exception):
    """The cloud lacks what leases need, and somebody has to mend that."""
