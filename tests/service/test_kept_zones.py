"""Zones of a compute service elsewhere: read now and then, and never waited for in vain."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from moorage.client.compute import Aggregate
from moorage.client.errors import Unavailable
from moorage.service import kept_zones
from moorage.service.kept_zones import KeptZones
from tests.patience import eventually

NORTH = Aggregate(1, "a", "north-side", "north")
ELSE = Aggregate(2, "b", "fast")
SOUTH = Aggregate(3, "c", "south-side", "south")


@dataclass
class Compute:
    """Tells its aggregates, or nothing, as soon as it may."""

    known: Sequence[Aggregate] = (NORTH, ELSE)
    is_away: bool = False
    may_answer: threading.Event = field(default_factory=threading.Event)
    asked: int = 0
    now: float = 0.0

    def aggregates(self) -> Sequence[Aggregate]:
        self.asked += 1
        self.may_answer.wait(60)
        if self.is_away:
            raise Unavailable("Nobody is there.")
        return self.known


@pytest.fixture
def compute() -> Compute:
    made = Compute()
    made.may_answer.set()
    return made


@pytest.fixture
def zones(compute: Compute) -> KeptZones:
    return KeptZones(compute.aggregates, lambda: compute.now)


def test_they_are_read_again_after_a_minute(compute: Compute, zones: KeptZones) -> None:
    assert zones.get() == {"north": ["a"]}
    compute.known = (NORTH, SOUTH)
    compute.now = 59
    assert zones.get() == {"north": ["a"]}
    assert compute.asked == 1
    compute.now = 60
    assert zones.get() == {"north": ["a"], "south": ["c"]}


def test_while_the_service_is_away_what_was_known_is_good(
    compute: Compute, zones: KeptZones, caplog: pytest.LogCaptureFixture
) -> None:
    assert zones.get() == {"north": ["a"]}
    compute.is_away, compute.now = True, 60
    assert zones.get() == {"north": ["a"]}
    assert zones.get() == {"north": ["a"]}
    assert compute.asked == 2
    compute.now = 120
    assert zones.get() == {"north": ["a"]}
    assert compute.asked == 3
    assert caplog.text.count("no news about availability zones: Nobody is there.") == 1
    compute.is_away, compute.known, compute.now = False, (SOUTH,), 180
    assert zones.get() == {"south": ["c"]}


def test_nobody_waits_for_long(compute: Compute, zones: KeptZones, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_zones, "_PATIENCE_SECONDS", 0.01)
    compute.may_answer.clear()
    assert zones.get() == {}
    compute.now = 600
    assert zones.get() == {}  # the first reading is still under way
    assert compute.asked == 1
    compute.may_answer.set()
    eventually(lambda: zones.get() == {"north": ["a"]}, "the zones")
