"""No provider may be named twice, in all files together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from moorage.hosts.provider_config.findings import Finding, shortened, spelled_out
from moorage.hosts.provider_config.interpretation import Named


def duplicates(named: Iterable[Named]) -> Iterator[Finding]:
    """A finding for every entry that names a provider which an earlier one names: by UUID, by name, or one by each."""
    first: dict[str, Named] = {}
    for one in named:
        other = first.setdefault(one.identification, one)
        if other is not one:
            value = shortened(repr(one.identification))
            place = f"{other.file}:{other.place.line}:{other.place.column}"
            yield Finding(
                one.file,
                f"{value} is already named in {place}",
                *one.place,
                spelled_out(one.path),
                value,
                "each provider once in all files",
            )
