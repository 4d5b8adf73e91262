"""In which order to try candidates: what a server group would rather have, then the emptiest or the fullest hosts.

The formula is the mean, over the resource classes, of what would be taken of each; a storage that all hosts share is
then the same for all and decides nothing. By chance among those about as full, so that schedulers that choose at the
same time do not all choose the same host.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from moorage.compute.model.server_group import ServerGroup
from moorage.compute.placing.candidates import Candidate
from moorage.compute.placing.groups import Members, reluctance
from moorage.compute.placing.settings import Weigher

# Candidates whose fullness differs by less count as equally full.
_GRAIN = 0.02


def weighed(
    candidates: Iterable[Candidate],
    weigher: Weigher,
    chance: Random,
    group: ServerGroup | None = None,
    members: Members | None = None,
) -> list[Candidate]:
    """The candidates, the best first. The same chance gives the same order."""
    direction = 1 if weigher is Weigher.SPREAD else -1

    def rank(candidate: Candidate) -> tuple[int, int, float]:
        steps = int(candidate.fullness / _GRAIN)
        return reluctance(candidate.host, group, members or {}), direction * steps, chance.random()

    return sorted(candidates, key=rank)
