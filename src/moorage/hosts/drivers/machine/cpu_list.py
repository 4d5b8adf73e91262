"""Lists of processors as the kernel writes them, "0-3,8", and as operators do, "0-7,^3"."""

from __future__ import annotations

import re
from collections.abc import Iterable

MAX_CPU = 65535
"""Far beyond what kernels are built for; it keeps a mistyped range from filling the memory."""

_ITEM = re.compile(r"(?P<first>[0-9]+)(-(?P<last>[0-9]+))?|\^(?P<excluded>[0-9]+)")


def parse_cpu_list(text: str) -> frozenset[int]:
    """The numbers in a list; those after "^" are left out wherever they stand. ValueError tells what is wrong."""
    if not text.strip():
        return frozenset()
    included: set[int] = set()
    excluded: set[int] = set()
    for item in text.split(","):
        match = _ITEM.fullmatch(item.strip())
        if match is None:
            raise ValueError(
                f"{item.strip()!r} is neither a number, nor a range such as 0-3, nor an exclusion such as ^2"
            )
        if match["excluded"] is not None:
            excluded.add(_number(match["excluded"]))
            continue
        first = _number(match["first"])
        last = first if match["last"] is None else _number(match["last"])
        if last < first:
            raise ValueError(f"the range {item.strip()} ends before it begins")
        included.update(range(first, last + 1))
    return frozenset(included - excluded)


def format_cpu_list(cpus: Iterable[int]) -> str:
    """The shortest list that has these numbers."""
    ranges: list[list[int]] = []
    for cpu in sorted(set(cpus)):
        if ranges and cpu == ranges[-1][1] + 1:
            ranges[-1][1] = cpu
        else:
            ranges.append([cpu, cpu])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in ranges)


def _number(digits: str) -> int:
    # Comparing lengths first: int() itself refuses thousands of digits, with a text about itself.
    if len(digits.lstrip("0")) > len(str(MAX_CPU)) or int(digits) > MAX_CPU:
        raise ValueError(f"the number of a processor is at most {MAX_CPU}")
    return int(digits)
