"""An agent put together: its host, its files, its memory and its Placement."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path

from moorage.client.placement import PlacementClient
from moorage.hosts.agent.bulk import MooragePlacement
from moorage.hosts.agent.complaints import Complaints
from moorage.hosts.agent.examination import examine
from moorage.hosts.agent.files import Files
from moorage.hosts.agent.memory import Memory
from moorage.hosts.agent.names import Names, Vocabulary
from moorage.hosts.agent.plan import Host, Plan, merge_alone, require_agreement
from moorage.hosts.agent.refusal import AgentRefuses
from moorage.hosts.agent.round import Placement, Report, Rounds
from moorage.hosts.agent.standard import StandardPlacement
from moorage.hosts.agent.wording import summary
from moorage.hosts.drivers.driver import Driver, DriverError

LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Parts:
    """What an agent works with."""

    # The name of the host, in which additions are noted.
    host: str
    driver: Driver
    files: Files
    client: PlacementClient
    memory_file: Path
    workers: Executor
    # Waits for so many seconds.
    pause: Callable[[float], None]
    # The names of the root providers to look after; none for all that the host has.
    only: frozenset[str] = frozenset()


class Agent:
    """Keeps one host's providers true."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._memory = Memory(parts.memory_file)
        self._rounds: Rounds | None = None
        self._complaints = Complaints()
        # Until the first round is done, mistakes in the files are a reason not to begin.
        self.starting = True

    def check(self) -> None:
        """Find out, without Placement, whether there is something to begin with; AgentRefuses if not."""
        try:
            host = self._host()
        except DriverError as error:
            raise AgentRefuses([str(error)]) from error
        require_agreement(merge_alone(host, self._parts.files.records()))

    def plan(self) -> tuple[Plan, Names]:
        """What the next round would do, and which names it would have to make first; nothing is written."""
        return self._begun().foresee(self._host(), self._parts.files.records(), only_native=bool(self._parts.only))

    def round(self) -> Report:
        """Bring Placement in step, and log what was done and what not."""
        report = self._begun().bring_in_step(
            self._host(),
            self._parts.files.records(),
            starting=self.starting,
            only_native=bool(self._parts.only),
        )
        self.starting = False
        self._complaints.say((*report.undone, *report.remarks))
        if report.done:
            LOG.info("Placement brought in step: %s", summary(report.done))
        return report

    @property
    def is_with_moorage(self) -> bool:
        """Whether Placement has shown to be a Moorage, which a round finds out first."""
        return self._parts.client.is_known_to_be_moorage

    def look_afresh(self) -> None:
        """Trust nothing that was read so far: the next round finds out everything anew."""
        self._rounds = None

    def _host(self) -> Host:
        return examine(self._parts.driver, self._parts.host, self._parts.only)

    def _begun(self) -> Rounds:
        """What kind of Placement it is can be told only when it answers."""
        if self._rounds is None:
            parts = self._parts
            is_moorage = parts.client.is_moorage()
            kept = "with the providers" if is_moorage else f"in {parts.memory_file}"
            LOG.info("Agent of %s, driver %s; what it adds is noted %s", parts.host, parts.driver.name, kept)
            placement: Placement = (
                MooragePlacement(parts.client, self._memory, parts.host)
                if is_moorage
                else StandardPlacement(parts.client, self._memory, parts.workers, parts.host)
            )
            vocabulary = Vocabulary(parts.client, made_in_passing=is_moorage)
            self._rounds = Rounds(parts.client, placement, vocabulary, parts.pause)
        return self._rounds
