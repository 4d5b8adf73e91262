"""What can stand in the way of a change, in words for the client."""

from __future__ import annotations


class NotFound(Exception):
    """There is no such thing, or none that the caller may know of."""


class AlreadyThere(Exception):
    """A name or an id is taken, or something is in a list already."""


class InUse(Exception):
    """Something cannot go, or change so, while it holds what it holds."""


class OverQuota(Exception):
    """The project may not have so many."""


class TooLarge(Exception):
    """Something would have more in it than there may be."""
