"""What is wrong with a request, and what is wrong with an answer before it is sent."""

from __future__ import annotations

from collections.abc import Sequence


class InvalidRequest(Exception):
    """A request that makes no sense; the message names the field, its value and what is allowed."""


class InvalidAnswer(Exception):
    """An answer that breaks the rules of the protocol, which is a mistake of this program."""

    def __init__(self, what: str, complaints: Sequence[str]) -> None:
        super().__init__(
            f"The {what} that was made here breaks the rules of LIQUID, so it was not sent:"
            f" {'; '.join(complaints)}. This is a bug in Moorage: please report it with this message."
        )
