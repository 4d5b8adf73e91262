"""What was made for a reservation and could not be found again by its name alone.

An entry is written before the thing is made and removed after it is gone, so that a crash in between loses nothing: at
worst something is noted down that was never made.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from moorage.db.database import Database, Transaction
from moorage.reservations.model.step import Step
from moorage.reservations.store import steps


@dataclass(frozen=True, slots=True)
class Notebook:
    """The entries of one reservation."""

    database: Database
    lease_id: str
    reservation_id: str

    def subjects(self, kind: str) -> dict[str, str]:
        """What is noted down of a kind: references by subject."""
        noted = self.database.read(lambda connection: steps.of_lease(connection, self.lease_id))
        return {
            step.subject: step.reference
            for step in noted
            if step.reservation_id == self.reservation_id and step.step == kind
        }

    def note(self, kind: str, subjects: Iterable[str], reference: str = "") -> None:
        """Write down several at once, those that are not noted down yet."""
        new = [subject for subject in subjects if self.subjects(kind).get(subject) != reference]

        def work(tx: Transaction) -> None:
            for subject in new:
                steps.record(tx, self._step(tx, kind, subject, reference))

        if new:
            self.database.write(work)

    def strike(self, kind: str, subjects: Iterable[str]) -> None:
        """Remove entries."""
        gone = list(subjects)

        def work(tx: Transaction) -> None:
            for subject in gone:
                steps.forget(tx, self._step(tx, kind, subject, ""))

        if gone:
            self.database.write(work)

    def _step(self, tx: Transaction, kind: str, subject: str, reference: str) -> Step:
        return Step(reservation_id=self.reservation_id, step=kind, subject=subject, reference=reference, done_at=tx.now)
