"""What the handlers of the API work with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from sqlalchemy import Connection

from moorage.db.database import Database, Transaction, utc_now
from moorage.identity.authentication import Authentication
from moorage.identity.catalog import Catalog
from moorage.identity.tokens import TokenBook
from moorage.web.caller import Allows

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Room:
    """The database, who is who, and where everything is."""

    database: Database
    book: TokenBook
    authentication: Authentication
    catalog: Catalog
    allows: Allows
    now: Callable[[], datetime] = utc_now

    def read(self, work: Callable[[Connection], Result]) -> Result:
        """What a function answers over one snapshot."""
        return self.database.read(work)

    def change(self, work: Callable[[Transaction], Result]) -> Result:
        """What a function answers, once all it wrote is durable; tokens are looked at anew then."""
        result = self.database.write(work)
        self.book.forget()
        return result
