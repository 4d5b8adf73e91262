"""Why a request about leases or hosts is refused, in words for the client; one class for each kind of answer."""

from __future__ import annotations


class Refusal(Exception):
    """A request that changes nothing."""


class Invalid(Refusal):
    """The request itself is wrong: a value that is missing, malformed or not allowed."""


class OutsideLease(Refusal):
    """A time that does not lie in the lease."""


class NotEnough(Refusal):
    """There is not as much free as was asked for."""


class CannotChange(Refusal):
    """The lease, or the host, is in a state that does not allow this."""


class OverLimit(Refusal):
    """The project would have more than it may."""
