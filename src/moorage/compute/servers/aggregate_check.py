"""Claims are checked against the tables: Placement may not know yet which aggregates a host is in.

A host that is registered anew is in no aggregate there until it is mirrored (see `moorage.compute.mirroring`), so that
servers could go to it that must stay off it. Each claimed place is therefore compared with what our tables say about
its host. Where they disagree, the host is mirrored, the claim undone, and another place looked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from moorage.compute.context import Compute
from moorage.compute.mirroring import settle
from moorage.compute.placing.request import PlacementRequest
from moorage.compute.servers.choosing import Rules
from moorage.compute.servers.claiming import Place


def claim_checked(
    compute: Compute,
    request: PlacementRequest,
    rules: Rules,
    claim: Callable[[PlacementRequest, Rules], Sequence[Place]],
    undo: Callable[[], None],
) -> Sequence[Place]:
    """Claimed places on hosts that meet the conditions by our tables, too. Each round rules out a host, so it ends."""
    while True:
        places = claim(request, rules)
        doubtful = {place.provider_uuid: place.host for place in places if not request.is_met_by(place.host)}
        if not doubtful:
            return places
        for host in sorted(doubtful.values()):
            settle(compute, host)
        request = request.as_of(compute.catalogue().aggregates)
        unfit = frozenset(uuid for uuid, host in doubtful.items() if not request.is_met_by(host))
        if not unfit:
            return places  # the aggregates have changed since the order came: Placement knew before us
        undo()
        rules = replace(rules, never=rules.never | unfit)
