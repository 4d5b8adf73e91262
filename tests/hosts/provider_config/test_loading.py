"""YAML is loaded with places, completely, and so that nothing in it can do harm."""

from __future__ import annotations

import datetime as dt

import pytest
import yaml

from moorage.hosts.provider_config import building
from moorage.hosts.provider_config.building import MAX_DEPTH, MAX_VALUES
from moorage.hosts.provider_config.loading import load
from moorage.hosts.provider_config.nodes import Mapping, Place, Scalar, Sequence, follow, plain


def value(text: str) -> object:
    loaded = load(text.encode())
    assert loaded.faults == ()
    assert loaded.root is not None
    return plain(loaded.root)


def faults(content: str | bytes) -> list[str]:
    loaded = load(content.encode() if isinstance(content, str) else content)
    return [f"{fault.place.line}:{fault.place.column}: {fault.message}" for fault in loaded.faults]


class TestValues:
    def test_every_value_knows_its_place(self) -> None:
        root = load(b"a: 1\nb:\n  - x\n  - {c: 'y'}\n").root
        assert isinstance(root, Mapping)
        assert root.place == Place(1, 1)
        assert root.entries["b"].place == Place(2, 1)
        assert isinstance(follow(root, ("b",)), Sequence)
        assert follow(root, ("b", 0)) == Scalar(Place(3, 5), "x", "x")
        assert follow(root, ("b", 1, "c")) == Scalar(Place(4, 9), "y", "y")

    def test_columns_count_characters(self) -> None:
        root = load("ä: {ö: ü}\n".encode()).root
        assert root is not None
        assert follow(root, ("ä", "ö")).place == Place(1, 8)

    def test_a_byte_order_mark_takes_no_column(self) -> None:
        root = load(b"\xef\xbb\xbfa: b\n").root
        assert isinstance(root, Mapping)
        assert root.entries["a"].place == Place(1, 1)

    def test_a_scalar_keeps_its_text(self) -> None:
        root = load(b"1.10").root
        assert (root.text, root.value) == ("1.10", 1.1) if isinstance(root, Scalar) else False

    @pytest.mark.parametrize(
        ("text", "meaning"),
        [
            ("1", 1),
            ("'1'", "1"),
            ("1.0", 1.0),
            ("1e3", "1e3"),
            ("1.0e+3", 1000.0),
            ("0x1F", 31),
            ("010", 8),
            ("1:30", 90),
            ("yes", True),
            ("off", False),
            ("~", None),
            ("null", None),
            ("2020-01-02", dt.date(2020, 1, 2)),
            ("!!str 1", "1"),
            ("!!int '3'", 3),
            ("!!float 1", 1.0),
            ("$COMPUTE_NODE", "$COMPUTE_NODE"),
            ("|\n  a\n  b\n", "a\nb\n"),
        ],
    )
    def test_scalars_mean_what_they_mean_to_the_safe_loader_of_pyyaml(self, text: str, meaning: object) -> None:
        assert value(text) == yaml.safe_load(text) == meaning
        assert type(value(text)) is type(meaning)

    @pytest.mark.parametrize(
        "text",
        [
            "a: &x {b: 1}\nc: *x\n",
            "a: &x {b: 1, c: 2}\nd: {<<: *x, c: 3}\n",
            "a: &x {b: 1, c: 2}\nd: {c: 3, <<: *x}\n",
            "a: &x {b: 1}\nc: &y {b: 2, d: 2}\ne: {<<: [*x, *y]}\n",
            "a: &x {b: 1}\nc: &y {b: 2, d: 2}\ne: {<<: *x, <<: *y}\n",
            "a: &x {b: 1}\nc: &y {<<: *x, d: 2}\ne: {<<: *y}\n",
            "a: {<<: {b: 1}}\n",
            "- &x 1\n- *x\n- '<<'\n",
            "'<<': 1\n",
            "=: 1\n",
            "? a\n: b\n",
        ],
    )
    def test_aliases_and_merge_keys_mean_what_they_mean_to_the_safe_loader_of_pyyaml(self, text: str) -> None:
        assert value(text) == yaml.safe_load(text)


