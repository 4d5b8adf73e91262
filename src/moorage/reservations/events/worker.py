"""A worker: takes what is due, one job after the other, and never lets one that fails stand in the way of others."""

from __future__ import annotations

import logging
import os
import random
import socket
import threading
import uuid
from collections.abc import Callable
from datetime import datetime, timedelta

from moorage.client.errors import ClientError
from moorage.db.database import DatabaseUnavailable, Transaction
from moorage.reservations.enactment.errors import NotYet, UnfitCloud
from moorage.reservations.events.hosts import settle_host
from moorage.reservations.events.leases import excuse, settle_lease
from moorage.reservations.events.worker_context import WorkerContext
from moorage.reservations.store import due
from moorage.reservations.store.due import Job

LOG = logging.getLogger(__name__)

# Pauses before another attempt, in seconds: from the first up to the second, twice as long each time.
_WAITING = (1, 30)
_FAILING = (2, 300)


class _Lost(Exception):
    """Somebody else has taken the job over, because there was no sign of life for too long."""


class Worker:
    """Carries out what is due. Several of them, anywhere, share the work."""

    def __init__(self, context: WorkerContext) -> None:
        self._context = context
        self._owner = f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"

    def run(self, stop: threading.Event, poll_seconds: float) -> None:
        """Work until told to stop; look at least so often whether something is due."""
        while not stop.is_set():
            try:
                idle = not self.work_once()
            except DatabaseUnavailable as error:
                LOG.warning("Leases have to wait: %s", error)
                idle = True
            if idle:
                stop.wait(poll_seconds * random.uniform(0.8, 1.2))  # noqa: S311 - spreads, hides nothing

    def work_once(self) -> bool:
        """Do the next job; False if nothing is due that nobody is at."""
        context, now = self._context, self._context.clock()
        # Each job has an owner of its own: who has lost one does not have it again by having taken another.
        owner = f"{self._owner}:{uuid.uuid4().hex[:8]}"
        job = context.database.write(lambda tx: due.take_one(tx, owner, now, now + context.claim))
        if job is None:
            return False
        try:
            self._do(job)
        except _Lost:
            LOG.warning("The %s %s was taken over by another worker", job.kind, job.uuid or job.number)
        return True

    def _do(self, job: Job) -> None:
        try:
            if job.kind == "host":
                settle_host(self._context, job)
            else:
                settle_lease(self._context, job, self._heartbeat(job))
        except NotYet as reason:
            self._put_off(job, str(reason), _WAITING)
        except (ClientError, UnfitCloud) as error:
            LOG.warning("The %s %s has to wait: %s", job.kind, job.uuid or job.number, error)
            self._put_off(job, str(error), _FAILING)
        except (_Lost, DatabaseUnavailable):
            raise
        except Exception as error:
            LOG.exception("The %s %s cannot be settled", job.kind, job.uuid or job.number)
            self._put_off(job, f"{type(error).__name__}: {error}", _FAILING)

    def _put_off(self, job: Job, reason: str, pauses: tuple[int, int]) -> None:
        shortest, longest = pauses
        pause = timedelta(seconds=min(shortest * 2 ** min(job.attempts, 16), longest))
        later: datetime = self._context.clock() + pause

        def work(tx: Transaction) -> None:
            if job.kind == "lease":
                excuse(tx, job, reason)
            due.postpone(tx, job, later, reason)

        self._context.database.write(work)

    def _heartbeat(self, job: Job) -> Callable[[], None]:
        """A sign of life, given now and then while a job is done."""
        context = self._context
        last = context.clock()

        def heartbeat() -> None:
            nonlocal last
            now = context.clock()
            if now - last < context.claim / 4:
                return
            if not context.database.write(lambda tx: due.renew(tx, job, now + context.claim)):
                raise _Lost
            last = now

        return heartbeat
