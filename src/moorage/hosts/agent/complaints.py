"""What is wrong at present, said once when it begins and once when it is over, however often it is found."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence

LOG = logging.getLogger(__name__)

# A thousand nodes with the same trouble are not a thousand pieces of news.
_MOST_AT_ONCE = 20


class Complaints:
    """Remembers what was said; one for each kind of trouble that is looked for as a whole."""

    def __init__(self) -> None:
        self._said: frozenset[str] = frozenset()

    def say(self, sentences: Iterable[str]) -> None:
        """Log what is new among all that is wrong now, and what is over."""
        now = dict.fromkeys(sentences)
        _log(logging.WARNING, "%s", [sentence for sentence in now if sentence not in self._said])
        _log(logging.INFO, "This is over: %s", sorted(self._said.difference(now)))
        self._said = frozenset(now)


def _log(level: int, line: str, sentences: Sequence[str]) -> None:
    for sentence in sentences[:_MOST_AT_ONCE]:
        LOG.log(level, line, sentence)
    if len(sentences) > _MOST_AT_ONCE:
        LOG.log(level, line, f"and {len(sentences) - _MOST_AT_ONCE} more like these.")
