"""Claims in one message: the same books as the ordinary way's, all or nothing, and never twice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import create_engine, select, text

from moorage.db.database import Database, DatabaseUnavailable, OutcomeUnknown
from moorage.db.messenger import AnswerLost, Message, Messenger
from moorage.placement.index_sync import IndexSync
from moorage.placement.model.allocation import AnyGeneration, Claim
from moorage.placement.model.errors import ConsumerGenerationConflict
from moorage.placement.store import claims
from moorage.placement.store.express.claiming import ExpressClaims
from moorage.placement.store.tables import changes, consumers, resource_providers
from tests.placement.books import mistakes
from tests.placement.rest import PROJECT, USER, Amounts, Api
from tests.placement.rows import read_rows

pytestmark = pytest.mark.every_database

KILL_OTHERS = {
    "postgresql": "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()",
    "mariadb": "SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()",
}


class Detour(Exception):
    """The ordinary way was taken, in a test that forbids it."""


@pytest.fixture
def server(database: Database) -> Database:
    """A database that takes messages."""
    if database.messenger() is None:
        pytest.skip("SQLite is in this process: there is no way to save")
    return database


def claim_of(amounts: Amounts, *, consumer: str | None = None, generation: Any = None) -> Claim:
    return Claim(consumer or str(uuid4()), PROJECT, USER, "INSTANCE", generation, amounts)


def express_only(server: Database) -> ExpressClaims:
    def detour(_claims: Sequence[Claim]) -> None:
        raise Detour

    return ExpressClaims(server, detour)


def with_ordinary(server: Database) -> ExpressClaims:
    return ExpressClaims(server, ordinary(server))


def ordinary(server: Database) -> Callable[[Sequence[Claim]], None]:
    return lambda wanted: server.write(lambda tx: claims.claim(tx, wanted))


def used(api: Api, provider: str) -> dict[str, int]:
    usages: dict[str, int] = api.get(f"/resource_providers/{provider}/usages")["usages"]
    return usages


def feed(server: Database) -> list[tuple[str, int]]:
    rows = select(changes.c.kind, changes.c.key).order_by(changes.c.seq)
    return server.read(lambda connection: [tuple(row) for row in connection.execute(rows)])


def test_one_message_writes_what_the_ordinary_way_writes(server: Database, api: Api) -> None:
    host = api.create_provider("host", {"VCPU": 8, "CUSTOM_GPU": 4})
    other = api.create_provider("other", {"VCPU": 8, "CUSTOM_GPU": 4})
    amounts = {"VCPU": 2, "CUSTOM_GPU": 1}
    news = len(feed(server))
    express_only(server).claim([claim_of({host: amounts}), claim_of({host: {"VCPU": 3}})])
    ordinary(server)([claim_of({other: amounts}), claim_of({other: {"VCPU": 3}})])
    assert used(api, host) == used(api, other) == {"VCPU": 5, "CUSTOM_GPU": 1}
    marks = select(resource_providers.c.generation, resource_providers.c.revision)
    first, second = server.read(lambda connection: connection.execute(marks).all())
    assert first == second
    assert [kind for kind, _ in feed(server)[news:]] == ["usage", "usage"]
    makers = select(
        consumers.c.generation, consumers.c.project_id, consumers.c.user_id, consumers.c.consumer_type
    ).distinct()
    assert len(server.read(lambda connection: connection.execute(makers).all())) == 1
    assert server.read(mistakes) == []


def test_a_claim_on_several_providers_is_one_message(server: Database, api: Api) -> None:
    hosts = [api.create_provider(f"host{number}", {"VCPU": 8}) for number in range(3)]
    express_only(server).claim([claim_of({host: {"VCPU": 1} for host in hosts})])
    assert [used(api, host) for host in hosts] == [{"VCPU": 1}] * 3
    assert server.read(mistakes) == []


def test_texts_arrive_as_they_are(server: Database, api: Api) -> None:
    host = api.create_provider("host", {"VCPU": 8})
    odd = "o'b\"r\\ian % %s ; -- \n\t☂ {}"
    claim = Claim(str(uuid4()), odd, odd, "INSTANCE", None, {host: {"VCPU": 1}})
    express_only(server).claim([claim])
    names = select(consumers.c.project_id, consumers.c.user_id)
    assert server.read(lambda connection: connection.execute(names).one()) == (odd, odd)


def test_other_workers_follow_without_holes(empty_database: str, server: Database, api: Api) -> None:
    hosts = [api.create_provider(f"host{number}", {"VCPU": 99}) for number in range(3)]
    elsewhere = Database(empty_database)
    index_sync = IndexSync(elsewhere)
    index_sync.current()
    missing = set(index_sync._holes)
    for _ in range(3):
        express_only(server).claim([claim_of({host: {"VCPU": 1} for host in hosts})])
    assert [index_sync.current().find(host).stocks["VCPU"].used for host in hosts] == [3, 3, 3]
    assert set(index_sync._holes) <= missing
    assert index_sync.repair() == 0
    elsewhere.dispose()


@pytest.mark.parametrize(
    "amounts",
    [
        {"VCPU": 9},
        {"VCPU": 3},
        {"VCPU": 1},
        {"VCPU": 8, "MEMORY_MB": 2000},
        {"DISK_GB": 1},
        {"CUSTOM_UNKNOWN": 1},
        {"VCPU": 2**40},
    ],
)
def test_what_does_not_fit_writes_nothing_and_is_left_to_the_ordinary_way(
    server: Database, api: Api, amounts: dict[str, int]
) -> None:
    host = api.create_provider("host", {"MEMORY_MB": 1000})
    inventory = {"total": 8, "min_unit": 2, "max_unit": 8, "step_size": 2}
    api.post(f"/resource_providers/{host}/inventories", {"resource_class": "VCPU", **inventory})
    before = read_rows(server._readers)
    with pytest.raises(Detour):
        express_only(server).claim([claim_of({host: {"VCPU": 2}}), claim_of({host: amounts})])
    assert before.differences(read_rows(server._readers)) == {}


def test_so_does_a_provider_that_is_not_there(server: Database, api: Api) -> None:
    host = api.create_provider("host", {"VCPU": 8})
    before = read_rows(server._readers)
    with pytest.raises(Detour):
        express_only(server).claim([claim_of({host: {"VCPU": 1}, str(uuid4()): {"VCPU": 1}})])
    assert before.differences(read_rows(server._readers)) == {}


def test_so_does_a_consumer_that_exists(server: Database, api: Api) -> None:
    host = api.create_provider("host", {"VCPU": 8})
    known = api.allocate({host: {"VCPU": 1}})
    before = read_rows(server._readers)
    for others in ([], [claim_of({host: {"VCPU": 1}})]):
        with pytest.raises(Detour):
            express_only(server).claim([claim_of({host: {"VCPU": 1}}, consumer=known), *others])
        assert before.differences(read_rows(server._readers)) == {}
    with pytest.raises(ConsumerGenerationConflict):
        with_ordinary(server).claim([claim_of({host: {"VCPU": 1}}, consumer=known)])


@pytest.mark.parametrize("generation", [3, AnyGeneration.ANY])
def test_who_may_hold_something_goes_the_ordinary_way(server: Database, generation: int | AnyGeneration) -> None:
    with pytest.raises(Detour):
        express_only(server).claim([claim_of({str(uuid4()): {"VCPU": 1}}, generation=generation)])


# --- lost answers


def lose_answers(monkeypatch: pytest.MonkeyPatch, *, carried_out: bool) -> None:
    send = Messenger.send

    def lose(messenger: Messenger, message: Message) -> None:
        if carried_out:
            assert send(messenger, message) is not None
        raise AnswerLost

    monkeypatch.setattr(Messenger, "send", lose)


@pytest.mark.parametrize("carried_out", [True, False])
def test_a_claim_whose_answer_was_lost_is_made_once(
    server: Database, api: Api, monkeypatch: pytest.MonkeyPatch, *, carried_out: bool
) -> None:
    host = api.create_provider("host", {"VCPU": 8})
    lose_answers(monkeypatch, carried_out=carried_out)
    with_ordinary(server).claim([claim_of({host: {"VCPU": 2}}), claim_of({host: {"VCPU": 1}})])
    assert used(api, host) == {"VCPU": 3}
    assert server.read(mistakes) == []


def test_a_message_that_arrives_after_it_was_looked_for_is_found(
    server: Database, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = api.create_provider("host", {"VCPU": 8})
    late: list[Message] = []

    def delay(_messenger: Messenger, message: Message) -> None:
        late.append(message)
        raise AnswerLost

    send = Messenger.send
    monkeypatch.setattr(Messenger, "send", delay)

    def overtaken(wanted: Sequence[Claim]) -> None:
        messenger = server.messenger()
        assert messenger is not None
        assert send(messenger, late.pop()) == (1,)
        ordinary(server)(wanted)

    ExpressClaims(server, overtaken).claim([claim_of({host: {"VCPU": 2}})])
    assert used(api, host) == {"VCPU": 2}


def test_a_claim_whose_fate_cannot_be_learned_is_said_to_be_unknown(
    server: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    lose_answers(monkeypatch, carried_out=False)

    def nobody(*_: object, **_more: object) -> None:
        raise DatabaseUnavailable

    monkeypatch.setattr(Database, "look", nobody)
    with pytest.raises(OutcomeUnknown):
        express_only(server).claim([claim_of({str(uuid4()): {"VCPU": 1}})])


def test_connections_that_died_while_nobody_used_them_are_replaced(server: Database, api: Api) -> None:
    host = api.create_provider("host", {"VCPU": 8})
    express = with_ordinary(server)
    express.claim([claim_of({host: {"VCPU": 1}})])
    engine = create_engine(server._writers.url)
    with engine.connect() as connection:
        others = connection.execute(text(KILL_OTHERS[server.dialect])).scalars().all()
        for number in others if server.dialect == "mariadb" else ():
            connection.execute(text(f"KILL {number}"))
    engine.dispose()
    express.claim([claim_of({host: {"VCPU": 1}})])
    assert used(api, host) == {"VCPU": 2}
    express_only(server).claim([claim_of({host: {"VCPU": 1}})])
    assert server.read(mistakes) == []
