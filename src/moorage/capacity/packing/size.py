"""The size of a block or of a node, in the three dimensions that count."""

from __future__ import annotations

from typing import NamedTuple


class Size(NamedTuple):
    """Raw cores, MiB of RAM and GiB of disk."""

    cores: int
    ram: int
    disk: int

    def plus(self, other: Size) -> Size:
        """Both together."""
        return Size(self.cores + other.cores, self.ram + other.ram, self.disk + other.disk)

    def minus(self, other: Size) -> Size:
        """What is left without the other; may be less than nothing."""
        return Size(self.cores - other.cores, self.ram - other.ram, self.disk - other.disk)

    def times(self, count: int) -> Size:
        """So many of them together."""
        return Size(self.cores * count, self.ram * count, self.disk * count)

    def fits_in(self, room: Size) -> bool:
        """Whether no dimension is larger than the room."""
        return self.cores <= room.cores and self.ram <= room.ram and self.disk <= room.disk


ZERO = Size(0, 0, 0)
