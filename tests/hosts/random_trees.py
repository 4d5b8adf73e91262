"""Small random providers, trees and records in which everything competes for the same few names."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from moorage.hosts.provider_config.records import COMPUTE_NODE, Record
from moorage.hosts.provider_tree import Provider, ProviderTree
from moorage.placement.model.inventory import Inventory
from moorage.placement.model.origin import Origin

UUIDS = ("u1", "u2", "u3", "u4", "u5", "u6")
NAMES = ("ape", "bee", "cat", "dog", "elk", "fox", "gnu")
CLASSES = ("VCPU", "CUSTOM_LLC", "CUSTOM_PIPE")
TRAITS = ("HW_FAST", "CUSTOM_RED", "CUSTOM_BLUE")
AGGREGATES = ("rack", "row")

offers = st.builds(Inventory, total=st.integers(1, 3))
inventories = st.dictionaries(st.sampled_from(CLASSES), offers, max_size=2)
traits = st.frozensets(st.sampled_from(TRAITS), max_size=2)
aggregates = st.frozensets(st.sampled_from(AGGREGATES), max_size=1)
_sources = st.sampled_from(["driver:static", "file:10-a.yaml"])
origins = st.dictionaries(
    st.sampled_from(UUIDS),
    st.builds(
        Origin,
        st.sampled_from(["here", "elsewhere"]),
        st.booleans(),
        st.dictionaries(st.sampled_from(CLASSES), _sources, max_size=2),
        st.dictionaries(st.sampled_from(TRAITS), _sources, max_size=2),
    ),
)


@st.composite
def trees(draw: st.DrawFn, uuids: Sequence[str] = UUIDS, names: Sequence[str] = NAMES) -> ProviderTree:
    """Some of the UUIDs with some of the names, each a root or below any other."""
    chosen = draw(st.lists(st.sampled_from(uuids), unique=True)) if uuids else []
    called = draw(st.permutations(names))
    return ProviderTree(
        Provider(
            uuid,
            name,
            draw(st.sampled_from([None, *chosen[:number]])),
            draw(inventories),
            draw(traits),
            draw(aggregates),
        )
        for number, (uuid, name) in enumerate(zip(chosen, called, strict=False))
    )


@st.composite
def records(draw: st.DrawFn) -> list[Record]:
    """What files may ask for, each provider at most once by UUID and once by name."""
    meant = st.one_of(
        st.tuples(st.sampled_from([COMPUTE_NODE, *UUIDS]), st.none()), st.tuples(st.none(), st.sampled_from(NAMES))
    )
    return [
        Record(
            uuid,
            name,
            draw(st.dictionaries(st.sampled_from(CLASSES[1:]), offers, max_size=2)),
            draw(st.frozensets(st.sampled_from(TRAITS[1:]))),
            draw(st.sampled_from(["10-a.yaml", "20-b.yaml"])),
            line,
        )
        for line, (uuid, name) in enumerate(draw(st.lists(meant, unique=True, max_size=5)), start=1)
    ]
