"""The ids of the request that is being answered: all that it leads to carries them, log lines and other calls."""

from __future__ import annotations

import re
from contextvars import ContextVar
from dataclasses import dataclass

# Where a request's own id is left in its environment, for the errors that name it.
REQUEST_ID = "moorage.request_id"

_CALLERS_ID = re.compile("req-[0-9a-fA-F-]{36}")


@dataclass(frozen=True, slots=True)
class RequestIds:
    """A request's own id, and the one that its caller gave it, if it has the form of one."""

    own: str
    callers: str | None = None

    def __str__(self) -> str:
        return f"{self.callers} {self.own}" if self.callers else self.own

    @property
    def to_pass_on(self) -> str:
        """The id that calls to other services carry: the one that began the story."""
        return self.callers or self.own


request_ids: ContextVar[RequestIds | None] = ContextVar("request_ids", default=None)


def ids_of(own: str, given: str) -> RequestIds:
    """The ids of a request whose caller sent `given`."""
    return RequestIds(own, given if _CALLERS_ID.fullmatch(given) else None)
