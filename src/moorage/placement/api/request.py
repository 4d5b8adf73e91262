"""A request as handlers see it: values, no WSGI."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from moorage.placement.api.microversion import Version


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

    def last(self, name: str) -> str | None:
        """The value that counts where a parameter means one thing."""
        values = self.all(name)
        return values[-1] if values else None

    def as_dict(self) -> dict[str, str]:
        """What the schemas look at."""
        return dict(self.pairs)


@dataclass(frozen=True, slots=True)
class Request:
    """What a client asked for."""

    version: Version
    parameters: Parameters
    # The parts of the path that have names in the route table.
    path: Mapping[str, str]
    body: bytes
    # Where the API is mounted; every link starts with it.
    prefix: str
