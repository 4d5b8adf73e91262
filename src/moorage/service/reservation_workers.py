"""Those who carry leases out: threads in the processes that serve the API, or a process of their own."""

from __future__ import annotations

import threading
from datetime import timedelta

from moorage.reservations.booking.promotion import promote_if_possible
from moorage.reservations.enactment.cloud import Cloud, open_cloud
from moorage.reservations.events.periodic_tasks import run_periodic_tasks
from moorage.reservations.events.worker import Worker
from moorage.reservations.events.worker_context import WorkerContext
from moorage.reservations.room import Room


def open_worker_context(room: Room) -> WorkerContext:
    """What workers need; the cloud is looked at when the first of them needs it, until it is fit for leases."""
    opened: list[Cloud] = []
    lock = threading.Lock()
    settings = room.settings.reservation

    def cloud() -> Cloud:
        with lock:
            if not opened:
                opened.append(
                    open_cloud(
                        room.database,
                        room.placement,
                        room.compute,
                        isolation=settings.isolation,
                        pool_name=settings.free_pool,
                    )
                )
            return opened[0]

    return WorkerContext(
        room.database, cloud, room.now, timedelta(seconds=settings.claim_seconds), lambda: promote_if_possible(room)
    )


def start_workers(room: Room, stop: threading.Event, count: int) -> list[threading.Thread]:
    """Workers, and one who looks after hosts, until told to stop; they end with the process in any case."""
    context, settings = open_worker_context(room), room.settings.reservation
    threads = [
        threading.Thread(
            target=Worker(context).run, args=(stop, settings.poll_seconds), name=f"leases-{number}", daemon=True
        )
        for number in range(count)
    ]
    if count and settings.host_check_seconds:
        threads.append(
            threading.Thread(target=run_periodic_tasks, args=(room, context, stop), name="periodic-tasks", daemon=True)
        )
    for thread in threads:
        thread.start()
    return threads
