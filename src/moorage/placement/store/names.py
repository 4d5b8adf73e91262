"""Resource classes and traits: the standard names that ship with a cloud's libraries, and custom ones."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime

import os_resource_classes
import os_traits
from sqlalchemy import Connection, Table, bindparam, delete, exists, insert, select, update

from moorage.db.batches import batches
from moorage.db.database import Database, Transaction
from moorage.placement.model.errors import (
    ResourceClassExists,
    ResourceClassInUse,
    ResourceClassNotFound,
    StandardResourceClass,
    StandardTrait,
    TraitInUse,
    TraitNotFound,
)
from moorage.placement.model.provider import Name
from moorage.placement.store.tables import inventories, provider_traits, resource_classes, traits

CUSTOM_PREFIX = "CUSTOM_"
_CUSTOM_NAME = re.compile(r"CUSTOM_[A-Z0-9_]{1,248}")

_TRAITS_NAMED = (
    select(traits.c.id, traits.c.name, traits.c.updated_at)
    .where(traits.c.name.in_(bindparam("names", expanding=True)))
    .order_by(traits.c.id)
)


def synchronise_standard_names(database: Database) -> None:
    """Add the standard resource classes and traits that the ledger does not know yet.

    Workers that start at the same time may try to add the same names: the one that comes second finds them there.
    """
    database.write(lambda tx: _add_missing(tx, resource_classes, "resource_class", os_resource_classes.STANDARDS))
    standard = set(os_resource_classes.STANDARDS)
    database.lasting.update(database.read(lambda connection: _ids(connection, resource_classes, standard)))
    database.write(lambda tx: _add_missing(tx, traits, "trait", os_traits.get_traits()))


def ensure_custom_names(tx: Transaction, class_names: Iterable[str], trait_names: Iterable[str]) -> None:
    """Make sure that these resource classes and traits exist, as far as they are custom ones.

    Standard names, and what can be no name, are left to whoever looks them up.
    """
    for table, kind, names in ((resource_classes, "resource_class", class_names), (traits, "trait", trait_names)):
        wanted = sorted({name for name in names if _CUSTOM_NAME.fullmatch(name)})
        if wanted:
            _add_missing(tx, table, kind, wanted)


def ensure_names(tx: Transaction, class_names: Iterable[str], trait_names: Iterable[str]) -> None:
    """Make sure that these exist, standard ones of another release included: for ledgers that are carried over."""
    _add_missing(tx, resource_classes, "resource_class", sorted(class_names))
    _add_missing(tx, traits, "trait", sorted(trait_names))


def _add_missing(tx: Transaction, table: Table, kind: str, names: Sequence[str]) -> None:
    known = set(tx.connection.execute(select(table.c.name)).scalars())
    missing = [name for name in names if name not in known]
    if not missing:
        return
    rows = [{"name": name, "created_at": tx.now, "updated_at": tx.now} for name in missing]
    for key in tx.connection.execute(insert(table).returning(table.c.id), rows).scalars():
        tx.changed(kind, key)


# --- resource classes


def list_resource_classes(connection: Connection) -> list[Name]:
    """All resource classes, standard ones first."""
    return _names(connection, resource_classes)


def find_resource_class(connection: Connection, name: str) -> Name:
    """The resource class of this name."""
    found = _find(connection, resource_classes, name)
    if found is None:
        raise ResourceClassNotFound(name)
    return found


def resource_class_ids(tx: Transaction, names: Iterable[str]) -> dict[str, int]:
    """The numbers of resource classes by name; all of them must exist."""
    wanted = set(names)
    found = known_resource_classes(tx, wanted)
    for name in sorted(wanted):
        if name not in found:
            raise ResourceClassNotFound(name)
    return found


def known_resource_classes(tx: Transaction, names: Collection[str]) -> dict[str, int]:
    """The numbers of those resource classes that exist, by name. Standard ones never change theirs."""
    found = {name: tx.lasting[name] for name in names if name in tx.lasting}
    return found | _ids(tx.connection, resource_classes, set(names) - found.keys())


def create_resource_class(tx: Transaction, name: str) -> None:
    """Add a custom resource class."""
    if _find(tx.connection, resource_classes, name) is not None:
        raise ResourceClassExists(name)
    _create(tx, resource_classes, "resource_class", name)


def ensure_resource_class(tx: Transaction, name: str) -> bool:
    """Make sure that a custom resource class exists; whether it had to be created."""
    if _find(tx.connection, resource_classes, name) is not None:
        return False
    _create(tx, resource_classes, "resource_class", name)
    return True


def rename_resource_class(tx: Transaction, old: str, new: str) -> None:
    """Give a custom resource class another name."""
    found = find_resource_class(tx.connection, old)
    if not old.startswith(CUSTOM_PREFIX):
        raise StandardResourceClass("update", old)
    if new != old and _find(tx.connection, resource_classes, new) is not None:
        raise ResourceClassExists(new)
    tx.connection.execute(
        update(resource_classes).where(resource_classes.c.id == found.id).values(name=new, updated_at=tx.now)
    )
    tx.changed("resource_class", found.id)
    # Copies of the ledger know inventories by the name of their class.
    providers = select(inventories.c.resource_provider_id).where(inventories.c.resource_class_id == found.id)
    for provider_id in tx.connection.execute(providers).scalars():
        tx.changed("provider", provider_id)


def delete_resource_class(tx: Transaction, name: str) -> None:
    """Remove a custom resource class that no inventory has."""
    found = find_resource_class(tx.connection, name)
    if not name.startswith(CUSTOM_PREFIX):
        raise StandardResourceClass("delete", name)
    if tx.connection.execute(select(exists().where(inventories.c.resource_class_id == found.id))).scalar():
        raise ResourceClassInUse(name)
    tx.connection.execute(delete(resource_classes).where(resource_classes.c.id == found.id))
    tx.changed("resource_class", found.id)


# --- traits


def list_traits(connection: Connection) -> list[Name]:
    """All traits, standard ones first."""
    return _names(connection, traits)


def find_trait(connection: Connection, name: str) -> Name:
    """The trait of this name."""
    found = _find(connection, traits, name)
    if found is None:
        raise TraitNotFound([name])
    return found


def traits_named(connection: Connection, names: Collection[str]) -> list[Name]:
    """The traits of these names, in the order they were made; all of them must exist."""
    if not names:
        return []
    found = [Name(*row) for row in connection.execute(_TRAITS_NAMED, {"names": sorted(set(names))})]
    if unknown := set(names).difference(trait.name for trait in found):
        raise TraitNotFound(unknown)
    return found


def known_traits(connection: Connection, names: Collection[str]) -> dict[str, int]:
    """The numbers of those traits that exist, by name."""
    return _ids(connection, traits, names)


def ensure_trait(tx: Transaction, name: str) -> tuple[bool, datetime]:
    """Make sure that a custom trait exists; whether it had to be created, and when it was."""
    found = _find(tx.connection, traits, name)
    if found is not None:
        return False, found.updated_at
    _create(tx, traits, "trait", name)
    return True, tx.now


def delete_trait(tx: Transaction, name: str) -> None:
    """Remove a custom trait that no provider has."""
    found = find_trait(tx.connection, name)
    if not name.startswith(CUSTOM_PREFIX):
        raise StandardTrait(name)
    if tx.connection.execute(select(exists().where(provider_traits.c.trait_id == found.id))).scalar():
        raise TraitInUse(name)
    tx.connection.execute(delete(traits).where(traits.c.id == found.id))
    tx.changed("trait", found.id)


# --- both


def _names(connection: Connection, table: Table) -> list[Name]:
    rows = connection.execute(select(table.c.id, table.c.name, table.c.updated_at).order_by(table.c.id))
    return [Name(*row) for row in rows]


def _find(connection: Connection, table: Table, name: str) -> Name | None:
    row = connection.execute(
        select(table.c.id, table.c.name, table.c.updated_at).where(table.c.name == name)
    ).one_or_none()
    return Name(*row) if row is not None else None


def _ids(connection: Connection, table: Table, names: Collection[str]) -> dict[str, int]:
    if not names:
        return {}
    return {
        row.name: row.id
        for batch in batches(sorted(names))
        for row in connection.execute(select(table.c.name, table.c.id).where(table.c.name.in_(batch)))
    }


def _create(tx: Transaction, table: Table, kind: str, name: str) -> None:
    values: Mapping[str, object] = {"name": name, "created_at": tx.now, "updated_at": tx.now}
    key = tx.connection.execute(insert(table).values(values).returning(table.c.id)).scalar_one()
    tx.changed(kind, key)
