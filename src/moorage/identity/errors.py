"""What can be wrong with a request about identity; `api/errors.py` says which status each of them is."""

from __future__ import annotations


class IdentityError(Exception):
    """Something that the caller can understand."""


class NotFound(IdentityError):
    """There is no such thing."""

    def __init__(self, kind: str, name: str) -> None:
        super().__init__(f"Could not find {kind}: {name}.")


class Conflict(IdentityError):
    """The name is taken."""

    def __init__(self, kind: str, name: str) -> None:
        super().__init__(
            f"Conflict occurred attempting to store {kind} - Duplicate entry found with name {name} at domain ID"
            " default."
        )


class NotAuthenticated(IdentityError):
    """Whoever it is has not shown that they are who they say; nothing tells what was wrong."""

    def __init__(self, message: str = "The request you have made requires authentication.") -> None:
        super().__init__(message)


class NotAllowed(IdentityError):
    """Known, but not for this."""


class Invalid(IdentityError):
    """The request makes no sense as it is."""
