"""The provider configuration that holds at present: what the files say, or what they said when they last made sense."""

from __future__ import annotations

import logging
from collections.abc import Callable

from moorage.hosts.agent.complaints import Complaints
from moorage.hosts.agent.refusal import AgentRefuses
from moorage.hosts.provider_config.reading import Reading
from moorage.hosts.provider_config.records import Record

LOG = logging.getLogger(__name__)


class Files:
    """Reads the files again whenever it is asked."""

    def __init__(self, read: Callable[[], Reading]) -> None:
        self._read = read
        self._records: tuple[Record, ...] | None = None
        self._broken = False
        self._complaints = Complaints()

    def records(self) -> tuple[Record, ...]:
        """The records to go by; AgentRefuses if the files were never right."""
        reading = self._read()
        if not reading.problems:
            self._complaints.say(map(str, reading.warnings))
            self._take(reading)
        elif self._records is None:
            raise AgentRefuses([str(problem) for problem in reading.problems])
        else:
            self._complaints.say([*map(str, reading.problems), *map(str, reading.warnings)])
            if not self._broken:
                LOG.warning("The provider configuration cannot be used as it is now; what it said before still holds")
            self._broken = True
        return self._records or ()

    def _take(self, reading: Reading) -> None:
        if self._broken or reading.records != self._records:
            LOG.info("Provider configuration: records %d, files %d", len(reading.records), len(reading.files))
            for note in reading.notes:
                LOG.info("%s", note)
        self._broken = False
        self._records = reading.records
