"""What of each reservation was carried out in Placement and compute."""

from __future__ import annotations

from sqlalchemy import Connection, delete, insert, select

from moorage.db.database import Transaction
from moorage.reservations.model.step import Step
from moorage.reservations.store.tables import enactment_steps, leases, reservations


def of_lease(connection: Connection, lease_uuid: str) -> list[Step]:
    """The steps of all reservations of a lease."""
    query = (
        select(enactment_steps, reservations.c.uuid)
        .join(reservations, reservations.c.id == enactment_steps.c.reservation_id)
        .join(leases, leases.c.id == reservations.c.lease_id)
        .where(leases.c.uuid == lease_uuid)
        .order_by(reservations.c.id, enactment_steps.c.step, enactment_steps.c.subject)
    )
    return [
        Step(
            reservation_id=row.uuid,
            step=row.step,
            subject=row.subject,
            reference=row.reference,
            done_at=row.done_at,
        )
        for row in connection.execute(query)
    ]


def record(tx: Transaction, step: Step) -> None:
    """Remember a step, in place of what was known of it."""
    forget(tx, step)
    number = _number(tx, step)
    tx.connection.execute(
        insert(enactment_steps).values(
            reservation_id=number,
            step=step.step,
            subject=step.subject,
            reference=step.reference,
            done_at=step.done_at,
        )
    )


def forget(tx: Transaction, step: Step) -> None:
    """Remember no longer that a step was done: it was undone."""
    number = _number(tx, step)
    tx.connection.execute(
        delete(enactment_steps).where(
            enactment_steps.c.reservation_id == number,
            enactment_steps.c.step == step.step,
            enactment_steps.c.subject == step.subject,
        )
    )
    tx.changed("enactment step", number)


def _number(tx: Transaction, step: Step) -> int:
    number: int = tx.connection.execute(
        select(reservations.c.id).where(reservations.c.uuid == step.reservation_id)
    ).scalar_one()
    return number
