"""Between what machines have (raw) and what is sold (effective): the overcommit factor, with its rounding.

Both directions round so that nobody sells what is not there: down on the way to effective units, up on the way back.
A factor of 0 means that there is no overcommit, as 1 does.
"""

from __future__ import annotations

LEAST, MOST = 1e-6, 1e9
"""Factors beyond these are mistakes, and would only overflow."""


def is_usable(factor: float) -> bool:
    """Whether this is a factor at all; 0 is, for it means none."""
    return factor == 0 or LEAST <= factor <= MOST


def effective(factor: float, raw: int) -> int:
    """What a raw amount counts after overcommit, rounded down."""
    if factor in (0.0, 1.0):
        return raw
    return int(raw * factor)


def raw(factor: float, wanted: int) -> int:
    """The smallest raw amount that counts at least as much as wanted."""
    if factor in (0.0, 1.0):
        return wanted
    enough = int(wanted / factor)
    too_little = enough - 1
    # Doubles are coarse where amounts are huge: there it may be a long way up, so it is gone in growing steps.
    while effective(factor, enough) < wanted:
        too_little, enough = enough, enough + 2 * (enough - too_little)
    while enough - too_little > 1:
        middle = (too_little + enough) // 2
        too_little, enough = (middle, enough) if effective(factor, middle) < wanted else (too_little, middle)
    return enough
