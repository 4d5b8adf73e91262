"""What must be there before anybody can log in: the standard roles, and an administrator in a project.

Safe at every start and from several workers at once: ids are fixed, and what is there already is left alone. The
administrator of the admin token and the user made here are one and the same, by id.
"""

from __future__ import annotations

from moorage.db.database import Database, Transaction, utc_now
from moorage.identity.model import ADMIN_USER_ID
from moorage.identity.passwords import Hasher
from moorage.identity.store import first_start, users


def bootstrap(database: Database, password: str, hasher: Hasher, *, is_new_password: bool) -> None:
    """Make what is missing. Somebody who took the old password away, and so got a new one, wants it to count."""
    if not database.read(users.are_there_any):
        hashed = hasher.hashed(password)
        database.tidy(lambda connection: first_start.make_everything(database.dialect, connection, hashed, utc_now()))
    else:
        database.tidy(lambda connection: first_start.make_roles(database.dialect, connection, utc_now()))
        if is_new_password and database.read(lambda connection: users.find(connection, ADMIN_USER_ID)):
            values = {"password": hasher.hashed(password)}

            def renew(tx: Transaction) -> None:
                users.change(tx, ADMIN_USER_ID, values)

            database.write(renew)
