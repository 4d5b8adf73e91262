"""What a file may say: every rule of the format, with the message that a breach of it gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from moorage.hosts.provider_config.interpretation import MAX_NAMES
from moorage.hosts.provider_config.records import COMPUTE_NODE, Record
from moorage.placement.model.inventory import MAX_AMOUNT, Inventory
from tests.hosts.provider_config.examples import EXAMPLE_OF_THE_DOCUMENT, HEAD, entry, problems, read, warnings

UUID = "c0c8f4a2-8f6e-4a3f-9a51-3b1c7c0f2d10"
CUSTOM_RULE = (
    "allowed: CUSTOM_ and at least one more capital letter, digit or underscore, at most 255 characters in all"
)


def inventory(fields: str) -> str:
    """A file with one inventory."""
    return HEAD + entry(rest=f"inventories: {{additional: {{CUSTOM_A: {fields}}}}}")


def test_the_example_of_the_document_is_read(tmp_path: Path) -> None:
    reading = read(tmp_path, EXAMPLE_OF_THE_DOCUMENT)
    assert problems(reading) == warnings(reading) == []
    assert reading.records == (
        Record(
            uuid=COMPUTE_NODE,
            name=None,
            inventories={"CUSTOM_LLC": Inventory(22, 2, 1, 11, 1, 1.0)},
            traits=frozenset({"CUSTOM_P_STATE_ENABLED"}),
            file="a.yaml",
            line=6,
        ),
    )


class TestVersion:
    @pytest.mark.parametrize("version", ["1.0", "'1.0'", '"1.0"', "!!str 1.0", "|\n    1.0\n  more: 1"])
    def test_the_version_may_be_a_number_or_text(self, tmp_path: Path, version: str) -> None:
        reading = read(tmp_path, f"meta:\n  schema_version: {version}\nproviders:\n{entry()}")
        assert problems(reading) == []
        assert len(reading.records) == 1

    @pytest.mark.parametrize("version", ["1.10", "'1.10'", "1.1", "1.7", f"1.{'9' * 5000}"])
    def test_another_minor_version_is_read_with_a_warning(self, tmp_path: Path, version: str) -> None:
        reading = read(tmp_path, f"meta: {{schema_version: {version}}}\nproviders:\n{entry()}")
        assert len(reading.records) == 1
        text = version.strip("'")
        assert warnings(reading) == [
            f"a.yaml:1:24: meta.schema_version: version {text} is not known here; the file is read as 1.0"
        ]

    @pytest.mark.parametrize("version", ["2.0", "'2.0'", "0.1", "10.0", "01.0"])
    def test_another_major_version_is_refused_and_the_rest_not_judged(self, tmp_path: Path, version: str) -> None:
        reading = read(tmp_path, f"meta: {{schema_version: {version}}}\nproviders: of another kind\n")
        text = version.strip("'")
        assert problems(reading) == [
            (
                f"a.yaml:1:24: meta.schema_version: files of version {text} cannot be read; "
                "allowed: 1.0, or another minor version of 1"
            )
        ]
        assert reading.records == ()

    @pytest.mark.parametrize(
        ("version", "complaint"),
        [
            ("1", "1 is not of the right form"),
            ("'1.01'", "'1.01' is not of the right form"),
            ("' 1.0 '", "' 1.0 ' is not of the right form"),
            ("latest", "'latest' is not of the right form"),
            ("1_0.0", "1_0.0 is not of the right form"),
            ("true", "true is a boolean"),
            ("", "there is no value"),
            ("[1, 0]", "this is a list"),
            ("2020-01-01", "2020-01-01 is a date"),
        ],
    )
    def test_what_is_no_version_is_refused_and_the_rest_judged(
        self, tmp_path: Path, version: str, complaint: str
    ) -> None:
        reading = read(tmp_path, f"meta:\n  schema_version: {version}\nproviders: 7\n")
        assert [(problem.path, problem.message) for problem in reading.problems] == [
            ("meta.schema_version", complaint),
            ("providers", "7 is a number"),
        ]

    @pytest.mark.parametrize(
        ("head", "complaint"),
        [
            ("providers: []\n", "a.yaml:1:1: meta is missing; allowed: a mapping with meta and providers"),
            ("meta: {}\n", "a.yaml:1:7: meta: schema_version is missing; allowed: a mapping with schema_version"),
            ("meta:\n", "a.yaml:1:6: meta: there is no value; allowed: a mapping with schema_version"),
            ("- meta\n", "a.yaml:1:1: this is a list; allowed: a mapping with meta and providers"),
            ("meta\n", "a.yaml:1:1: 'meta' is text; allowed: a mapping with meta and providers"),
            ("~\n", "a.yaml:1:1: there is no value; allowed: a mapping with meta and providers"),
            ("", "a.yaml:1:1: the file is empty; allowed: a mapping with meta and providers"),
            ("# nothing\n", "a.yaml:1:1: the file is empty; allowed: a mapping with meta and providers"),
        ],
    )
    def test_a_file_without_a_version_is_refused(self, tmp_path: Path, head: str, complaint: str) -> None:
        assert problems(read(tmp_path, head)) == [complaint]


class TestUnknownFields:
    def test_they_are_ignored_at_every_level_with_a_warning(self, tmp_path: Path) -> None:
        text = f"""\
