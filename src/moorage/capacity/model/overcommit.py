"""Between what machines have (raw) and what is sold (effective): the overcommit factor, with its rounding.

Both directions round so that nobody sells what is not there: down on the way to effective units, up on the way back.
A factor of 0 means that there is no overcommit, as 1 does.
"""

from __future__ import annotations


def effective(factor: float, raw: int) -> int:
    """What a raw amount counts after overcommit, rounded down."""
    if factor in (0.0, 1.0):
        return raw
    return int(raw * factor)


def raw(factor: float, wanted: int) -> int:
    """The smallest raw amount that counts at least as much as wanted."""
    if factor in (0.0, 1.0):
        return wanted
    amount = int(wanted / factor)
    while effective(factor, amount) < wanted:
        amount += 1
    return amount
