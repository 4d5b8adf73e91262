"""Keeps an agent going: rounds at intervals, at once when something changes, and less often while they fail."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable

from moorage.client.errors import ClientError
from moorage.hosts.agent.agent import Agent
from moorage.hosts.agent.interruption import Interruption
from moorage.hosts.agent.notices import ALIVE, READY, notify, status
from moorage.hosts.agent.refusal import AgentRefuses
from moorage.hosts.agent.signs import Signs
from moorage.hosts.agent.watching import Look
from moorage.hosts.drivers.driver import DriverError

LOG = logging.getLogger(__name__)

# How often files are looked at; this is quick, and happens beside the rounds.
CHECK_SECONDS = 1.0

# So long a round that is due waits for files that are being written; who writes all the time does not stop the agent.
_WRITING_SECONDS = 15.0

_FIRST_PAUSE_SECONDS = 1.0
_LONGEST_PAUSE_SECONDS = 60.0


class Loop:
    """Runs until the agent is told to stop."""

    def __init__(
        self,
        agent: Agent,
        interruption: Interruption,
        look: Callable[[], Look],
        interval: float,
        signs: Signs,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._agent = agent
        self._interruption = interruption
        # Whether files have changed since this was last asked.
        self._look = look
        self._interval = interval
        self._signs = signs
        self._clock = clock
        # In a row, and all that was the matter since the first of them.
        self._failures = 0
        self._causes: set[str] = set()

    def run(self) -> None:
        """Do rounds for ever; ends with Stopped, or with AgentRefuses if there is no beginning."""
        self._agent.check()
        notify(READY)
        due = self._clock()
        while True:
            # All three are asked: each forgets what it has told.
            hurried, look, now = self._interruption.hurried(), self._look(), self._clock()
            if hurried:
                self._agent.look_afresh()
            is_due = now >= due + (_WRITING_SECONDS if look is Look.MOVING else 0.0)
            if hurried or look is Look.CHANGED or is_due:
                due = self._round() + self._clock()
            notify(ALIVE)
            left = due - self._clock()
            self._interruption.wait(min(CHECK_SECONDS, left) if left > 0 else CHECK_SECONDS)

    def _round(self) -> float:
        """Do a round; how long to wait for the next one."""
        try:
            report = self._agent.round()
        except (ClientError, DriverError, AgentRefuses) as error:
            self._signs.failed(error)
            if isinstance(error, AgentRefuses) and self._agent.starting:
                raise
            return self._failed(str(error), error.cause if isinstance(error, ClientError) else "")
        except Exception as error:
            LOG.exception("The round ended in a way that was not foreseen")
            self._signs.failed(error)
            return self._failed(f"{type(error).__name__}: {error}")
        self._signs.after(report)
        if self._failures:
            LOG.info("It works again, after %d %s", self._failures, "try" if self._failures == 1 else "tries")
        self._failures = 0
        self._causes.clear()
        notify(status("Placement is in step." if not report.undone else "Not everything could be done; see the log."))
        return self._interval * random.uniform(0.9, 1.1)  # noqa: S311 - spreads, hides nothing

    def _failed(self, sentence: str, cause: str = "") -> float:
        """Say why, if that is news; how long to wait for the next try."""
        pause = min(_LONGEST_PAUSE_SECONDS, _FIRST_PAUSE_SECONDS * 2.0**self._failures)
        # Each cause once is enough for those who read; whoever wants to see every try looks for details.
        LOG.log(logging.DEBUG if (cause or sentence) in self._causes else logging.WARNING, "%s", sentence)
        self._causes.add(cause or sentence)
        if not self._failures:
            LOG.warning("What Placement has stays as it is; the next try is in a moment, and later ones are rarer")
        self._failures += 1
        notify(status(sentence))
        # Many agents that lost the same Placement do not come back at the same moment.
        return pause * random.uniform(0.5, 1.5)  # noqa: S311
