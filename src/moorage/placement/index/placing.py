"""Whether everybody can have a place, when it is only counted for how many there is room."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence


def can_be_placed(parts: Iterable[int], choices: Sequence[Sequence[int]], room: Callable[[int], int]) -> bool:
    """Whether every part can have one of its choices, none of which serves more parts than it has room for.

    A matching, grown part by part along augmenting paths.
    """
    serving: dict[int, list[int]] = {}
    # How many at the beginning of each list of choices are full, and remain so; many parts have the same list.
    full: dict[int, int] = {}

    def place(part: int, tried: set[int]) -> bool:
        slots = choices[part]
        for number in range(full.get(id(slots), 0), len(slots)):
            served = serving.setdefault(slots[number], [])
            if len(served) < room(slots[number]):
                served.append(part)
                full[id(slots)] = number
                return True
        full[id(slots)] = len(slots)
        for slot in slots:
            if slot in tried:
                continue
            tried.add(slot)
            served = serving[slot]
            for index, other in enumerate(served):
                if place(other, tried):
                    served[index] = part
                    return True
        return False

    return all(place(part, set()) for part in parts)
