"""Images with their properties, tags and members. Moorage keeps what is known about an image, not its bytes."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection, delete, insert, select, update

from moorage.compute.model.image import Image
from moorage.compute.model.image_bounds import excess
from moorage.compute.store.errors import AlreadyThere, InUse, NotFound, TooLarge
from moorage.compute.store.tables import image_members, image_properties, image_tags, images
from moorage.db.batches import rows_of
from moorage.db.database import Transaction
from moorage.db.statements import inserted_number

KIND = "image"

MemberStatus = Literal["pending", "accepted", "rejected"]


@dataclass(frozen=True, slots=True)
class Member:
    """A project that an image is shared with, and what the project thinks of it."""

    image_uuid: str
    project_id: str
    status: MemberStatus
    created_at: datetime
    updated_at: datetime


def find(connection: Connection, uuid: str) -> Image:
    """The image with a UUID."""
    rows = connection.execute(select(images).where(images.c.uuid == uuid)).all()
    if not rows:
        raise not_found(uuid)
    return with_what_belongs(connection, rows)[0]


def not_found(uuid: str) -> NotFound:
    """How an image is missed, also by those who may not know of it."""
    return NotFound(f"No image found with ID {uuid}")


def create(tx: Transaction, image: Image) -> Image:
    """A new image."""
    _check_bounds(image)
    if tx.connection.execute(select(images.c.id).where(images.c.uuid == image.uuid)).scalar() is not None:
        raise AlreadyThere(f"Image ID {image.uuid} already exists!")
    number = inserted_number(
        tx.connection, images, uuid=image.uuid, created_at=tx.now, updated_at=tx.now, **_columns(image)
    )
    _write_properties_and_tags(tx, number, image)
    tx.changed(KIND, number)
    return find(tx.connection, image.uuid)


def replace(tx: Transaction, image: Image) -> Image:
    """Make an image like this one, which was made from what `lock` gave."""
    _check_bounds(image, find(tx.connection, image.uuid))
    number = _number(tx.connection, image.uuid)
    tx.connection.execute(update(images).where(images.c.id == number).values(updated_at=tx.now, **_columns(image)))
    for table in (image_properties, image_tags):
        tx.connection.execute(delete(table).where(table.c.image_id == number))
    _write_properties_and_tags(tx, number, image)
    return find(tx.connection, image.uuid)


def lock(tx: Transaction, uuid: str) -> Image:
    """An image that nobody else changes meanwhile."""
    tx.connection.execute(select(images.c.id).where(images.c.uuid == uuid).with_for_update()).all()
    image = find(tx.connection, uuid)
    tx.changed(KIND, _number(tx.connection, uuid))
    return image


def remove(tx: Transaction, uuid: str) -> None:
    """Remove an image. Servers keep what they were made of."""
    image = lock(tx, uuid)
    if image.protected:
        raise InUse(f"Image {uuid} is protected and cannot be deleted.")
    number = _number(tx.connection, uuid)
    for table in (image_properties, image_tags, image_members):
        tx.connection.execute(delete(table).where(table.c.image_id == number))
    tx.connection.execute(delete(images).where(images.c.id == number))


# --- members


def members(connection: Connection, uuid: str) -> list[Member]:
    """The projects that an image is shared with."""
    query = (
        select(image_members)
        .where(image_members.c.image_id == _number(connection, uuid))
        .order_by(image_members.c.project_id)
    )
    return [
        Member(uuid, row.project_id, row.status, row.created_at, row.updated_at) for row in connection.execute(query)
    ]


def member(connection: Connection, uuid: str, project_id: str) -> Member:
    """One of them."""
    for found in members(connection, uuid):
        if found.project_id == project_id:
            return found
    raise NotFound(f"{project_id} is not a member of the image {uuid}.")


def share(tx: Transaction, uuid: str, project_id: str) -> Member:
    """Share an image with one more project, which may accept it or not."""
    image = lock(tx, uuid)
    if project_id in image.members:
        raise AlreadyThere(f"The image {uuid} is already associated with the member {project_id}.")
    _check_bounds(dataclasses.replace(image, members=image.members | {project_id}), image)
    tx.connection.execute(
        insert(image_members).values(
            image_id=_number(tx.connection, uuid),
            project_id=project_id,
            status="pending",
            created_at=tx.now,
            updated_at=tx.now,
        )
    )
    return member(tx.connection, uuid, project_id)


def answer(tx: Transaction, uuid: str, project_id: str, status: MemberStatus) -> Member:
    """Note down what a project thinks of an image that is shared with it."""
    lock(tx, uuid)
    member(tx.connection, uuid, project_id)
    tx.connection.execute(
        update(image_members).where(_is_member(tx, uuid, project_id)).values(status=status, updated_at=tx.now)
    )
    return member(tx.connection, uuid, project_id)


def unshare(tx: Transaction, uuid: str, project_id: str) -> None:
    """Share an image with a project no longer."""
    lock(tx, uuid)
    member(tx.connection, uuid, project_id)
    tx.connection.execute(delete(image_members).where(_is_member(tx, uuid, project_id)))


def _is_member(tx: Transaction, uuid: str, project_id: str) -> Any:
    number = _number(tx.connection, uuid)
    return (image_members.c.image_id == number) & (image_members.c.project_id == project_id)


def _number(connection: Connection, uuid: str) -> int:
    number: int = connection.execute(select(images.c.id).where(images.c.uuid == uuid)).scalar_one()
    return number


def _check_bounds(image: Image, before: Image | None = None) -> None:
    if (complaint := excess(image, before)) is not None:
        raise TooLarge(complaint)


def _columns(image: Image) -> dict[str, Any]:
    return {
        "name": image.name,
        "owner": image.owner,
        "visibility": image.visibility,
        "status": image.status,
        "min_disk_gb": image.min_disk_gb,
        "min_ram_mb": image.min_ram_mb,
        "disk_format": image.disk_format,
        "container_format": image.container_format,
        "size": image.size,
        "protected": image.protected,
        "hidden": image.hidden,
    }


def _write_properties_and_tags(tx: Transaction, number: int, image: Image) -> None:
    named = sorted(image.properties.items())
    if named:
        rows = [{"image_id": number, "name": name, "value": value} for name, value in named]
        tx.connection.execute(insert(image_properties), rows)
    if image.tags:
        tx.connection.execute(insert(image_tags), [{"image_id": number, "tag": tag} for tag in sorted(image.tags)])


def with_what_belongs(connection: Connection, rows: Sequence[Any]) -> list[Image]:
    """Images from rows of their table, and from what else belongs to them."""
    numbers = [row.id for row in rows]
    properties: dict[int, dict[str, str]] = defaultdict(dict)
    for item in rows_of(connection, select(image_properties), image_properties.c.image_id, numbers):
        properties[item.image_id][item.name] = item.value
    tags: dict[int, set[str]] = defaultdict(set)
    for item in rows_of(connection, select(image_tags), image_tags.c.image_id, numbers):
        tags[item.image_id].add(item.tag)
    shared: dict[int, set[str]] = defaultdict(set)
    for item in rows_of(connection, select(image_members), image_members.c.image_id, numbers):
        shared[item.image_id].add(item.project_id)
    return [
        Image(
            uuid=row.uuid,
            name=row.name,
            owner=row.owner,
            created_at=row.created_at,
            updated_at=row.updated_at,
            visibility=row.visibility,
            status=row.status,
            properties=dict(sorted(properties[row.id].items())),
            tags=frozenset(tags[row.id]),
            members=frozenset(shared[row.id]),
            min_disk_gb=row.min_disk_gb,
            min_ram_mb=row.min_ram_mb,
            disk_format=row.disk_format,
            container_format=row.container_format,
            size=row.size,
            protected=row.protected,
            hidden=row.hidden,
        )
        for row in rows
    ]
