"""What was made for a reservation and could not be found again by its name alone.

It is recorded before it is made and forgotten after it is gone, so that a crash in between loses nothing: at worst
something is recorded that was never made.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from moorage.db.database import Database, Transaction
from moorage.reservations.model.step import Step
from moorage.reservations.store import steps


@dataclass(frozen=True, slots=True)
class CreatedResources:
    """What is recorded of one reservation."""

    database: Database
    lease_id: str
    reservation_id: str

    def subjects(self, kind: str) -> dict[str, str]:
        """What is recorded of a kind: references by subject."""
        recorded = self.database.read(lambda connection: steps.of_lease(connection, self.lease_id))
        return {
            step.subject: step.reference
            for step in recorded
            if step.reservation_id == self.reservation_id and step.step == kind
        }

    def record(self, kind: str, subjects: Iterable[str], reference: str = "") -> None:
        """Record several at once, those that are not recorded yet."""
        recorded = self.subjects(kind)
        new = [subject for subject in subjects if recorded.get(subject) != reference]

        def work(tx: Transaction) -> None:
            for subject in new:
                steps.record(tx, self._step(tx, kind, subject, reference))

        if new:
            self.database.write(work)

    def forget(self, kind: str, subjects: Iterable[str]) -> None:
        """Take them off the record."""
        gone = list(subjects)

        def work(tx: Transaction) -> None:
            for subject in gone:
                steps.forget(tx, self._step(tx, kind, subject, ""))

        if gone:
            self.database.write(work)

    def _step(self, tx: Transaction, kind: str, subject: str, reference: str) -> Step:
        return Step(reservation_id=self.reservation_id, step=kind, subject=subject, reference=reference, done_at=tx.now)
