"""How far a move has come, told while it goes on."""

from __future__ import annotations

from collections.abc import Callable

Tell = Callable[[str, int], None]
"""Is told what was read or written, and how many of it."""
