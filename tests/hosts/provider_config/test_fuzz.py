"""Whatever a file holds, reading it gives records or findings, never a traceback."""

from __future__ import annotations

import copy
import math
from typing import Any

import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from moorage.hosts.provider_config.documents import Document, read_document
from moorage.hosts.provider_config.sample import sample_text
from moorage.placement.model.inventory import MAX_AMOUNT, Inventory
from tests.properties import effort

SAMPLE = sample_text()
PARSED_SAMPLE = yaml.safe_load(SAMPLE)
# Pieces that have a meaning in YAML, or in these files.
PIECES = st.sampled_from(
    [
        *"{}[]:,-?!&*|>'\"%@`#=~\t\n\r ",
        *("<<: ", "*a", "&a ", "---\n", "...\n", "\\ud800", "!!int ", "!!set ", "- ", ": "),
        *("0x_", "1:60", ".nan", "-.inf", "2020-13-45", "yes", "null", "\u2028", "\x85", "\ufeff", "\x00", "9" * 5000),
        *("CUSTOM_", "total", "$COMPUTE_NODE", "providers:", "additional:", "identification:"),
    ]
)


def check(content: bytes) -> Document:
    document = read_document("a.yaml", content)
    lines = len(content.decode("utf-8", "replace").splitlines()) + 1
    for finding in (*document.problems, *document.warnings):
        assert finding.line is not None
        assert 1 <= finding.line <= lines
        assert finding.column is not None
        assert finding.column >= 1
        assert str(finding).isprintable()
    return document


@effort(150)
@given(st.binary(max_size=300))
@example(b"")
@example(b"\xef\xbb\xbf")
def test_any_bytes(content: bytes) -> None:
    check(content)


@effort(150)
@given(st.text(max_size=100) | st.lists(PIECES, max_size=15).map("".join))
def test_any_text(text: str) -> None:
    check(text.encode("utf-8", "surrogatepass"))


@effort(100)
@given(
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 20), PIECES | st.text(max_size=5)), min_size=1, max_size=6),
)
def test_the_sample_with_pieces_replaced(changes: list[tuple[float, int, str]]) -> None:
    text = SAMPLE
    for where, length, piece in changes:
        begin = int(where * len(text))
        text = text[:begin] + piece + text[begin + length :]
    check(text.encode("utf-8", "surrogatepass"))


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.dates()
    | st.binary(max_size=5)
    | st.text(max_size=8)
    | st.sampled_from(["CUSTOM_A", "VCPU", "$COMPUTE_NODE", "1.0", "c0c8f4a2-8f6e-4a3f-9a51-3b1c7c0f2d10"])
)
KEYS = SCALARS | st.sampled_from(
    [
        *("meta", "schema_version", "providers", "identification", "uuid", "name", "inventories", "traits"),
        *("additional", "CUSTOM_A", "total", "reserved", "min_unit", "max_unit", "step_size", "allocation_ratio"),
    ]
)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3))
PLACES: list[list[str | int]] = [
    [],
    ["meta"],
    ["meta", "schema_version"],
    ["providers"],
    ["providers", 0],
    ["providers", 0, "identification"],
    ["providers", 0, "identification", "uuid"],
    ["providers", 0, "inventories"],
    ["providers", 0, "inventories", "additional"],
    ["providers", 0, "inventories", "additional", "CUSTOM_LLC"],
    ["providers", 0, "inventories", "additional", "CUSTOM_LLC", "total"],
    ["providers", 0, "inventories", "additional", "CUSTOM_LLC", "allocation_ratio"],
    ["providers", 0, "traits"],
    ["providers", 0, "traits", "additional"],
    ["providers", 0, "traits", "additional", 0],
    ["providers", 1, "inventories", "additional", 0],
]


@effort(120)
@given(st.sampled_from(PLACES), VALUES)
def test_the_sample_with_any_value_anywhere(place: list[str | int], value: Any) -> None:
    document: Any = copy.deepcopy(PARSED_SAMPLE)
    if place:
        inner = document
        for step in place[:-1]:
            inner = inner[step]
        inner[place[-1]] = value
    else:
        document = value
    check(yaml.safe_dump(document, allow_unicode=True).encode())


AMOUNTS = st.integers(1, MAX_AMOUNT)
NAMES = st.from_regex(r"CUSTOM_[A-Z0-9_]{1,20}", fullmatch=True)


@st.composite
def inventories(draw: st.DrawFn) -> Inventory:
    total, (min_unit, max_unit) = draw(AMOUNTS), sorted((draw(AMOUNTS), draw(AMOUNTS)))
    ratio = draw(st.floats(0, 3.4e38, exclude_min=True))
    return Inventory(total, draw(st.integers(0, total)), min_unit, max_unit, draw(AMOUNTS), ratio)


@effort(80)
@given(st.dictionaries(NAMES, inventories(), max_size=4), st.frozensets(NAMES, min_size=1, max_size=4), st.booleans())
def test_what_is_written_is_read(stocks: dict[str, Inventory], traits: frozenset[str], as_list: bool) -> None:
    additional: Any = {
        name: {field: getattr(stock, field) for field in Inventory.__dataclass_fields__}
        for name, stock in stocks.items()
    }
    if as_list:
        additional = [{name: stock} for name, stock in additional.items()]
    entry = {
        "identification": {"name": "a"},
        "inventories": {"additional": additional},
        "traits": {"additional": sorted(traits)},
    }
    document = check(yaml.safe_dump({"meta": {"schema_version": "1.0"}, "providers": [entry]}).encode())
    assert document.problems == document.warnings == ()
    (record,) = document.records
    assert (record.inventories, record.traits) == (stocks, traits)


@effort(100)
@given(
    inventories(), st.dictionaries(st.sampled_from(list(Inventory.__dataclass_fields__)), st.floats() | st.integers())
)
def test_only_what_placement_accepts_is_read(good: Inventory, changes: dict[str, float]) -> None:
    fields = {field: getattr(good, field) for field in Inventory.__dataclass_fields__} | changes
    entry = {"identification": {"name": "a"}, "inventories": {"additional": {"CUSTOM_A": fields}}}
    document = check(yaml.safe_dump({"meta": {"schema_version": "1.0"}, "providers": [entry]}).encode())
    assert bool(document.records) is not bool(document.problems)
    for record in document.records:
        stock = record.inventories["CUSTOM_A"]
        assert 0 <= stock.reserved <= stock.total <= MAX_AMOUNT
        assert 1 <= stock.min_unit <= stock.max_unit <= MAX_AMOUNT
        assert 1 <= stock.step_size <= MAX_AMOUNT
        assert 0 < stock.allocation_ratio < math.inf
        assert stock.capacity >= 0
