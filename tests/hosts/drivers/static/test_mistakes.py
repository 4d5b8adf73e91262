"""Mistakes in a file: each is told with its line, its path, the value and what is allowed, all at once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moorage.hosts.drivers.driver import DriverError
from moorage.hosts.drivers.static.driver import described_by, sample
from tests.properties import effort


def complaint(content: str | bytes) -> str:
    with pytest.raises(DriverError) as caught:
        described_by("/etc/moorage/static.yaml", content.encode() if isinstance(content, str) else content)
    return str(caught.value)


def test_the_whole_message() -> None:
    assert complaint("nodes:\n  - name: node\n    inventories:\n      VCPU: {total: 0}\n") == (
        "The description of nodes cannot be used: /etc/moorage/static.yaml:4:21: nodes[0].inventories.VCPU.total:"
        " '0' cannot be used; allowed: a whole number from 1 to 2147483647"
    )


def test_all_mistakes_are_told_in_the_order_of_the_file() -> None:
    text = complaint("nodes:\n- {name: a, count: -1}\n- {name: 5}\n- {nmae: b}\n")
    places = [text.index(part) for part in ("(1) ", ":2:", "(2) ", "(3) ", ":3:", "nmae", ":4:")]
    assert places[0] < places[1] < places[2] < places[3]
    assert "nothing is called 'nmae' here; allowed: name, uuid, count" in text
    assert "the name is missing" in text


def test_of_very_many_the_first_are_told() -> None:
    text = complaint("nodes:\n" + "- {}\n" * 1000)
    assert text.count("the name is missing") == 20
    assert text.endswith("and 980 more")


def one(field: str) -> str:
    return f"nodes: [{{name: node, {field}}}]"


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        ("", ["the file is empty", "nodes and providers"]),
        ("# nothing", ["the file is empty"]),
        ("nodes", [":1:1: 'nodes' is no mapping"]),
        ("[nodes]", ["a list is no mapping"]),
        ("hosts: []", ["hosts: nothing is called 'hosts' here", "nodes, providers"]),
        ("nodes: {}", ["nodes: a mapping is no list"]),
        ("nodes: 5", ["nodes: '5' is no list"]),
        ("nodes: [5]", ["nodes[0]: '5' is no mapping"]),
        ("nodes: [{}]", ["nodes[0]: the name is missing"]),
        ("nodes: [{name: 5}]", ["nodes[0].name: '5' is no text", "in quotes"]),
        ("nodes: [{name: [a]}]", ["a list is no text"]),
        ("nodes: [{name: 'x{'}]", ["nodes[0].name: the name 'x{' has a brace"]),
        ("nodes: [{name: '{parent}'}]", ["there is no parent"]),
        ("nodes: [{name: node, count: 2}]", ["would be the name of several", "{:04}"]),
        ("nodes: [{name: 'x{}'}]", ["no count"]),
        ("nodes: [{name: 'x{}', count: 0}]", ["count: '0'", "from 1 to 100000"]),
        ("nodes: [{name: 'x{}', count: yes}]", ["count: 'yes'"]),
        ("nodes: [{name: 'x{}', count: 1.0}]", ["count: '1.0'"]),
        ("nodes: [{name: 'x{}', count: 2, first: -1}]", ["first: '-1'", "from 0"]),
        ("nodes: [{name: 'x{}', count: 2, uuid: 0d6f2f60-2f0c-4a9a-8f5e-3c6f0b0c7d11}]", ["no UUID can be given"]),
        (one("first: 1"), ["without a count"]),
        (one("uuid: 17"), ["uuid: '17' is no UUID"]),
        (one("uuid: 0d6f2f602f0c4a9a8f5e3c6f0b0c7d11"), ["is no UUID", "8-4-4-4-12"]),
        (one("uuid: [a]"), ["uuid: a list is no UUID"]),
        (one("inventories: [VCPU]"), ["inventories: a list is no mapping"]),
        (one("inventories: {CPU: 1}"), ["inventories.CPU: 'CPU' is no resource class", "CUSTOM_"]),
        (one("inventories: {CUSTOM_x: 1}"), ["'CUSTOM_x' is no resource class"]),
        (one("inventories: {VCPU: many}"), ["inventories.VCPU: 'many' cannot be used", "a whole number from 1"]),
        (one("inventories: {VCPU: true}"), ["inventories.VCPU: 'true' cannot be used"]),
        (one("inventories: {VCPU: 2147483648}"), ["'2147483648' cannot be used"]),
        (one("inventories: {VCPU: }"), ["inventories.VCPU: '' cannot be used"]),
        (one("inventories: {VCPU: []}"), ["inventories.VCPU: a list is no mapping"]),
        (one("inventories: {VCPU: {reserved: 1}}"), ["inventories.VCPU: the total is missing"]),
        (one("inventories: {VCPU: {total: 1, ratio: 1}}"), ["nothing is called 'ratio' here", "allocation_ratio"]),
        (one("inventories: {VCPU: {total: 4, reserved: 5}}"), ["VCPU.reserved: 5 is more than there is", "at most 4"]),
        (one("inventories: {VCPU: {total: 4, reserved: -1}}"), ["reserved: '-1'", "from 0"]),
        (one("inventories: {VCPU: {total: 4, min_unit: 3, max_unit: 2}}"), ["min_unit 3 is more than max_unit 2"]),
        (one("inventories: {VCPU: {total: 4, step_size: 0}}"), ["step_size: '0'"]),
        (one("inventories: {VCPU: {total: 4, allocation_ratio: 0}}"), ["allocation_ratio: '0'", "above 0"]),
        (one("inventories: {VCPU: {total: 4, allocation_ratio: .inf}}"), ["allocation_ratio: '.inf'"]),
        (one("inventories: {VCPU: {total: 4, allocation_ratio: .nan}}"), ["allocation_ratio: '.nan'"]),
        (one("inventories: {VCPU: {total: 4, allocation_ratio: true}}"), ["allocation_ratio: 'true'"]),
        (one("traits: HW_CPU_X86_AVX"), ["traits: 'HW_CPU_X86_AVX' is no list"]),
        (one("traits: [HW_CPU_X86_AVX3]"), ["traits[0]: 'HW_CPU_X86_AVX3' is no trait", "a standard trait"]),
        (one("traits: [5]"), ["traits[0]: '5' is no text"]),
        (one("aggregates: [rack]"), ["aggregates[0]: 'rack' is no UUID"]),
        (one("children: [{name: '{parent}_a', traits: [x]}]"), ["nodes[0].children[0].traits[0]: 'x' is no trait"]),
        ("nodes: [{name: a}, {name: a}]", ["nodes[1]: the name 'a' is also that of a provider described in line 1"]),
        ("nodes: [{name: 'a{}', count: 2}]\nproviders: [{name: a2}]", [":2:13: providers[0]: the name 'a2' is also"]),
        ("nodes: [{name: 'a{}', count: 2, children: [{name: gpu}]}]", ["the name 'gpu' is also"]),
        (f"nodes: [{{name: {'x' * 201}}}]", ["has 201 characters, more than 200"]),
        (
            "nodes: [{name: 'x{}', count: 100000, children: [{name: '{parent}'}]}]",
            ["the file describes 200000 providers; allowed: at most 100000"],
        ),
        ("nodes: [{name: a, name: b}]", ["the key 'name' is already in line 1"]),
        ("nodes: [", ["this is not YAML"]),
        ("nodes: !!python/object/apply:os.system [ls]", ["tag"]),
        ("a: 1\n---\nb: 2", ["second document"]),
    ],
)
def test_single_mistakes(content: str, parts: list[str]) -> None:
    text = complaint(content)
    for part in ["/etc/moorage/static.yaml", *parts]:
        assert part in text


def test_the_same_uuid_twice() -> None:
    uuid = "0d6f2f60-2f0c-4a9a-8f5e-3c6f0b0c7d11"
    text = complaint(f"nodes:\n- {{name: a, uuid: {uuid}}}\n- {{name: b, uuid: {uuid}}}")
    assert f":3:3: nodes[1]: the UUID {uuid} is also that of 'a'" in text


def test_anchors_that_explode() -> None:
    lines = ["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1]"]
    lines += [f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 8)}]" for level in range(1, 12)]
    assert "values" in complaint("\n".join(lines))


LINES = sample().splitlines()


@given(
    st.binary(max_size=200)
    | st.lists(st.sampled_from(LINES), max_size=12).map(lambda lines: "\n".join(lines).encode())
    | st.tuples(st.integers(0, len(sample())), st.text(max_size=4)).map(
        lambda change: (sample()[: change[0]] + change[1] + sample()[change[0] + 1 :]).encode("utf-8", "surrogatepass")
    )
)
@effort(300)
def test_whatever_is_in_the_file_it_is_a_description_or_refused(content: bytes) -> None:
    try:
        found = described_by("static.yaml", content)
    except DriverError as error:
        message = str(error)
    else:
        message = "" if len(found.tree) >= len(found.nodes) else "more nodes than providers"
    assert message == "" or message.startswith("The description of nodes cannot be used: ")
