"""What a server group has to say about candidates: which hosts it rules out, and which it would rather have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from moorage.compute.model.server_group import ServerGroup
from moorage.compute.placing.candidates import Candidate

Members = Mapping[str, int]
"""How many servers of the group each host has, by the UUID of its root provider; hosts without any may be missing."""


def allowed_by_group(
    candidates: Iterable[Candidate], group: ServerGroup | None, members: Members
) -> tuple[Candidate, ...]:
    """The candidates that a server group does not rule out, in the same order."""
    if group is None:
        return tuple(candidates)
    occupied = {host for host, number in members.items() if number > 0}
    if group.policy == "affinity" and occupied:
        return tuple(candidate for candidate in candidates if candidate.host in occupied)
    if (most := group.most_per_host) is not None:
        return tuple(candidate for candidate in candidates if members.get(candidate.host, 0) < most)
    return tuple(candidates)


def reluctance(host: str, group: ServerGroup | None, members: Members) -> int:
    """How little a group with a soft policy likes a host; the smallest number is the best."""
    number = members.get(host, 0)
    if group is None or number == 0:
        return 0
    return {"soft-affinity": -number, "soft-anti-affinity": number}.get(group.policy, 0)


def rule_in_words(group: ServerGroup) -> str:
    """What a group demands, for those who find no place because of it."""
    if group.policy == "affinity":
        return f'all servers of the group "{group.name}" share a host'
    if (most := group.most_per_host) is not None:
        return f'a host may have {most} of the servers of the group "{group.name}"'
    return f'the group "{group.name}" rules out no host'
