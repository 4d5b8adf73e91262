"""Flavors with their extra specs, and the projects that may use those that are not public."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from moorage.compute.model.flavor import Flavor
from moorage.compute.store.errors import AlreadyThere, NotFound
from moorage.compute.store.key_conditions import key_condition
from moorage.compute.store.tables import flavor_extra_specs, flavor_projects, flavors
from moorage.db.database import Transaction
from moorage.db.statements import inserted_number

KIND = "flavor"


def all_flavors(connection: Connection) -> list[Flavor]:
    """Every flavor, by id."""
    return _with_what_belongs(connection, connection.execute(select(flavors).order_by(flavors.c.flavor_id)).all())


def find(connection: Connection, flavor_id: str) -> Flavor:
    """The flavor with an id."""
    rows = connection.execute(select(flavors).where(flavors.c.flavor_id == flavor_id)).all()
    if not rows:
        raise not_found(flavor_id)
    return _with_what_belongs(connection, rows)[0]


def not_found(flavor_id: str) -> NotFound:
    """How a flavor is missed, also by those who may not know of it."""
    return NotFound(f"Flavor {flavor_id} could not be found.")


def create(tx: Transaction, flavor: Flavor) -> Flavor:
    """A new flavor."""
    if _exists(tx.connection, flavors.c.name == flavor.name):
        raise AlreadyThere(f"Flavor with name {flavor.name} already exists.")
    if _exists(tx.connection, flavors.c.flavor_id == flavor.flavor_id):
        raise AlreadyThere(f"Flavor with ID {flavor.flavor_id} already exists.")
    number = inserted_number(
        tx.connection,
        flavors,
        flavor_id=flavor.flavor_id,
        name=flavor.name,
        ram_mb=flavor.ram_mb,
        vcpus=flavor.vcpus,
        disk_gb=flavor.disk_gb,
        ephemeral_gb=flavor.ephemeral_gb,
        swap_mb=flavor.swap_mb,
        rxtx_factor=flavor.rxtx_factor,
        is_public=flavor.is_public,
        disabled=flavor.disabled,
        description=flavor.description,
        created_at=tx.now,
        updated_at=tx.now,
    )
    _write_extra_specs(tx, number, flavor.extra_specs)
    _insert(tx, flavor_projects, [{"flavor_id": number, "project_id": project} for project in sorted(flavor.projects)])
    tx.changed(KIND, number)
    return find(tx.connection, flavor.flavor_id)


def describe(tx: Transaction, flavor_id: str, description: str | None) -> Flavor:
    """Change the description, which is all that can change of a flavor itself."""
    number = _lock(tx, flavor_id)
    tx.connection.execute(
        update(flavors).where(flavors.c.id == number).values(description=description, updated_at=tx.now)
    )
    return find(tx.connection, flavor_id)


def remove(tx: Transaction, flavor_id: str) -> None:
    """Remove a flavor. Servers keep what they were made of."""
    number = _lock(tx, flavor_id)
    for table in (flavor_extra_specs, flavor_projects):
        tx.connection.execute(delete(table).where(table.c.flavor_id == number))
    tx.connection.execute(delete(flavors).where(flavors.c.id == number))


def set_extra_specs(tx: Transaction, flavor_id: str, extra_specs: Mapping[str, str]) -> Flavor:
    """Set these extra specs; the others stay. What they come to together is for the caller to judge."""
    number = _lock(tx, flavor_id)
    _delete_extra_specs(tx, number, extra_specs.keys())
    _write_extra_specs(tx, number, extra_specs)
    return find(tx.connection, flavor_id)


def remove_extra_spec(tx: Transaction, flavor_id: str, name: str) -> Flavor:
    """Remove an extra spec."""
    number = _lock(tx, flavor_id)
    if not _delete_extra_specs(tx, number, [name]):
        raise extra_spec_not_found(flavor_id, name)
    return find(tx.connection, flavor_id)


def extra_spec_not_found(flavor_id: str, name: str) -> NotFound:
    """How an extra spec is missed."""
    return NotFound(f"Flavor {flavor_id} has no extra specs with key {name}.")


def grant(tx: Transaction, flavor_id: str, project_id: str) -> Flavor:
    """Let a project use a flavor."""
    number = _lock(tx, flavor_id)
    if project_id in find(tx.connection, flavor_id).projects:
        raise AlreadyThere(f"Flavor access already exists for flavor {flavor_id} and project {project_id} combination.")
    _insert(tx, flavor_projects, [{"flavor_id": number, "project_id": project_id}])
    return find(tx.connection, flavor_id)


def revoke(tx: Transaction, flavor_id: str, project_id: str) -> Flavor:
    """Let a project use a flavor no longer."""
    number = _lock(tx, flavor_id)
    gone = tx.connection.execute(
        delete(flavor_projects).where(flavor_projects.c.flavor_id == number, flavor_projects.c.project_id == project_id)
    ).rowcount
    if not gone:
        raise NotFound(f"Flavor access not found for {flavor_id} / {project_id} combination.")
    return find(tx.connection, flavor_id)


def _lock(tx: Transaction, flavor_id: str) -> int:
    """The number of a flavor that nobody else changes meanwhile."""
    number: int | None = tx.connection.execute(
        select(flavors.c.id).where(flavors.c.flavor_id == flavor_id).with_for_update()
    ).scalar()
    if number is None:
        raise not_found(flavor_id)
    tx.changed(KIND, number)
    return number


def _exists(connection: Connection, condition: Any) -> bool:
    return connection.execute(select(flavors.c.id).where(condition)).scalar() is not None


def _insert(tx: Transaction, table: Any, rows: list[dict[str, Any]]) -> None:
    if rows:
        tx.connection.execute(insert(table), rows)


def _write_extra_specs(tx: Transaction, number: int, extra_specs: Mapping[str, str]) -> None:
    rows = [{"flavor_id": number, "name": name, "value": value} for name, value in sorted(extra_specs.items())]
    _insert(tx, flavor_extra_specs, rows)


def _delete_extra_specs(tx: Transaction, number: int, names: Collection[str]) -> int:
    return tx.connection.execute(
        delete(flavor_extra_specs).where(
            flavor_extra_specs.c.flavor_id == number, flavor_extra_specs.c.name.in_(sorted(names))
        )
    ).rowcount


def _with_what_belongs(connection: Connection, rows: Sequence[Any]) -> list[Flavor]:
    numbers = [row.id for row in rows]
    extra_specs: dict[int, dict[str, str]] = defaultdict(dict)
    for spec in connection.execute(
        select(flavor_extra_specs).where(key_condition(flavor_extra_specs.c.flavor_id, numbers))
    ):
        extra_specs[spec.flavor_id][spec.name] = spec.value
    projects: dict[int, set[str]] = defaultdict(set)
    for grant_row in connection.execute(
        select(flavor_projects).where(key_condition(flavor_projects.c.flavor_id, numbers))
    ):
        projects[grant_row.flavor_id].add(grant_row.project_id)
    return [
        Flavor(
            flavor_id=row.flavor_id,
            name=row.name,
            ram_mb=row.ram_mb,
            vcpus=row.vcpus,
            disk_gb=row.disk_gb,
            ephemeral_gb=row.ephemeral_gb,
            swap_mb=row.swap_mb,
            rxtx_factor=row.rxtx_factor,
            is_public=row.is_public,
            disabled=row.disabled,
            description=row.description,
            extra_specs=dict(sorted(extra_specs[row.id].items())),
            projects=frozenset(projects[row.id]),
        )
        for row in rows
    ]
