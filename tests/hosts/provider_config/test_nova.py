"""Files as Nova reads them: what works there works here, and where the two differ.

Every case is what Nova 34 was seen to do with the file; the differences are listed in docs/provider-config.md.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from moorage.hosts.provider_config.records import COMPUTE_NODE
from moorage.placement.model.inventory import Inventory
from tests.hosts.provider_config.examples import EXAMPLE_OF_THE_DOCUMENT, HEAD, entry, read, write

UUID = "c0c8f4a2-8f6e-4a3f-9a51-3b1c7c0f2d10"
TRAIT = "traits: {additional: [CUSTOM_A]}"


def version(text: str) -> str:
    return f"meta: {{schema_version: {text}}}\nproviders:\n{entry()}"


def total(text: str) -> str:
    return HEAD + entry(rest=f"inventories: {{additional: [{{CUSTOM_A: {{total: {text}}}}}]}}")


READ_BY_BOTH = {
    "a quoted version": version("'1.0'"),
    "an unknown minor version": version("'1.17'"),
    "a version with a line break at its end": version('"1.0\\n"'),
    "no providers": "meta: {schema_version: '1.0'}\n",
    "further fields in meta": "meta: {schema_version: '1.0', a: 1}\n",
    "further fields at the top": HEAD + entry() + "more: 1\n",
    "further fields in a provider": HEAD + entry(rest=TRAIT + "\n    __source_file: x"),
    "other adjectives": HEAD + entry(rest="traits: {additional: [CUSTOM_A], removed: [X]}"),
    "a list of inventories": total("1"),
    "several classes in one item": HEAD
    + entry(rest="inventories: {additional: [{CUSTOM_A: {total: 1}, CUSTOM_B: {total: 1}}]}"),
    "a class in two items": HEAD
    + entry(rest="inventories: {additional: [{CUSTOM_A: {total: 1}}, {CUSTOM_A: {total: 2}}]}"),
    "a whole number with a fraction": total("2.0"),
    "a trait twice": HEAD + entry(rest="traits: {additional: [CUSTOM_A, CUSTOM_A]}"),
    "a UUID in capitals": HEAD + entry(f"uuid: {UUID.upper()}"),
    "the sentinel as a name": HEAD + entry("name: $COMPUTE_NODE"),
    "an entry without content": HEAD + entry("name: a", "x: 1"),
    "the same entry again without content": HEAD + entry("name: a") + entry("name: a", "traits: {}"),
    "anchors and merge keys": HEAD
    + entry("name: a", "inventories: &i {additional: [{CUSTOM_A: &v {total: 1}}]}")
    + entry("name: b", "inventories: {additional: [{CUSTOM_A: {<<: *v, total: 2}}]}"),
}

REFUSED_BY_BOTH = {
    "an empty file": "",
    "a list": "- a\n",
    "no meta": "providers: []\n",
    "no version": "meta: {}\n",
    "a whole number as version": version("1"),
    "no version at all": version("abc"),
    "a word as version": version("latest"),
    "another major version": version("'2.0'"),
    "a minor version with a leading zero": version("'1.01'"),
    "a version between spaces": version("' 1.0 '"),
    "null as providers": HEAD,
    "no identification": f"{HEAD}  - {TRAIT}\n",
    "uuid and name": HEAD + entry(f"uuid: {UUID}, name: a"),
    "a UUID without dashes": HEAD + entry(f"uuid: {UUID.replace('-', '')}"),
    "an empty name": HEAD + entry("name: ''"),
    "a name of 201 characters": HEAD + entry(f"name: {'x' * 201}"),
    "a number as name": HEAD + entry("name: 7"),
    "a class in small letters": HEAD + entry(rest="inventories: {additional: [{custom_a: {total: 1}}]}"),
    "a standard class": HEAD + entry(rest="inventories: {additional: [{VCPU: {total: 1}}]}"),
    "a scalar in place of an inventory": HEAD + entry(rest="inventories: {additional: [CUSTOM_A]}"),
    "no total": HEAD + entry(rest="inventories: {additional: [{CUSTOM_A: {reserved: 1}}]}"),
    "a boolean as amount": total("true"),
    "text as amount": total("'2'"),
    "a standard trait": HEAD + entry(rest="traits: {additional: [HW_CPU_X86_AVX]}"),
    "null as traits": HEAD + entry(rest="traits:"),
    "a provider twice": HEAD + entry("name: a") * 2,
    "a name that is another entry's UUID": HEAD + entry(f"uuid: {UUID}") + entry(f"name: {UUID}"),
    "no YAML": "a: [",
    "two documents": f"{version('1.0')}---\na: 1\n",
}

READ_HERE_ONLY = {
    "the example of the document": EXAMPLE_OF_THE_DOCUMENT,
    "a number as version": version("1.0"),
    "a mapping of inventories": HEAD + entry(rest="inventories: {additional: {CUSTOM_A: {total: 1}}}"),
    "further fields in an inventory": HEAD + entry(rest="inventories: {additional: [{CUSTOM_A: {total: 1, x: 1}}]}"),
    "further fields in an identification": HEAD + entry("name: a, region: b"),
    "the field for Nova's own use at the top": HEAD + entry() + "__source_file: x\n",
}

REFUSED_HERE_ONLY = {
    # Placement would refuse these later.
    "an amount out of range": total("-5"),
    "more reserved than there is": HEAD
    + entry(rest="inventories: {additional: [{CUSTOM_A: {total: 1, reserved: 2}}]}"),
    "a class without a name of its own": HEAD + entry(rest="inventories: {additional: [{CUSTOM_: {total: 1}}]}"),
    "a trait without a name of its own": HEAD + entry(rest="traits: {additional: [CUSTOM_]}"),
    "a ratio that is no number": HEAD
    + entry(rest="inventories: {additional: [{CUSTOM_A: {total: 1, allocation_ratio: .nan}}]}"),
    # Nobody could ever take anything of these.
    "a ratio of nothing": HEAD + entry(rest="inventories: {additional: [{CUSTOM_A: {total: 1, allocation_ratio: 0}}]}"),
    "a smallest amount above the largest": HEAD
    + entry(rest="inventories: {additional: [{CUSTOM_A: {total: 1, min_unit: 2, max_unit: 1}}]}"),
    # Nova would use one of the two, silently.
    "a UUID in both cases": HEAD + entry(f"uuid: {UUID}") + entry(f"uuid: {UUID.upper()}"),
    "a key twice": HEAD + entry(rest="inventories: {additional: [{CUSTOM_A: {total: 1, total: 2}}]}"),
    # Nova reads them for the sake of fields that it ignores.
    "a tag of YAML beyond the plain ones": HEAD + entry() + "more: !!set {a}\n",
}


@pytest.mark.parametrize("content", READ_BY_BOTH.values(), ids=READ_BY_BOTH)
def test_what_nova_reads_is_read(tmp_path: Path, content: str) -> None:
    assert read(tmp_path, content).problems == ()


@pytest.mark.parametrize("content", REFUSED_BY_BOTH.values(), ids=REFUSED_BY_BOTH)
def test_what_nova_refuses_is_refused(tmp_path: Path, content: str) -> None:
    assert read(tmp_path, content).problems != ()


@pytest.mark.parametrize("content", READ_HERE_ONLY.values(), ids=READ_HERE_ONLY)
def test_what_only_nova_refuses(tmp_path: Path, content: str) -> None:
    reading = read(tmp_path, content)
    assert reading.problems == ()
    assert len(reading.records) == 1


@pytest.mark.parametrize("content", REFUSED_HERE_ONLY.values(), ids=REFUSED_HERE_ONLY)
def test_what_only_nova_reads(tmp_path: Path, content: str) -> None:
    assert len(read(tmp_path, content).problems) == 1


def test_of_a_class_in_two_items_the_last_counts_as_in_nova(tmp_path: Path) -> None:
    (record,) = read(tmp_path, READ_BY_BOTH["a class in two items"]).records
    assert record.inventories == {"CUSTOM_A": Inventory(2)}


def test_the_sentinel_as_a_name_is_the_sentinel_as_in_nova_with_a_warning(tmp_path: Path) -> None:
    reading = read(tmp_path, READ_BY_BOTH["the sentinel as a name"])
    (record,) = reading.records
    assert (record.uuid, record.name) == (COMPUTE_NODE, None)
    assert [warning.path for warning in reading.warnings] == ["providers[0].identification.name"]


def test_files_that_nova_passes_over_are_passed_over(tmp_path: Path) -> None:
    for name in ("a.yml", ".b.yaml", "c.txt"):
        write(tmp_path, name, "no: [yaml")
    assert read(tmp_path).problems == ()


def test_a_directory_named_like_a_file_is_refused_as_in_nova(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").mkdir()
    assert len(read(tmp_path).problems) == 1


def test_a_file_that_others_can_write_is_refused_unlike_in_nova(tmp_path: Path) -> None:
    assert read(tmp_path, version("1.0")).problems == ()
    (tmp_path / "a.yaml").chmod(0o666)
    assert len(read(tmp_path).problems) == 1
