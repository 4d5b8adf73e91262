"""A request as handlers see it: values, no WSGI."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, overload
from urllib.parse import parse_qsl

from moorage.web.caller import Caller
from moorage.web.errors import bad_request
from moorage.web.versions import Version


@dataclass(frozen=True, slots=True)
class Parameters:
    """The query string: names and values in the order they were given, names possibly repeated."""

    pairs: tuple[tuple[str, str], ...] = ()

    def __contains__(self, name: str) -> bool:
        """Whether the parameter was given at all."""
        return any(key == name for key, _ in self.pairs)

    def all(self, name: str) -> list[str]:
        """Every value of a parameter."""
        return [value for key, value in self.pairs if key == name]

    @overload
    def last(self, name: str) -> str | None: ...

    @overload
    def last(self, name: str, usual: str) -> str: ...

    def last(self, name: str, usual: str | None = None) -> str | None:
        """The value that counts where a parameter means one thing."""
        values = self.all(name)
        return values[-1] if values else usual

    def as_dict(self) -> dict[str, str]:
        """What the schemas look at."""
        return dict(self.pairs)


def parse_parameters(query_string: str) -> Parameters:
    """A query string as WSGI has it, which is bytes in the guise of text."""
    try:
        text = query_string.encode("latin-1").decode()
        pairs = parse_qsl(text, keep_blank_values=True, errors="strict")
    except (UnicodeError, ValueError) as error:
        raise bad_request(f"Invalid query string parameters: {error}") from error
    if any("\0" in part for pair in pairs for part in pair):
        raise bad_request("Invalid query string parameters: a NUL character is allowed nowhere")
    return Parameters(tuple(pairs))


@dataclass(frozen=True, slots=True)
class Request:
    """What a client asked for."""

    version: Version
    parameters: Parameters
    # The parts of the path that have names in the route table.
    path: Mapping[str, str]
    # The decoded body, which the operation's schema has seen; None where there is none.
    content: Any
    headers: Mapping[str, str]
    # None where an operation is open to everybody.
    caller: Caller | None
    # Where the API is mounted, as the client reaches it: every link starts with it.
    base_url: str

    @property
    def known_caller(self) -> Caller:
        """The caller of an operation that is not open to everybody."""
        if self.caller is None:
            raise AssertionError("an operation without a rule asks who is calling")
        return self.caller
