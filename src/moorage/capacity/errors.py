"""Why no capacity report can be made: each names what is wrong in the cloud or the request, and what to do about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


class CapacityError(Exception):
    """No report can be made; the message says why, for the one who runs the cloud."""


class PooledTraitsDisagree(CapacityError):
    """Pooled flavors ask for different things of the same trait, so nobody can say which hypervisors take them all."""

    def __init__(self, trait: str, values: Sequence[str], flavors: Sequence[str]) -> None:
        super().__init__(
            f"Pooled flavors do not agree on the extra spec trait:{trait}: {flavors[0]} has {values[0]!r}, "
            f"{flavors[1]} has {values[1]!r}. Make them equal, give one of the flavors a quota of its own "
            f"(quota:separate), leave it out by flavor_selection, or put {trait} into ignored_traits."
        )


class NoPooledFlavors(CapacityError):
    """Without a disk size of pooled flavors, nobody can say how many of their instances fit."""

    def __init__(self) -> None:
        super().__init__(
            "No public pooled flavor with a disk matches flavor_selection, so the capacity of pooled instances is not "
            "known. A pooled flavor is one without the extra spec quota:separate."
        )


class UnusableOvercommit(CapacityError):
    """An overcommit factor that cannot be used."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A hypervisor that cannot be understood: what is wrong, and what to do about it."""

    hypervisor: str
    reason: str
    advice: str

    def __str__(self) -> str:
        return f"{self.hypervisor}: {self.reason}. {self.advice}"


class FailingHypervisors(CapacityError):
    """Hypervisors that cannot be understood, all of them."""

    def __init__(self, failures: Sequence[Failure]) -> None:
        self.failures = tuple(failures)
        count = "1 hypervisor" if len(failures) == 1 else f"{len(failures)} hypervisors"
        first_line = (
            f"The capacity of {count} cannot be told. Put right what is listed here, or set "
            "hypervisor_selection.skip_failing to report the others without them:"
        )
        super().__init__("\n".join([first_line, *(f"- {failure}" for failure in failures)]))
