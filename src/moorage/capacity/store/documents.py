"""Documents that are made by looking at the cloud: all workers tell the newest, under a version that rises with it.

Two workers that look at the same time may see different things, and the one that began earlier may be the last to
write. So each says when it began to look, and what was seen earlier never replaces what was seen later.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, select, update

from moorage.capacity.store.tables import documents
from moorage.db.statements import insert_ignoring_duplicates

INFO = "info"
"""What the service says about itself."""
FLAVORS = "flavors"
"""Which flavors have no part in that."""
FIGURES = "figures"
"""What the last capacity report said, for those who watch."""


@dataclass(frozen=True, slots=True)
class Document:
    """A content with its version, and when it was last seen to be so."""

    version: int
    seen_at: int
    content: str


def find(connection: Connection, *names: str) -> dict[str, Document]:
    """The newest documents of some names, as far as there are any."""
    rows = connection.execute(select(documents).where(documents.c.name.in_(names)))
    return {row.name: Document(row.version, row.seen_at, row.content) for row in rows}


def publish(connection: Connection, name: str, content: str, seen_at: int) -> Document:
    """Make this the newest document, unless a newer one is there; whichever it is then is returned.

    The version stays as long as the content does. A new one is the time in seconds, or the next number if that is no
    more.
    """
    values = {"name": name, "version": 0, "seen_at": 0, "content": ""}
    connection.execute(insert_ignoring_duplicates(connection.dialect.name, documents).values(values))
    row = connection.execute(select(documents).where(documents.c.name == name).with_for_update()).one()
    known = Document(row.version, row.seen_at, row.content)
    if known.seen_at > seen_at:
        return known
    version = known.version
    if content != known.content:
        version = max(known.version + 1, seen_at // 1_000_000)
    connection.execute(
        update(documents).where(documents.c.name == name).values(version=version, seen_at=seen_at, content=content)
    )
    return Document(version, seen_at, content)
