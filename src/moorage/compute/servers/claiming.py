"""Finding places and taking them: candidates, the rules and weighers, a claim, and the next one when it is lost.

Candidates propose and Placement decides. A claim that is lost to others goes to the next place; when those that were
looked at are used up, the cloud is looked at again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from moorage.client.errors import BadRequest, Conflict
from moorage.client.placement import PlacementClient
from moorage.compute.model.server import Server
from moorage.compute.placing.candidates import Candidate, read_candidates
from moorage.compute.placing.groups import rule_in_words
from moorage.compute.placing.request import PlacementRequest
from moorage.compute.servers.choosing import Rules, choose
from moorage.compute.servers.consumers import INSTANCE, host_among, host_name
from moorage.compute.servers.errors import NoPlace
from moorage.compute.servers.explaining import why_nothing_fits

# How many places are tried before the cloud is looked at again, and how often that is done.
_TRIES = 16
_LOOKS = 8

# Takes the places, or raises Conflict.
Claim = Callable[[Sequence[Candidate]], None]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a server is: the UUID of the host's root provider, and its name."""

    provider_uuid: str
    host: str


def find_and_claim(
    placement: PlacementClient, request: PlacementRequest, count: int, rules: Rules, claim: Claim
) -> Sequence[Place]:
    """Places for so many servers, taken all together; NoPlace with the reason if there are none."""
    if _is_choosy(rules):
        request = request.without_limit()
    for _ in range(_LOOKS):
        answer = _candidates(placement, request)
        for chosen in _proposals(answer, count, rules):
            try:
                claim(chosen)
            except Conflict:
                continue
            names = {host: host_name(placement, host) for host in {candidate.host for candidate in chosen}}
            return [Place(candidate.host, names[candidate.host]) for candidate in chosen]
        if not _has_proposals(answer, count, rules):
            raise _reason(placement, request, answer, count, rules)
    raise NoPlace("No valid host was found. Others were faster each time; trying again may help.")


def claim_at_once(placement: PlacementClient, request: PlacementRequest, server: Server, rules: Rules) -> Place | None:
    """A place that a Moorage finds and takes in one call, instead of showing candidates to choose from.

    None where it has to be gone about the long way: with another Placement, with rules that only we know, and also when
    nothing was found, since the long way finds the reason.
    """
    if _is_choosy(rules) or not placement.is_moorage():
        return None
    try:
        claimed = placement.claim(
            request.without_limit().pairs(),
            project_id=server.project_id,
            user_id=server.user_id,
            consumer_type=INSTANCE,
            consumer_uuid=server.uuid,
            strategy=rules.weigher.value,
        )
    except (BadRequest, Conflict):
        return None
    if len(claimed.roots) == 1:
        [(uuid, name)] = claimed.roots.items()
        return Place(uuid, name)
    # What hosts share, such as a storage, is among them, too.
    host = host_among(placement, claimed.allocations)
    return None if host is None else Place(host, claimed.roots.get(host, host))


def _is_choosy(rules: Rules) -> bool:
    return rules.group is not None or rules.only is not None or bool(rules.never)


def _candidates(placement: PlacementClient, request: PlacementRequest) -> Mapping[str, Any]:
    try:
        return placement.allocation_candidates(request.pairs())
    except BadRequest as error:
        # A trait or a resource class that Placement has never heard of: no host has it.
        raise NoPlace(f"No valid host was found. {error.detail}") from error


def _proposals(answer: Mapping[str, Any], count: int, rules: Rules) -> Iterator[Sequence[Candidate]]:
    if count > 1:
        together = choose(answer, count, rules)
        if together is not None:
            yield together
        return
    for candidate in rules.best_first(read_candidates(answer), rules.members)[:_TRIES]:
        yield (candidate,)


def _has_proposals(answer: Mapping[str, Any], count: int, rules: Rules) -> bool:
    return next(_proposals(answer, count, rules), None) is not None


def _reason(
    placement: PlacementClient, request: PlacementRequest, answer: Mapping[str, Any], count: int, rules: Rules
) -> NoPlace:
    found = read_candidates(answer)
    if not found:
        return why_nothing_fits(placement, request)
    number = len({candidate.host for candidate in found})
    hosts = f"{number} host{'s' if number > 1 else ''}"
    if rules.best_first(found, rules.members):
        text = f"No valid host was found. One of the servers fits on {hosts}, but not all {count} together."
        return NoPlace(text)
    rule = rule_in_words(rules.group) if rules.group is not None else "same_host or different_host rules them out"
    return NoPlace(f"No valid host was found. There is room on {hosts}, but none may be used: {rule}.")
