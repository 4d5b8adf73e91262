"""What comes of one case, whichever kind it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


class Known(Protocol):
    """A way in which upstream is known to go wrong."""

    @property
    def name(self) -> str: ...

    @property
    def reason(self) -> str: ...


@dataclass(frozen=True)
class Outcome:
    """A difference, if there is one, comes with all that is needed to see it again."""

    difference: str | None
    deviation: Known | None = None