meta: {{schema_version: 1.0, author: me}}
license: none
providers:
  - identification: {{uuid: {UUID}, alias: x}}
    inventories:
      additional:
        CUSTOM_A: {{total: 1, alocation_ratio: 2.0}}
      removed: [VCPU]
    traits:
      additional: [CUSTOM_A]
      forbidden: [CUSTOM_B]
    agregates: []
"""
        reading = read(tmp_path, text)
        assert [record.inventories for record in reading.records] == [{"CUSTOM_A": Inventory(1)}]
        ignored = "the field is not known, and ignored"
        assert warnings(reading) == [
            f"a.yaml:1:29: meta.author: {ignored}",
            f"a.yaml:2:1: license: {ignored}",
            f"a.yaml:4:66: providers[0].identification.alias: {ignored}",
            (
                f"a.yaml:7:30: providers[0].inventories.additional.CUSTOM_A.alocation_ratio: {ignored}; "
                "do you mean allocation_ratio?"
            ),
            f"a.yaml:8:7: providers[0].inventories.removed: {ignored}",
            f"a.yaml:11:7: providers[0].traits.forbidden: {ignored}",
            f"a.yaml:12:5: providers[0].agregates: {ignored}",
        ]

    def test_a_newer_minor_version_may_have_them_everywhere(self, tmp_path: Path) -> None:
        text = f"""\
meta: {{schema_version: '1.3', author: me}}
providers:
  - identification: {{uuid: {UUID}, region: x}}
    inventories: {{additional: [{{CUSTOM_A: {{total: 1, owner: x}}}}], removed: {{VCPU: {{}}}}}}
    traits: {{removed: [HW_CPU_X86_AVX]}}
