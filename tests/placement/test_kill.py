"""A process that writes is killed at any moment: what it was told is done is done, and nothing is half done.

`pytest -rP` shows how many writes were acknowledged, and how many were cut off.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Container, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection as Pipe
from multiprocessing.context import ForkServerProcess
from uuid import uuid4

import pytest
from sqlalchemy import Connection, select, text

from moorage.db.database import Database
from moorage.placement.store.tables import allocations, consumers, resource_providers
from tests.patience import eventually
from tests.placement.books import mistakes
from tests.placement.crew import open_api
from tests.placement.rest import allocation_body
from tests.processes import FORKS

pytestmark = pytest.mark.every_database

ROUNDS = 12
WRITERS = 2
# Much longer than a start takes, much shorter than a database waits for a lock that nobody gives back.
AT_ONCE_SECONDS = 15.0

# What consumers hold: amounts of VCPU by provider, by consumer. One write names two consumers; {} gives all back.
Holdings = dict[str, dict[str, int]]

OTHER_SESSIONS = {
    "postgresql": "SELECT pid, query FROM pg_stat_activity WHERE datname = current_catalog AND pid <> pg_backend_pid()",
    "mariadb": "SELECT id, info FROM information_schema.processlist WHERE db = database() AND id <> connection_id()",
}


# --- the process that is killed


def write_until_killed(url: str, seed: float, providers: Sequence[str], pipe: Pipe) -> None:
    """Announce a write, do it, say that it was acknowledged, and so on for ever."""
    api = open_api(Database(url))
    chance = random.Random(seed)
    generations: dict[str, int] = {}
    while True:
        write = _some_write(chance, providers, list(generations))
        body = {
            uuid: allocation_body(
                {provider: {"VCPU": amount} for provider, amount in held.items()}, generations.get(uuid)
            )
            for uuid, held in write.items()
        }
        pipe.send(write)
        reply = api.send("POST", "/allocations", body)
        pipe.send(reply.status)
        for uuid, held in write.items():
            generations[uuid] = generations.get(uuid, 0) + 1
            if not held:
                del generations[uuid]


def _some_write(chance: random.Random, providers: Sequence[str], known: Sequence[str]) -> Holdings:
    """Two new consumers, two that hold something else from now on, or two that give everything back."""
    if len(known) < 2 or chance.random() < 0.4:
        pair = [str(uuid4()), str(uuid4())]
    else:
        pair = chance.sample(known, 2)
        if chance.random() < 0.3:
            return {uuid: {} for uuid in pair}
    return {uuid: {provider: chance.randint(1, 3) for provider in chance.sample(providers, 2)} for uuid in pair}


# --- the one who watches


@dataclass
class Witness:
    """Knows what a writer was told, and which write it was at when it died."""

    holdings: Holdings = field(default_factory=dict)
    pending: Holdings = field(default_factory=dict)
    acknowledged: int = 0

    def hear(self, said: Holdings | int) -> None:
        if isinstance(said, dict):
            self.pending = said
            return
        assert said == 204
        self.acknowledged += 1
        self.believe_pending()

    def believe_pending(self) -> None:
        changed = {**self.holdings, **self.pending}
        self.holdings = {uuid: held for uuid, held in changed.items() if held}
        self.pending = {}


@dataclass
class Writer:
    """A process that writes, and its witness."""

    process: ForkServerProcess
    pipe: Pipe
    witness: Witness = field(default_factory=Witness)

    @classmethod
    def start(cls, url: str, providers: Sequence[str]) -> Writer:
        pipe, far_end = FORKS.Pipe(duplex=False)
        process = FORKS.Process(target=write_until_killed, args=(url, random.random(), providers, far_end), daemon=True)
        process.start()
        far_end.close()  # so that the pipe ends with the process
        return cls(process, pipe)

    def wait_for_the_first_write(self) -> None:
        while not self.witness.acknowledged:
            assert self.pipe.poll(AT_ONCE_SECONDS), "something keeps the writer from its work"
            self.witness.hear(self.pipe.recv())

    def kill(self) -> None:
        self.process.kill()
        with suppress(EOFError):
            while True:
                self.witness.hear(self.pipe.recv())
        self.process.join()
        self.pipe.close()


def stored(connection: Connection) -> Holdings:
    found: Holdings = {}
    for consumer, provider, used in connection.execute(
        select(consumers.c.uuid, resource_providers.c.uuid, allocations.c.used)
        .join(allocations, allocations.c.consumer_id == consumers.c.id)
        .join(resource_providers, resource_providers.c.id == allocations.c.resource_provider_id)
    ):
        found.setdefault(consumer, {})[provider] = used
    return found


def other_sessions(database: Database) -> dict[int, str]:
    """The sessions of the server, with what each does or did last; without the one that asks."""
    if database.dialect == "sqlite":
        return {}
    statement = text(OTHER_SESSIONS[database.dialect])
    return {row[0]: row[1] for row in database.look(lambda connection: connection.execute(statement).all())}


def wait_until_alone(database: Database, known: Container[int] = ()) -> None:
    """A server may still be carrying out what a client sent before it died. Others than the clients may be `known`."""
    database.dispose()
    left: dict[int, str] = {}

    def alone() -> bool:
        left.clear()
        left.update({key: query for key, query in other_sessions(database).items() if key not in known})
        return not left

    eventually(alone, "the end of all sessions whose clients are dead", AT_ONCE_SECONDS, left)


def test_what_was_acknowledged_survives_and_nothing_is_half_done(
    empty_database: str, record_property: Callable[[str, object], None]
) -> None:
    database = Database(empty_database)
    api = open_api(database)
    providers = [api.create_provider(name, {"VCPU": 1_000_000}) for name in ("east", "west", "north")]
    known: Holdings = {}
    acknowledged, cut_off, cut_off_but_done = 0, 0, 0

    for _ in range(ROUNDS):
        writers = [Writer.start(empty_database, providers) for _ in range(WRITERS)]
        for writer in writers:
            writer.wait_for_the_first_write()
        time.sleep(random.uniform(0, 0.4))
        for writer in writers:
            writer.kill()
        wait_until_alone(database)

        found = database.read(stored)
        for witness in (writer.witness for writer in writers):
            acknowledged += witness.acknowledged
            cut_off += bool(witness.pending)
            if witness.pending and all(found.get(uuid, {}) == held for uuid, held in witness.pending.items()):
                cut_off_but_done += 1
                witness.believe_pending()
            known |= witness.holdings
        assert found == known
        assert database.read(mistakes) == []

    database.dispose()
    figures = (
        f"{ROUNDS * WRITERS} kills, {acknowledged} writes acknowledged, 0 of them lost, "
        f"{cut_off} cut off ({cut_off_but_done} done, {cut_off - cut_off_but_done} undone, 0 half done)"
    )
    record_property("kills", figures)
    print(figures)  # noqa: T201 - what -rP shows
