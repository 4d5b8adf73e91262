"""Claims that come at the same time: what they share, and that each gets its own answer."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from uuid import UUID

import pytest

from moorage.db.database import DatabaseUnavailable, OutcomeUnknown
from moorage.db.messenger import Busy
from moorage.placement.joint_claims import JointClaims
from moorage.placement.model.allocation import AnyGeneration, Claim
from moorage.placement.model.errors import CapacityExceeded

FOR_EVER = 60.0


def claim_of(
    number: int, *, generation: int | AnyGeneration | None = None, amount: int = 1, provider: str = "provider"
) -> Claim:
    amounts = {provider: {"VCPU": amount}} if amount else {}
    return Claim(str(UUID(int=number)), "project", "user", "INSTANCE", generation, amounts)


class Door:
    """A database that lets groups in when it is told to, and remembers them."""

    def __init__(self, answer: Callable[[Sequence[Claim]], None] = lambda _: None) -> None:
        self.groups: list[list[int]] = []
        self._answer = answer
        self._open = threading.Event()
        self._entered = threading.Semaphore(0)

    def write(self, claims: Sequence[Claim]) -> None:
        self.groups.append([UUID(claim.consumer_uuid).int for claim in claims])
        self._entered.release()
        assert self._open.wait(FOR_EVER)
        self._answer(claims)

    def wait_for_a_group(self) -> None:
        assert self._entered.acquire(timeout=FOR_EVER)

    def open(self) -> None:
        self._open.set()


def queue_up(joint: JointClaims, door: Door, claims: Sequence[Claim]) -> list[Future[None]]:
    """The first claim is at the door, the others wait behind it, in this order."""
    pool = ThreadPoolExecutor(len(claims))
    started = [pool.submit(joint.claim, claims[0])]
    door.wait_for_a_group()
    for number, claim in enumerate(claims[1:], start=1):
        started.append(pool.submit(joint.claim, claim))
        while len(joint._joint._queue) < number:
            pass
    pool.shutdown(wait=False)
    return started


def test_a_claim_that_comes_alone_goes_at_once() -> None:
    door = Door()
    door.open()
    JointClaims(door.write).claim(claim_of(1))
    assert door.groups == [[1]]


def test_those_that_come_while_one_is_under_way_go_together() -> None:
    door = Door()
    joint = JointClaims(door.write, patience=FOR_EVER)
    started = queue_up(joint, door, [claim_of(number) for number in range(1, 6)])
    door.open()
    for future in started:
        future.result(FOR_EVER)
    assert door.groups == [[1], [2, 3, 4, 5]]


def test_when_all_are_done_the_next_one_goes_at_once_again() -> None:
    door = Door()
    joint = JointClaims(door.write, patience=FOR_EVER)
    started = queue_up(joint, door, [claim_of(1), claim_of(2)])
    door.open()
    for future in started:
        future.result(FOR_EVER)
    joint.claim(claim_of(3))
    assert door.groups == [[1], [2], [3]]


def test_a_refused_group_is_asked_one_by_one_and_each_gets_its_own_answer() -> None:
    def refuse_the_third(claims: Sequence[Claim]) -> None:
        if any(UUID(claim.consumer_uuid).int == 3 for claim in claims):
            raise CapacityExceeded("VCPU", "provider")

    door = Door(refuse_the_third)
    joint = JointClaims(door.write, patience=FOR_EVER)
    started = queue_up(joint, door, [claim_of(number) for number in range(1, 5)])
    door.open()
    for number, future in enumerate(started, start=1):
        if number == 3:
            with pytest.raises(CapacityExceeded):
                future.result(FOR_EVER)
        else:
            future.result(FOR_EVER)
    assert door.groups[:2] == [[1], [2, 3, 4]]
    assert sorted(door.groups[2:]) == [[2], [3], [4]]


def test_a_group_that_finds_something_taken_goes_on_provider_by_provider() -> None:
    def wait_for_one_provider_only(claims: Sequence[Claim]) -> None:
        if len({claim.provider_uuids for claim in claims}) > 1:
            raise Busy

    door = Door(wait_for_one_provider_only)
    joint = JointClaims(door.write, patience=FOR_EVER)
    providers = ("taken", "free", "taken", "other")
    claims = [claim_of(number, provider=provider) for number, provider in enumerate(providers, start=2)]
    started = queue_up(joint, door, [claim_of(1), *claims])
    door.open()
    for future in started:
        future.result(FOR_EVER)
    assert door.groups[:2] == [[1], [2, 3, 4, 5]]
    assert sorted(door.groups[2:]) == [[2, 4], [3], [5]]


@pytest.mark.parametrize("error", [DatabaseUnavailable("away"), OutcomeUnknown("who knows")])
def test_what_may_have_been_written_is_not_written_again(error: DatabaseUnavailable) -> None:
    def lose_groups(claims: Sequence[Claim]) -> None:
        if len(claims) > 1:
            raise error

    door = Door(lose_groups)
    joint = JointClaims(door.write, patience=FOR_EVER)
    first, *others = queue_up(joint, door, [claim_of(number) for number in range(1, 4)])
    door.open()
    first.result(FOR_EVER)
    for future in others:
        with pytest.raises(type(error)):
            future.result(FOR_EVER)
    assert door.groups == [[1], [2, 3]]


def test_the_same_consumer_is_never_twice_in_a_group() -> None:
    door = Door()
    joint = JointClaims(door.write, patience=FOR_EVER)
    started = queue_up(joint, door, [claim_of(1), claim_of(2), claim_of(2, amount=2), claim_of(3)])
    door.open()
    for future in started:
        future.result(FOR_EVER)
    assert door.groups == [[1], [2, 3], [2]]


def test_a_claim_that_has_waited_too_long_goes_by_itself() -> None:
    door = Door()
    joint = JointClaims(door.write, patience=0.001)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(joint.claim, claim_of(1))
        door.wait_for_a_group()
        second = pool.submit(joint.claim, claim_of(2))
        door.wait_for_a_group()  # although the first one is still at the door
        door.open()
        first.result(FOR_EVER)
        second.result(FOR_EVER)
    assert door.groups == [[1], [2]]


def test_those_that_have_waited_too_long_go_past_the_group_before_them() -> None:
    door = Door()
    joint = JointClaims(door.write, patience=0.5)
    started = queue_up(joint, door, [claim_of(number) for number in range(1, 5)])
    door.wait_for_a_group()  # although the first one is still at the door
    last = ThreadPoolExecutor(1).submit(joint.claim, claim_of(5))
    door.wait_for_a_group()
    door.open()
    for future in (*started, last):
        future.result(FOR_EVER)
    first, second, third = door.groups
    assert (first, sorted(second), third) == ([1], [2, 3, 4], [5])
    joint.claim(claim_of(6))
    assert door.groups[-1] == [6]


@pytest.mark.parametrize(
    "claim",
    [claim_of(2, generation=1), claim_of(2, generation=AnyGeneration.ANY), claim_of(2, amount=0)],
    ids=["of a known consumer", "of whoever", "for nothing"],
)
def test_what_may_give_something_back_goes_by_itself(claim: Claim) -> None:
    door = Door()
    joint = JointClaims(door.write, patience=FOR_EVER)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(joint.claim, claim_of(1))
        door.wait_for_a_group()
        second = pool.submit(joint.claim, claim)
        door.wait_for_a_group()
        door.open()
        first.result(FOR_EVER)
        second.result(FOR_EVER)
    assert door.groups == [[1], [2]]