"""
        reading = read(tmp_path, text)
        assert problems(reading) == []
        assert [record.inventories for record in reading.records] == [{"CUSTOM_A": Inventory(1)}]
        assert [warning.path for warning in reading.warnings] == [
            "meta.schema_version",
            "meta.author",
            "providers[0].identification.region",
            "providers[0].inventories.additional[0].CUSTOM_A.owner",
            "providers[0].inventories.removed",
            "providers[0].traits.removed",
        ]

    def test_a_key_need_not_be_text(self, tmp_path: Path) -> None:
        reading = read(tmp_path, f"{HEAD}{entry()}7: seven\nno: more\n'we ird': 1\n=: 2\n")
        assert problems(reading) == []
        assert [warning.path for warning in reading.warnings] == ["['7']", "no", "['we ird']", "['=']"]

    def test_without_providers_there_is_nothing_to_do(self, tmp_path: Path) -> None:
        reading = read(tmp_path, "meta: {schema_version: 1.0}\n")
        assert (reading.problems, reading.records) == ((), ())


class TestIdentification:
    def test_a_uuid_is_compared_in_lower_case(self, tmp_path: Path) -> None:
        (record,) = read(tmp_path, HEAD + entry(f"uuid: {UUID.upper()}")).records
        assert (record.uuid, record.name, record.identification) == (UUID, None, UUID)

    def test_a_name_is_taken_as_it_is(self, tmp_path: Path) -> None:
        (record,) = read(tmp_path, HEAD + entry("name: Höst-1.example.org")).records
        assert (record.uuid, record.name) == (None, "Höst-1.example.org")

    @pytest.mark.parametrize(
        ("identification", "complaint"),
        [
            (f"uuid: {UUID}, name: a", "uuid and name are both there; allowed: exactly one of uuid and name"),
            ("", "neither uuid nor name is there; allowed: exactly one of uuid and name"),
            ("alias: a", "neither uuid nor name is there; allowed: exactly one of uuid and name"),
        ],
    )
    def test_exactly_one_of_uuid_and_name(self, tmp_path: Path, identification: str, complaint: str) -> None:
        reading = read(tmp_path, HEAD + entry(identification))
        assert problems(reading) == [f"a.yaml:3:21: providers[0].identification: {complaint}"]

    @pytest.mark.parametrize(
        "uuid",
        [UUID.replace("-", ""), f"'{{{UUID}}}'", f"urn:uuid:{UUID}", f'"{UUID}\\n"', UUID[:-1], "''", "COMPUTE_NODE"],
    )
    def test_a_uuid_is_written_with_dashes_and_nothing_else(self, tmp_path: Path, uuid: str) -> None:
        reading = read(tmp_path, HEAD + entry(f"uuid: {uuid}"))
        assert [(problem.path, problem.allowed) for problem in reading.problems] == [
            ("providers[0].identification.uuid", "a UUID with dashes, or $COMPUTE_NODE")
        ]

    @pytest.mark.parametrize("length", [1, 200])
    def test_a_name_has_1_to_200_characters(self, tmp_path: Path, length: int) -> None:
        (record,) = read(tmp_path, HEAD + entry(f"name: {'ü' * length}")).records
        assert record.name == "ü" * length

    @pytest.mark.parametrize(
        ("name", "complaint"),
        [
            ("''", "'' is empty"),
            ("x" * 201, f"'{'x' * 58}… has 201 characters"),
            ("12", "12 is a number"),
            ("2020-01-01", "2020-01-01 is a date"),
            ("yes", "yes is a boolean"),
            ("", "there is no value"),
        ],
    )
    def test_other_names_are_refused(self, tmp_path: Path, name: str, complaint: str) -> None:
        reading = read(tmp_path, HEAD + entry(f"name: {name}"))
        assert problems(reading) == [
            (
                f"a.yaml:3:28: providers[0].identification.name: {complaint}; allowed: text of 1 to 200 "
                "characters, in quotes if it looks like a number or a date"
            )
        ]

    @pytest.mark.parametrize("name", ["' a'", '"a\\n"', '"a\\0b"'])
    def test_a_name_that_nobody_means_gives_a_warning(self, tmp_path: Path, name: str) -> None:
        reading = read(tmp_path, HEAD + entry(f"name: {name}"))
        assert len(reading.records) == 1
        assert ["white space around it or control characters" in warning for warning in warnings(reading)] == [True]

    def test_an_entry_needs_it(self, tmp_path: Path) -> None:
        reading = read(tmp_path, f"{HEAD}  - traits: {{additional: [CUSTOM_A]}}\n  - 3\n  -\n")
        allowed = "allowed: a mapping with identification, and with inventories or traits or both"
        assert problems(reading) == [
            f"a.yaml:3:5: providers[0]: identification is missing; {allowed}",
            f"a.yaml:4:5: providers[1]: 3 is a number; {allowed}",
            f"a.yaml:5:4: providers[2]: there is no value; {allowed}",
        ]


class TestInventories:
    def test_only_total_is_required_and_the_others_have_the_defaults_of_placement(self, tmp_path: Path) -> None:
        (record,) = read(tmp_path, inventory("{total: 5}")).records
        assert record.inventories == {"CUSTOM_A": Inventory(5, 0, 1, MAX_AMOUNT, 1, 1.0)}

    def test_every_field_is_read(self, tmp_path: Path) -> None:
        fields = "{total: 8, reserved: 1, min_unit: 2, max_unit: 6, step_size: 2, allocation_ratio: 1.5}"
        (record,) = read(tmp_path, inventory(fields)).records
        assert record.inventories == {"CUSTOM_A": Inventory(8, 1, 2, 6, 2, 1.5)}

    def test_a_list_of_mappings_means_the_same_as_a_mapping(self, tmp_path: Path) -> None:
        as_mapping = "inventories: {additional: {CUSTOM_A: {total: 1}, CUSTOM_B: {total: 2}, CUSTOM_C: {total: 3}}}"
        as_list = "inventories: {additional: [{CUSTOM_A: {total: 1}, CUSTOM_B: {total: 2}}, {CUSTOM_C: {total: 3}}]}"
        reading = read(tmp_path, HEAD + entry("name: a", as_mapping) + entry("name: b", as_list))
        first, second = reading.records
        assert len(first.inventories) == 3
        assert first.inventories == second.inventories

    def test_of_a_class_in_two_items_of_a_list_the_last_counts_with_a_warning(self, tmp_path: Path) -> None:
        reading = read(
            tmp_path,
            HEAD + entry(rest="inventories: {additional: [{CUSTOM_A: {total: 1}}, {CUSTOM_A: {total: 2}}]}"),
        )
        assert [record.inventories for record in reading.records] == [{"CUSTOM_A": Inventory(2)}]
        assert warnings(reading) == [
            (
                "a.yaml:4:57: providers[0].inventories.additional[1].CUSTOM_A: "
                "this takes the place of what is in line 4, column 33"
            )
        ]

    @pytest.mark.parametrize(
        ("fields", "number"),
        [
            ("total: 1", 1),
            (f"total: {MAX_AMOUNT}", MAX_AMOUNT),
            ("total: 2.0", 2),
            ("total: 0x10", 16),
            ("total: 1_000", 1000),
            ("total: !!int '7'", 7),
        ],
    )
    def test_whole_numbers_in_every_spelling_of_yaml(self, tmp_path: Path, fields: str, number: int) -> None:
        (record,) = read(tmp_path, inventory(f"{{{fields}}}")).records
        total = record.inventories["CUSTOM_A"].total
        assert (total, type(total)) == (number, int)

    @pytest.mark.parametrize("field", ["total", "min_unit", "max_unit", "step_size"])
    @pytest.mark.parametrize(
        ("value", "complaint"),
        [
            ("0", "0 is less than 1"),
            ("-1", "-1 is less than 1"),
            ("2147483648", "2147483648 is more than 2147483647"),
            ("true", "true is a boolean"),
            ("'1'", "'1' is text"),
            ("1.5", "1.5 is a number"),
            (".inf", ".inf is a number"),
            (".nan", ".nan is a number"),
            ("~", "there is no value"),
            ("2020-01-01", "2020-01-01 is a date"),
            ("[1]", "this is a list"),
            ("{}", "this is a mapping"),
        ],
    )
    def test_amounts_are_whole_numbers_of_at_least_1(
        self, tmp_path: Path, field: str, value: str, complaint: str
    ) -> None:
        fields = f"{{{field}: {value}, {'reserved: 0' if field == 'total' else 'total: 1'}}}"
        (problem,) = read(tmp_path, inventory(fields)).problems
        assert problem.path == f"providers[0].inventories.additional.CUSTOM_A.{field}"
        assert problem.message == complaint
        assert problem.allowed.startswith("a whole number from 1 to ")

    def test_numbers_of_thousands_of_digits_are_no_numbers(self, tmp_path: Path) -> None:
        for number in (f"0x{'f' * 5000}", "9" * 5000):
            (problem,) = read(tmp_path, inventory(f"{{total: {number}}}")).problems
            assert "cannot be read as a whole number" in problem.message

    @pytest.mark.parametrize(("reserved", "is_allowed"), [("0", True), ("5", True), ("6", False), ("-1", False)])
    def test_reserved_is_at_most_total(self, tmp_path: Path, reserved: str, is_allowed: bool) -> None:
        reading = read(tmp_path, inventory(f"{{total: 5, reserved: {reserved}}}"))
        assert (len(reading.records) == 1) is is_allowed

    def test_what_contradicts_another_field_is_said_at_its_place(self, tmp_path: Path) -> None:
        reading = read(tmp_path, inventory("{total: 5, reserved: 6, min_unit: 4.0, max_unit: 3}"))
        path = "providers[0].inventories.additional.CUSTOM_A"
        assert problems(reading) == [
            f"a.yaml:4:63: {path}.reserved: 6 is more than total, which is 5; allowed: at most total",
            f"a.yaml:4:76: {path}.min_unit: 4.0 is more than max_unit, which is 3; allowed: at most max_unit",
        ]

    @pytest.mark.parametrize("ratio", ["1", "1.0", "16", "0.1", "3.40282e+38", "1.0e-300"])
    def test_a_ratio_is_a_number_above_0(self, tmp_path: Path, ratio: str) -> None:
        (record,) = read(tmp_path, inventory(f"{{total: 1, allocation_ratio: {ratio}}}")).records
        found = record.inventories["CUSTOM_A"].allocation_ratio
        assert (found, type(found)) == (float(ratio), float)

    @pytest.mark.parametrize(
        ("ratio", "complaint"),
        [
            ("0", "0 is not more than 0"),
            ("-1.0", "-1.0 is not more than 0"),
            (".inf", ".inf is more than 3.40282e+38"),
            ("-.inf", "-.inf is not more than 0"),
            (".nan", ".nan is not a number"),
            (f"1{'0' * 400}", f"1{'0' * 58}… is more than 3.40282e+38"),
            ("true", "true is a boolean"),
            ("'1.0'", "'1.0' is text"),
            ("1e3", "'1e3' is text"),
        ],
    )
    def test_other_ratios_are_refused(self, tmp_path: Path, ratio: str, complaint: str) -> None:
        (problem,) = read(tmp_path, inventory(f"{{total: 1, allocation_ratio: {ratio}}}")).problems
        assert problem.message == complaint

    def test_total_is_required(self, tmp_path: Path) -> None:
        assert problems(read(tmp_path, inventory("{reserved: 1}"))) == [
            "a.yaml:4:42: providers[0].inventories.additional.CUSTOM_A: total is missing; allowed: a mapping with total"
        ]

    @pytest.mark.parametrize(
        ("section", "path", "complaint"),
        [
            ("", "inventories", "there is no value"),
            ("[]", "inventories", "this is a list"),
            ("{additional: }", "inventories.additional", "there is no value"),
            ("{additional: CUSTOM_A}", "inventories.additional", "'CUSTOM_A' is text"),
            ("{additional: [CUSTOM_A]}", "inventories.additional[0]", "'CUSTOM_A' is text"),
            ("{additional: {CUSTOM_A: 7}}", "inventories.additional.CUSTOM_A", "7 is a number"),
            ("{additional: [{CUSTOM_A: }]}", "inventories.additional[0].CUSTOM_A", "there is no value"),
        ],
    )
    def test_sections_of_another_kind_are_refused(
        self, tmp_path: Path, section: str, path: str, complaint: str
    ) -> None:
        (problem,) = read(tmp_path, HEAD + entry(rest=f"inventories: {section}")).problems
        assert (problem.path, problem.message) == (f"providers[0].{path}", complaint)


LONGEST = f"CUSTOM_{'X' * 248}"


@pytest.mark.parametrize("name", ["CUSTOM_LLC", "CUSTOM_9", "CUSTOM__", LONGEST])
def test_custom_names_are_allowed(tmp_path: Path, name: str) -> None:
    rest = f"inventories: {{additional: {{{name}: {{total: 1}}}}}}\n    traits: {{additional: [{name}, {name}]}}"
    (record,) = read(tmp_path, HEAD + entry(rest=rest)).records
    assert set(record.inventories) == record.traits == {name}


@pytest.mark.parametrize(
    "name",
    [
        "VCPU",
        "HW_CPU_X86_AVX",
        "CUSTOM_",
        "CUSTOM",
        "custom_llc",
        "CUSTOM_llc",
        "CUSTOM-A",
        '"CUSTOM_A\\n"',
        "CUSTOM_Ä",
    ],
)
def test_other_names_are_refused(tmp_path: Path, name: str) -> None:
    rest = f"inventories: {{additional: {{{name}: {{total: 1}}}}}}\n    traits: {{additional: [CUSTOM_OK, {name}]}}"
    as_class, as_trait = read(tmp_path, HEAD + entry(rest=rest)).problems
    assert (as_class.line, as_class.column) == (4, 32)
    assert as_trait.path == "providers[0].traits.additional[1]"
    for problem in (as_class, as_trait):
        assert problem.message.endswith(" is not of the right form")
        assert CUSTOM_RULE in str(problem)


def test_names_are_not_longer_than_placement_keeps_them(tmp_path: Path) -> None:
    rest = f"inventories: {{additional: {{{LONGEST}X: {{total: 1}}}}}}\n    traits: {{additional: [{LONGEST}X]}}"
    reading = read(tmp_path, HEAD + entry(rest=rest))
    assert ["has 256 characters" in problem.message for problem in reading.problems] == [True, True]


@pytest.mark.parametrize(
    ("section", "path", "complaint"),
    [
        ("", "traits", "there is no value"),
        ("[CUSTOM_A]", "traits", "this is a list"),
        ("{additional: }", "traits.additional", "there is no value"),
        ("{additional: CUSTOM_A}", "traits.additional", "'CUSTOM_A' is text"),
        ("{additional: {CUSTOM_A: }}", "traits.additional", "this is a mapping"),
        ("{additional: [7]}", "traits.additional[0]", "7 is a number"),
        ("{additional: [~]}", "traits.additional[0]", "there is no value"),
    ],
)
def test_traits_are_a_list_of_names(tmp_path: Path, section: str, path: str, complaint: str) -> None:
    (problem,) = read(tmp_path, HEAD + entry(rest=f"traits: {section}")).problems
    assert (problem.path, problem.message) == (f"providers[0].{path}", complaint)


@pytest.mark.parametrize(
    "rest",
    [
        "x: 1",
        "traits: {}",
        "traits: {additional: []}",
        "inventories: {additional: []}",
        "inventories: {additional: {}}",
    ],
)
def test_an_entry_with_neither_inventories_nor_traits_is_ignored_with_a_warning(tmp_path: Path, rest: str) -> None:
    reading = read(tmp_path, HEAD + entry("name: a", rest))
    assert (reading.problems, reading.records) == ((), ())
    assert "a.yaml:3:5: providers[0]: there are neither inventories nor traits, so the entry is ignored" in warnings(
        reading
    )


def test_everything_that_is_wrong_with_one_inventory_is_said_at_once(tmp_path: Path) -> None:
    fields = "{total: 1, reserved: 2, min_unit: 3, max_unit: 2, step_size: true, allocation_ratio: .inf}"
    assert [problem.split(": ")[2] for problem in problems(read(tmp_path, inventory(fields)))] == [
        "2 is more than total, which is 1; allowed",
        "3 is more than max_unit, which is 2; allowed",
        "true is a boolean; allowed",
        ".inf is more than 3.40282e+38; allowed",
    ]
    # What is no number is not compared.
    fields = "{total: many, reserved: 2, min_unit: true, max_unit: 0}"
    assert len(problems(read(tmp_path, inventory(fields)))) == 3


def test_everything_that_is_wrong_is_said_at_once(tmp_path: Path) -> None:
    """In both files, in the order of files and lines: what the schema says, contradictions, duplicates, bad YAML."""
    first = f"""\
