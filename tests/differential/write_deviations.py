"""Where upstream is known to go wrong on writes: each a narrow condition, with its reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tests.differential.services import Answer, Call


@dataclass(frozen=True)
class WriteDeviation:
    name: str
    reason: str
    # Whether a request meets it, as both answers show: upstream's, then ours.
    applies: Callable[[Call, Answer, Answer], bool]
    # Whether the answers to the request itself may differ.
    answers_differ: bool
    # Whether the two databases differ from here on.
    ends_the_comparison: bool


def find(call: Call, upstream: Answer, ours: Answer) -> WriteDeviation | None:
    """The deviation that a request has met."""
    return next((deviation for deviation in DEVIATIONS if deviation.applies(call, upstream, ours)), None)


def _unknown_provider(call: Call, upstream: Answer, _ours: Answer) -> bool:
    return upstream.status == 400 and bool(list(_claims(call))) and "that does not exist" in str(upstream.body)


def _nothing_for_nobody(call: Call, upstream: Answer, _ours: Answer) -> bool:
    return upstream.status == 204 and any(
        not claim["allocations"] and claim.get("consumer_generation") is None for claim in _claims(call)
    )


def _impossible_inventory(call: Call, _upstream: Answer, ours: Answer) -> bool:
    if call.path != "/reshaper" or ours.status != 400 or "reserved value is greater" not in str(ours.body):
        return False
    inventories = [item for reshaped in call.body["inventories"].values() for item in reshaped["inventories"].values()]
    return any(inventory.get("reserved", 0) > inventory["total"] for inventory in inventories)


def _claims(call: Call) -> Iterator[dict[str, Any]]:
    """What a request wants consumers to hold."""
    if call.method == "PUT" and call.path.startswith("/allocations/"):
        yield call.body
    elif call.method == "POST" and call.path == "/allocations":
        yield from call.body.values()
    elif call.path == "/reshaper":
        yield from call.body["allocations"].values()


# The first that applies counts: what is refused for its inventories is not looked at any further.
DEVIATIONS = (
    WriteDeviation(
        "more reserved than there is",
        "A reshape may leave an inventory with less than nothing, which every other write of inventories refuses.",
        _impossible_inventory,
        answers_differ=True,
        ends_the_comparison=True,
    ),
    WriteDeviation(
        "consumer left behind by a refusal",
        "A write that names an unknown provider is refused after its new consumers were made, which stay behind "
        "without allocations: for them a later write with a null generation is refused.",
        _unknown_provider,
        answers_differ=False,
        ends_the_comparison=True,
    ),
    WriteDeviation(
        "consumer left behind by nothing",
        "Giving nothing to a consumer that does not exist makes one, which stays behind as above.",
        _nothing_for_nobody,
        answers_differ=False,
        ends_the_comparison=True,
    ),
)
