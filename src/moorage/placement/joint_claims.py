"""Claims that come at the same time share one transaction; see `moorage.db.joint_writes`.

Only claims of new consumers are grouped, because those only take: together they fit exactly if they fit one after the
other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from moorage.db.joint_writes import PATIENCE_SECONDS, JointWrites
from moorage.placement.model.allocation import Claim

Write = Callable[[Sequence[Claim]], None]


class JointClaims:
    """The claims of one process."""

    def __init__(self, write: Write, patience: float = PATIENCE_SECONDS) -> None:
        self._write = write
        self._joint = JointWrites(
            self._write_group,
            patience,
            identity=lambda claim: claim.consumer_uuid,
            # Whoever holds one of its providers keeps a claim waiting.
            queue=lambda claim: claim.provider_uuids,
        )

    def claim(self, claim: Claim) -> None:
        """Make a claim, alone or with others; returns when it is durable, and raises what it is refused for."""
        if claim.generation is not None or not claim.amounts:
            self._write([claim])
        else:
            self._joint.submit(claim)

    def _write_group(self, claims: Sequence[Claim]) -> Sequence[None]:
        self._write(claims)
        return [None] * len(claims)
