"""Divides amounts into whole parts."""

from __future__ import annotations

from collections.abc import Sequence


def shares(amount: int, sizes: Sequence[int]) -> list[int]:
    """An amount in whole parts, in proportion to the sizes: rounded down, and the rest to the largest remainders.

    If the amount is not more than all sizes together, no part is more than its size.
    """
    whole = sum(sizes)
    if not whole:
        return [0 for _ in sizes]
    parts = [amount * size // whole for size in sizes]
    by_remainder = sorted(range(len(sizes)), key=lambda position: -(amount * sizes[position] % whole))
    for position in by_remainder[: amount - sum(parts)]:
        parts[position] += 1
    return parts
