"""The declaration that all workers tell, under a version that rises with every change of it and never otherwise.

It is kept in the database. A worker that needs it and finds it old looks at the cloud's flavors and publishes what it
sees; a capacity report, which has looked at them anyway, publishes them too, so that it says nothing else than the info
whose version it names.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import msgspec
from sqlalchemy import Connection

from moorage.capacity.declaration import Declaration, declare
from moorage.capacity.model.configuration import Configuration
from moorage.capacity.model.flavor import Flavor
from moorage.capacity.protocol.info import ServiceInfo
from moorage.capacity.protocol.validation import check_info
from moorage.capacity.reading.flavors import read_flavors
from moorage.capacity.store import documents
from moorage.capacity.store.documents import FLAVORS, INFO, Document
from moorage.client.compute import ComputeClient
from moorage.db.database import Database

FRESH_SECONDS = 30
"""A flavor that is made or deleted shows after so many seconds at the latest."""


def microseconds() -> int:
    """The time since 1970."""
    return time.time_ns() // 1000


class _Uncounted(msgspec.Struct, frozen=True):
    ironic: frozenset[str] = frozenset()
    undeclared: frozenset[str] = frozenset()


@dataclass
class Declarations:
    """Reads and publishes the declaration. May be used by several threads at once."""

    database: Database
    compute: ComputeClient
    configuration: Configuration
    now: Callable[[], int] = microseconds
    _lock: threading.Lock = field(default_factory=threading.Lock)
    # What was published before this process began may have been made with other settings.
    _has_published: bool = False

    def current(self) -> Declaration:
        """The declaration, at most half a minute old."""
        if (known := self._known()) is not None:
            return known
        with self._lock:
            # Somebody else may have looked while this one waited.
            if (known := self._known()) is not None:
                return known
            seen_at = self.now()
            return self.publish(read_flavors(self.compute), seen_at)

    def publish(self, flavors: Iterable[Flavor], seen_at: int) -> Declaration:
        """Make public what follows from flavors that somebody began to read at a time.

        Whoever has seen the cloud later is right: then it is their declaration that is returned.
        """
        defaults = self.compute.default_quotas() if self.configuration.with_hw_version_resources else None
        declaration = declare(flavors, self.configuration, defaults)
        check_info(declaration.info)
        contents = {
            INFO: _encoded(declaration.info),
            FLAVORS: _encoded(_Uncounted(declaration.ironic_flavors, declaration.undeclared_flavors)),
        }

        def work(connection: Connection) -> dict[str, Document]:
            return {name: documents.publish(connection, name, content, seen_at) for name, content in contents.items()}

        published = self.database.tidy(work)
        self._has_published = True
        return _decoded(published)

    def _known(self) -> Declaration | None:
        if not self._has_published:
            return None
        found = self.database.read(lambda connection: documents.find(connection, INFO, FLAVORS))
        if len(found) < len((INFO, FLAVORS)):
            return None
        is_fresh = self.now() - found[INFO].seen_at < FRESH_SECONDS * 1_000_000
        return _decoded(found) if is_fresh else None


def _encoded(content: object) -> str:
    return msgspec.json.encode(content, order="deterministic").decode()


def _decoded(found: dict[str, Document]) -> Declaration:
    info = msgspec.json.decode(found[INFO].content, type=ServiceInfo)
    uncounted = msgspec.json.decode(found[FLAVORS].content, type=_Uncounted)
    return Declaration(info, uncounted.ironic, uncounted.undeclared).with_version(found[INFO].version)
