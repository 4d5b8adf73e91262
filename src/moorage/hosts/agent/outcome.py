"""What became of a plan, and what may help where it failed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from moorage.client.errors import BadRequest, Conflict, NotFound, Refused, ServerError
from moorage.hosts.difference import Step


class Remedy(Enum):
    """What to do before the next try."""

    # Somebody else has changed the provider: read it again.
    READ_AGAIN = auto()
    # The service has stumbled: once more, but not more often, or those who hurry it keep it down.
    TRY_ONCE_MORE = auto()
    # Something is in use: find out what, and leave it.
    KEEP = auto()
    # The name or the UUID is taken: find out by whom.
    LOOK_ELSEWHERE = auto()
    # A class or a trait may have been deleted: make it again.
    ASK_FOR_NAMES = auto()
    # Nothing that an agent could do.
    NONE = auto()


@dataclass(frozen=True, slots=True)
class Setback:
    """A change that Placement refused; those that depend on it were not tried."""

    # UUIDs of the providers that were to be changed.
    providers: tuple[str, ...]
    remedy: Remedy
    # What Placement said.
    reason: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was done, and what was not."""

    done: tuple[Step, ...] = ()
    setbacks: tuple[Setback, ...] = ()


_REMEDIES = {
    "placement.inventory.inuse": Remedy.KEEP,
    "placement.resource_provider.inuse": Remedy.KEEP,
    "placement.duplicate_name": Remedy.LOOK_ELSEWHERE,
}


def setback_of(providers: Sequence[str], refusal: Refused) -> Setback:
    """What a refusal means."""
    match refusal:
        case Conflict():
            remedy = _REMEDIES.get(refusal.code, Remedy.READ_AGAIN)
        case NotFound():
            remedy = Remedy.READ_AGAIN
        case ServerError():
            remedy = Remedy.TRY_ONCE_MORE
        case BadRequest():
            remedy = Remedy.ASK_FOR_NAMES
        case _:
            remedy = Remedy.NONE
    return Setback(tuple(providers), remedy, refusal.detail.rstrip(".") or f"status {refusal.status}")
