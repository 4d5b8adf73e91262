"""A request as handlers see it: values, no WSGI."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from moorage.web.request import Parameters
from moorage.web.schema import Schema
from moorage.web.versions import Version

__all__ = ["Parameters", "Request"]


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
    # What the body must be like at this version; None for an operation that takes none.
    schema: Schema | None = None
