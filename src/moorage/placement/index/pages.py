"""A list that is cheap to change a little: the new list shares all but the touched pages with the old one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Generic, TypeVar

Item = TypeVar("Item")

# Pages and the list of pages are about equally long where it matters most, at some ten thousand items.
_BITS = 8
_SIZE = 1 << _BITS
_MASK = _SIZE - 1


class Pages(Generic[Item]):
    """An immutable sequence with gaps (None)."""

    __slots__ = ("_length", "_pages")

    def __init__(self, items: Iterable[Item | None] = ()) -> None:
        everything = list(items)
        self._length = len(everything)
        self._pages = [everything[start : start + _SIZE] for start in range(0, len(everything), _SIZE)]

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: int) -> Item | None:
        return self._pages[index >> _BITS][index & _MASK]

    def many(self, indices: Iterable[int]) -> list[Item | None]:
        """The items at these places."""
        pages = self._pages
        return [pages[index >> _BITS][index & _MASK] for index in indices]

    def __iter__(self) -> Iterator[Item | None]:
        for page in self._pages:
            yield from page

    def replaced(self, changes: Mapping[int, Item | None]) -> Pages[Item]:
        """The same list with some items replaced; indices right behind the end make it longer."""
        new: Pages[Item] = Pages()
        new._pages = list(self._pages)
        new._length = self._length
        fresh: set[int] = set()
        for index in sorted(changes):
            number = index >> _BITS
            if number == len(new._pages):
                new._pages.append([])
                fresh.add(number)
            elif number not in fresh:
                new._pages[number] = list(new._pages[number])
                fresh.add(number)
            page = new._pages[number]
            if index & _MASK == len(page):
                page.append(changes[index])
                new._length += 1
            else:
                page[index & _MASK] = changes[index]
        return new