meta: {{schema_version: 1.0}}
providers:
  - identification: {{name: a}}
    inventories:
      additional:
        CUSTOM_A: {{total: 1, reserved: 2}}
        CUSTOM_B: {{total: -1}}
        VCPU: {{total: 1}}
    traits: {{additional: [HW_A]}}
  - identification: {{uuid: {UUID}}}
    traits: {{additional: [CUSTOM_A]}}
    traits: {{additional: [CUSTOM_B]}}
"""
    second = f"""\
meta: {{schema_version: 1.0}}
providers:
  - identification: {{name: a}}
    traits: {{additional: [CUSTOM_a]}}
  - identification: {{uuid: {UUID.upper()}}}
    traits: {{additional: [CUSTOM_A]}}
"""
    reading = read(tmp_path, first, second, "a: [")
    assert [(problem.file, problem.line, problem.column) for problem in reading.problems] == [
        ("a.yaml", 6, 40),
        ("a.yaml", 7, 27),
        ("a.yaml", 8, 9),
        ("a.yaml", 9, 27),
        ("a.yaml", 12, 5),
        ("b.yaml", 3, 28),
        ("b.yaml", 4, 27),
        ("b.yaml", 5, 28),
        ("c.yaml", 1, 5),
    ]
    assert reading.records == ()


def test_an_entry_adds_as_much_as_can_be_noted_about_a_provider(tmp_path: Path) -> None:
    def file(number: int) -> str:
        names = [f"CUSTOM_{each}" for each in range(number)]
        classes = ", ".join(f"{name}: {{total: 1}}" for name in names)
        rest = f"traits: {{additional: [{', '.join(names)}]}}\n    inventories: {{additional: {{{classes}}}}}"
        return HEAD + entry(rest=rest)

    reading = read(tmp_path, file(MAX_NAMES))
    assert problems(reading) == []
    assert len(reading.records[0].traits) == MAX_NAMES
    assert [problem.partition(": ")[2] for problem in problems(read(tmp_path, file(MAX_NAMES + 1)))] == [
        f"providers[0].{field}.additional: there are {MAX_NAMES + 1} {field}; allowed: at most {MAX_NAMES}"
        for field in ("traits", "inventories")
    ]
