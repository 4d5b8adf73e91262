"""What is wrong at present, said once when it begins and once when it is over, however often it is found."""

from __future__ import annotations

import logging
from collections.abc import Iterable

LOG = logging.getLogger(__name__)


class Complaints:
    """Remembers what was said; one for each kind of trouble that is looked for as a whole."""

    def __init__(self) -> None:
        self._said: frozenset[str] = frozenset()

    def say(self, sentences: Iterable[str]) -> None:
        """Log what is new among all that is wrong now, and what is over."""
        now = dict.fromkeys(sentences)
        for sentence in now:
            if sentence not in self._said:
                LOG.warning("%s", sentence)
        for sentence in sorted(self._said.difference(now)):
            LOG.info("This is over: %s", sentence)
        self._said = frozenset(now)