class TestRefusals:
    @pytest.mark.parametrize(
        ("text", "fault"),
        [
            ("a: 1\nb: 2\na: 3\n", "3:1: the key 'a' is already in line 1, column 1"),
            ("- {a: 1, 'a': 1}\n", "1:10: the key 'a' is already in line 1, column 4"),
            ("a: &x 1\nb: &x 2\n", "2:4: the anchor &x is already in line 1, column 4"),
            ("[a]: 1\n", "1:1: a list or a mapping cannot be a key"),
            ("<<: 3\n", "1:5: only mappings can be merged with <<"),
            ("<<: [{a: 1}, 3]\n", "1:14: only mappings can be merged with <<"),
            ("a: *x\n", "1:4: the alias *x refers to an anchor that does not come before it"),
            ("a: &x [*x]\n", "1:8: the alias *x stands inside what it refers to"),
            ("a: 1\n---\nb: 1\n", "2:1: a second document begins here; a file holds exactly one"),
            ("a: 0x_\n", "1:4: '0x_' cannot be read as a whole number; to mean the text, write it in quotes"),
            ("a: 2020-13-01\n", "1:4: '2020-13-01' cannot be read as a date; to mean the text, write it in quotes"),
            ("a: !!bool x\n", "1:4: 'x' cannot be read as a boolean; to mean the text, write it in quotes"),
            ("a: !!int ''\n", "1:4: '' cannot be read as a whole number; to mean the text, write it in quotes"),
            ("a: !!timestamp x\n", "1:4: 'x' cannot be read as a date; to mean the text, write it in quotes"),
            ("a: !!set {b}\n", "1:4: the tag tag:yaml.org,2002:set has no meaning in these files"),
            ("a: !mine b\n", "1:4: 'b' has the tag !mine, which has no meaning in these files"),
            ('a: "\\ud800"\n', "1:4: '\\ud800' has half of a character in it (a surrogate), which is no text"),
        ],
    )
    def test_what_yaml_leaves_open_or_python_would_stumble_over(self, text: str, fault: str) -> None:
        assert faults(text) == [fault]

    @pytest.mark.parametrize(
        ("text", "place"),
        [("a:\n\tb: 1\n", "2:1"), ("a: [\n", "2:1"), ("a: b: c\n", "1:5"), ("a: 'b\n", "2:1"), ("a: @b\n", "1:4")],
    )
    def test_what_is_no_yaml_is_refused_with_its_place(self, text: str, place: str) -> None:
        (fault,) = faults(text)
        assert fault.startswith(f"{place}: this is not YAML: ")

    def test_an_escape_that_names_no_character(self) -> None:
        (fault,) = faults('a: "\\UFFFFFFFF"\n')
        assert "this is not YAML" in fault

    def test_an_escape_that_names_no_character_where_there_is_no_libyaml(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(yaml, "__with_libyaml__", False)
        assert faults('a: "\\UFFFFFFFF"\n') == ["1:1: this is not YAML: an escape names no character"]

    def test_objects_of_python_are_not_made(self) -> None:
        (fault,) = faults("a: !!python/object/apply:os.system ['touch /tmp/never']\n")
        assert fault.startswith("1:4: the tag tag:yaml.org,2002:python/object/apply:os.system has no meaning")

    @pytest.mark.parametrize(
        ("content", "fault"),
        [
            (b"a: b\nc: d\xff\n", "2:5: the byte 0xff is not UTF-8"),
            ("ä: ".encode() + b"\xc3", "1:4: the byte 0xc3 is not UTF-8"),
            ("a: b\n".encode("utf-16"), "1:1: the byte 0xff is not UTF-8"),
            (b"a: b\r\nc: \x00\n", "2:4: the control character '\\x00' is not allowed in YAML"),
            (b"a: \x1b[31mred\n", "1:4: the control character '\\x1b' is not allowed in YAML"),
        ],
    )
    def test_what_is_no_text_is_refused_with_its_place(self, content: bytes, fault: str) -> None:
        assert faults(content) == [fault]

    def test_several_faults_are_told_together(self) -> None:
        assert len(faults("a: {b: 1, b: 2}\na: 0x_\n[c]: !x d\n")) == 5


class TestLimits:
    def test_aliases_that_multiply_are_refused_before_they_do(self) -> None:
        lines = ["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
        lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 30)]
        (fault,) = faults("\n".join(lines))
        assert fault.endswith(f"with its aliases written out, the file has more than {MAX_VALUES} values")
        assert fault.startswith("6:")

    def test_merge_keys_that_multiply_are_refused_before_they_do(self) -> None:
        big = "big: &big {" + ", ".join(f"k{n}: 1" for n in range(10_000)) + "}\n"
        (fault,) = faults(big + "all:\n" + "  - {<<: *big}\n" * 10_000)
        assert f"more than {MAX_VALUES} values" in fault

    def test_a_few_aliases_are_fine(self) -> None:
        assert faults("a: &a {b: [1, 2, 3]}\nc: [*a, *a, *a]\n") == []

    def test_as_many_values_as_allowed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(building, "MAX_VALUES", 1000)
        content = f"[{'a,' * 999}]"
        assert faults(content) == []
        assert faults(f"{content[:-1]}a]") == [
            "1:2000: with its aliases written out, the file has more than 1000 values"
        ]

    def test_as_deep_as_allowed(self) -> None:
        assert faults("[" * MAX_DEPTH + "]" * MAX_DEPTH) == []
        (fault,) = faults("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1))
        assert fault.startswith(f"1:{MAX_DEPTH + 1}: ")
        assert fault.endswith(f"nested more than {MAX_DEPTH} levels deep")

    def test_a_hundred_thousand_brackets(self) -> None:
        (fault,) = faults("[" * 100_000)
        assert f"nested more than {MAX_DEPTH} levels deep" in fault

    def test_aliases_cannot_pile_up_depth(self) -> None:
        half = MAX_DEPTH // 2
        lines = [f"- &a0 {'[' * half}1{']' * half}"]
        lines += [f"- &a{n} {'[' * half}*a{n - 1}{']' * half}" for n in range(1, 50)]
        (fault,) = faults("\n".join(lines))
        assert f"nested more than {MAX_DEPTH} levels deep" in fault
