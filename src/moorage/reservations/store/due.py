"""Events whose time has come, and who takes them; and those that are overdue, for who watches.

All due events of a lease are one job, and so is that of a host: a claim on the lease keeps everybody else from it, also
when somebody changes its events meanwhile.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection, Row, and_, case, exists, func, or_, select, update

from moorage.db.database import Transaction
from moorage.reservations.store import claims
from moorage.reservations.store.tables import enactment_claims, lease_events, leases

JobKind = Literal["lease", "host"]

_events = lease_events.c
_claims = enactment_claims.c
# Looked at together, so that workers that come at the same time find different ones.
_AT_ONCE = 50
# Of what is due at the same time, ends come first: they make room for starts.
_RANK = case(
    {"end_lease": 0, "settle_host": 1, "settle_lease": 2, "before_end_lease": 3}, value=_events.event_type, else_=4
)

# Since when an event could have been taken.
_DUE_AT = case((_events.status == "UNDONE", _events.next_attempt_at), else_=_events.owned_until)


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A lease or a host that something is to be done about."""

    kind: JobKind
    number: int
    # Of a lease.
    uuid: str
    # What is due: the UUIDs of events by type.
    events: dict[str, str]
    # How often it has been tried before.
    attempts: int
    owner: str


@dataclass(frozen=True, slots=True)
class Late:
    """So many events that are not done in time, and when the earliest of them was due; None if there is none."""

    count: int
    since: datetime | None

    def seconds(self, now: datetime) -> float:
        """How long ago that was; 0 without any."""
        return 0.0 if self.since is None else (now - self.since).total_seconds()


@dataclass(frozen=True, slots=True)
class Overdue:
    """Events whose time came before some other time: nobody has taken them, or they were taken and are not done."""

    untaken: Late
    unfinished: Late


def untaken(connection: Connection, before: datetime, now: datetime) -> Late:
    """What should have been taken before a time and is nobody's: the index leads there, whatever is still to come."""
    query = select(func.count(), func.min(_DUE_AT)).select_from(lease_events).where(_is_untaken(before, now))
    return Late(*connection.execute(query).one())


def overdue(connection: Connection, before: datetime, now: datetime) -> Overdue:
    """What should have been done before a time."""
    nobodys = _is_untaken(before, now)
    row = connection.execute(
        select(
            func.count(case((nobodys, 1))),
            func.min(case((nobodys, _DUE_AT))),
            func.count(case((~nobodys, 1))),
            func.min(case((~nobodys, _events.time))),
        ).where(_events.status.in_(("UNDONE", "IN_PROGRESS")), _events.time <= before)
    ).one()
    return Overdue(Late(*row[:2]), Late(*row[2:]))


def take_one(tx: Transaction, owner: str, now: datetime, until: datetime) -> Job | None:
    """The next job that nobody is at, which is the owner's until a time."""
    query = (
        select(lease_events).where(_is_due(now), ~_is_claimed(now)).order_by(_events.next_attempt_at, _RANK, _events.id)
    )
    rows = tx.connection.execute(query.limit(_AT_ONCE).with_for_update(skip_locked=True)).all()
    for row in rows:
        kind, number = _subject(row)
        if claims.take(tx, kind, number, owner, now, until):
            return _taken(tx, kind, number, owner, now, until)
    return None


def _taken(tx: Transaction, kind: JobKind, number: int, owner: str, now: datetime, until: datetime) -> Job:
    of_subject = (_events.lease_id if kind == "lease" else _events.host_id) == number
    rows = tx.connection.execute(select(lease_events).where(of_subject, _is_due(now)).order_by(_events.id)).all()
    tx.connection.execute(
        update(lease_events)
        .where(_events.id.in_([row.id for row in rows]))
        .values(status="IN_PROGRESS", owner=owner, owned_until=until, attempts=_events.attempts + 1, updated_at=tx.now)
    )
    tx.changed("lease event", number)
    uuid = (
        tx.connection.execute(select(leases.c.uuid).where(leases.c.id == number)).scalar() if kind == "lease" else None
    )
    return Job(
        kind=kind,
        number=number,
        uuid=uuid or "",
        events={row.event_type: row.uuid for row in rows},
        attempts=max((row.attempts for row in rows), default=0),
        owner=owner,
    )


def renew(tx: Transaction, job: Job, until: datetime) -> bool:
    """Whether a job is still its owner's, which it then is for longer."""
    tx.connection.execute(update(lease_events).where(*_own(job)).values(owned_until=until))
    tx.changed("lease event", job.number)
    return claims.renew(tx, job.kind, job.number, job.owner, until)


def finish(tx: Transaction, job: Job) -> None:
    """The events of a job are done, but for those that somebody has set to be done again meanwhile."""
    _settle(tx, job, status="DONE", attempts=0, last_error=None)


def postpone(tx: Transaction, job: Job, next_attempt_at: datetime, error: str | None) -> None:
    """The events of a job are to be done later."""
    _settle(tx, job, status="UNDONE", next_attempt_at=next_attempt_at, last_error=error)


def _settle(tx: Transaction, job: Job, **values: object) -> None:
    tx.connection.execute(
        update(lease_events).where(*_own(job)).values(owner=None, owned_until=None, updated_at=tx.now, **values)
    )
    tx.changed("lease event", job.number)
    claims.release(tx, job.kind, job.number, job.owner)


def again(tx: Transaction, lease_uuid: str, now: datetime) -> bool:
    """Have a lease settled once more, as soon as a worker comes to it."""
    number = tx.connection.execute(select(leases.c.id).where(leases.c.uuid == lease_uuid)).scalar_one()
    settled = tx.connection.execute(
        update(lease_events)
        .where(_events.lease_id == number, _events.event_type == "settle_lease", _events.status != "IN_PROGRESS")
        .values(status="UNDONE", time=now, next_attempt_at=now, attempts=0, updated_at=tx.now)
    )
    tx.changed("lease event", number)
    return settled.rowcount == 1


def _own(job: Job) -> tuple[Any, ...]:
    return (_events.uuid.in_(list(job.events.values())), _events.status == "IN_PROGRESS", _events.owner == job.owner)


def _is_due(now: datetime) -> Any:
    waiting = and_(_events.status == "UNDONE", _events.next_attempt_at <= now)
    abandoned = and_(_events.status == "IN_PROGRESS", _events.owned_until <= now)
    return or_(waiting, abandoned)


def _is_untaken(before: datetime, now: datetime) -> Any:
    return and_(_is_due(before), ~_is_claimed(now))


def _is_claimed(now: datetime) -> Any:
    """Somebody is at it, though something new is due: it would only stand in the way of what nobody is at."""
    of_lease = and_(_claims.kind == "lease", _claims.number == _events.lease_id)
    of_host = and_(_claims.kind == "host", _claims.number == _events.host_id)
    return exists().where(or_(of_lease, of_host), _claims.owned_until > now).correlate(lease_events)


def _subject(row: Row[Any]) -> tuple[JobKind, int]:
    return ("lease", row.lease_id) if row.lease_id is not None else ("host", row.host_id)
