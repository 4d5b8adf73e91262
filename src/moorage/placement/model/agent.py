"""Signs of life: what the agent of a host tells after a round, and what that says about the agent at a later time."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

# An agent that looks more often than this tells no more often, so it is not missed earlier.
SPARSEST_SECONDS = 60.0
_MISSED_SIGNS = 3

MOST_NAME = 255
MOST_VERSION = 64
MOST_REASON = 500


class Outcome(StrEnum):
    """How a round ended."""

    WELL = "well"
    # Placement is as it should be but for what somebody uses or Placement refuses.
    INCOMPLETE = "incomplete"
    # Nothing was brought in step.
    FAILED = "failed"


class State(StrEnum):
    """How an agent is, the most urgent first."""

    LATE = "late"
    FAILING = "failing"
    INCOMPLETE = "incomplete"
    WELL = "well"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Sign:
    """What an agent tells after a round."""

    # The host that the agent is of, by which origins name it as well.
    name: str
    version: str
    # How often it looks, in seconds; None if it will not look again by itself: it was stopped, or did a single round.
    interval: float | None
    outcome: Outcome
    # Why not all went well, in one line.
    reason: str | None = None
    # How many providers it keeps; None if it does not know.
    providers: int | None = None


@dataclass(frozen=True, slots=True)
class SeenAgent:
    """An agent as it last told, and how it is now."""

    sign: Sign
    state: State
    # Seconds since the epoch, by the clock of whoever took the sign.
    seen_at: int
    age_seconds: int


def seconds_between_signs(interval: float) -> float:
    """How long an agent that is well keeps silent between two signs."""
    return max(interval, SPARSEST_SECONDS)


def late_at(seen_at: int, interval: float | None) -> int | None:
    """From when on an agent is missed; never, if nobody waits for another sign."""
    return None if interval is None else seen_at + math.ceil(_MISSED_SIGNS * seconds_between_signs(interval))
