"""Signs of life: after its rounds an agent tells a Moorage that it is there and how it goes.

They are sparse. An agent whose rounds end as before tells once a minute, or once an interval if that is longer; one
whose rounds begin to fail, or to work again, tells at once. A Placement that is no Moorage is told nothing, and a sign
that is not taken keeps the agent from nothing.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import replace

from moorage import __version__
from moorage.client.errors import ClientError, Refused, Unavailable
from moorage.client.placement import PlacementClient
from moorage.hosts.agent.complaints import Complaints
from moorage.hosts.agent.round import Report
from moorage.placement.model.agent import MOST_REASON, Outcome, Sign, seconds_between_signs

LOG = logging.getLogger(__name__)

# Rounds come up to a tenth earlier than an interval after each other, and each of them may be the one that tells.
_EARLY = 0.9


class Signs:
    """What one agent tells about itself."""

    def __init__(
        self,
        client: PlacementClient,
        is_with_moorage: Callable[[], bool],
        host: str,
        interval: float | None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client = client
        # Asks nobody; what it is talking to is known to an agent that has begun a round.
        self._is_with_moorage = is_with_moorage
        self._clock = clock
        self._last = Sign(host, __version__, interval, Outcome.WELL)
        self._told: tuple[Outcome, float] | None = None
        self._is_away = False
        self._complaints = Complaints()

    def after(self, report: Report) -> None:
        """A round was done, with or without things that could not be."""
        outcome = Outcome.INCOMPLETE if report.undone else Outcome.WELL
        self._is_away = False
        self._last = replace(
            self._last, outcome=outcome, reason=one_line(next(iter(report.undone), "")), providers=report.providers
        )
        self._tell_if_news()

    def failed(self, error: Exception) -> None:
        """A round was not done; while Placement is away there is nobody to be told."""
        self._is_away = isinstance(error, Unavailable)
        self._last = replace(self._last, outcome=Outcome.FAILED, reason=one_line(str(error)) or type(error).__name__)
        if not self._is_away:
            self._tell_if_news()

    def stopped(self) -> None:
        """There will be no other round, and nobody shall wait for one."""
        if self._told and not self._is_away:
            self._tell(replace(self._last, interval=None))

    def _tell_if_news(self) -> None:
        now = self._clock()
        if self._told:
            outcome, at = self._told
            silence = seconds_between_signs(self._last.interval or 0.0)
            if outcome is self._last.outcome and now - at < _EARLY * silence:
                return
        if self._is_with_moorage():
            # Also one that is not taken: to be refused costs Placement as much.
            self._told = (self._last.outcome, now)
            self._tell(self._last)

    def _tell(self, sign: Sign) -> None:
        try:
            self._client.leave_sign(sign)
        except Unavailable as error:
            LOG.debug("A sign of life was not taken: %s", error)
        except ClientError as error:
            reason = f"{error.status} {error.detail}".strip() if isinstance(error, Refused) else error.cause
            self._complaints.say(
                [f"Placement takes no signs of life of this agent ({reason}), so nobody sees there whether it runs."]
            )
        else:
            self._complaints.say([])


def one_line(text: str) -> str | None:
    """The first line of a text as Placement keeps it: not too long, and nothing in it that is no text; None if none."""
    first = next(iter(text.replace("\0", "").strip().splitlines()), "").encode(errors="replace").decode()
    return (first if len(first) <= MOST_REASON else f"{first[: MOST_REASON - 1]}…") or None
