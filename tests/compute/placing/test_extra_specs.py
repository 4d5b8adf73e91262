from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moorage.compute.placing.extra_specs import ExtraSpecs, SpecGroup, extra_spec_problems, read_extra_specs
from moorage.compute.placing.refusals import MalformedExtraSpec
from tests.properties import effort

suffixes = st.text("abcXYZ019_-", max_size=64)
classes = st.one_of(
    st.sampled_from(["VCPU", "MEMORY_MB", "DISK_GB", "PCPU", "VGPU"]),
    st.text("ABC_09", min_size=1, max_size=248).map("CUSTOM_".__add__),
)
amounts = st.integers(0, 2**31 - 1)
traits = st.text("ABC_09", min_size=1, max_size=255)
choices = st.sampled_from(["required", "forbidden"])


@pytest.mark.parametrize(
    ("specs", "groups"),
    [
        ({}, {}),
        ({"resources:VCPU": "4"}, {"": SpecGroup({"VCPU": 4})}),
        ({"resources:VCPU": "0"}, {"": SpecGroup({"VCPU": 0})}),
        ({"resources1:CUSTOM_FPGA": "1"}, {"1": SpecGroup({"CUSTOM_FPGA": 1})}),
        ({"resources_GPU-0:VGPU": "1"}, {"_GPU-0": SpecGroup({"VGPU": 1})}),
        ({"trait:HW_CPU_X86_AVX2": "required"}, {"": SpecGroup(required=frozenset({"HW_CPU_X86_AVX2"}))}),
        ({"trait2:CUSTOM_SLOW": "forbidden"}, {"2": SpecGroup(forbidden=frozenset({"CUSTOM_SLOW"}))}),
        (
            {"resources1:VGPU": "1", "trait1:CUSTOM_A": "required", "trait1:CUSTOM_B": "forbidden"},
            {"1": SpecGroup({"VGPU": 1}, frozenset({"CUSTOM_A"}), frozenset({"CUSTOM_B"}))},
        ),
        # Who writes "traits" asks for a group called "s", as in Nova.
        ({"traits:CUSTOM_A": "required"}, {"s": SpecGroup(required=frozenset({"CUSTOM_A"}))}),
        # Keys of others.
        ({"hw:cpu_policy": "dedicated", "quota:separate": "true", "license:windows": "", "resources": "x"}, {}),
    ],
)
def test_resources_and_traits_are_read_by_group(specs: dict[str, str], groups: dict[str, SpecGroup]) -> None:
    assert read_extra_specs(specs) == ExtraSpecs(groups)


@pytest.mark.parametrize("policy", ["none", "isolate"])
def test_the_group_policy_is_read(policy: str) -> None:
    assert read_extra_specs({"group_policy": policy}).group_policy == policy


@pytest.mark.parametrize(
    ("key", "value", "allowed"),
    [
        ("resources:VCPU", "-1", "whole number"),
        ("resources:VCPU", "1.5", "whole number"),
        ("resources:VCPU", "", "whole number"),
        ("resources:VCPU", "many", "whole number"),
        ("resources:VCPU", "٣", "whole number"),
        ("resources:VCPU", "2147483648", "whole number"),
        ("resources:VCPU", "1" * 5000, "whole number"),
        ("resources:VCPUS", "1", "resource class"),
        ("resources:vcpu", "1", "resource class"),
        ("resources:", "1", "resource class"),
        ("resources:CUSTOM_", "1", "resource class"),
        ("resources:VCPU:MEMORY_MB", "1", "resource class"),
        ("resources.1:VCPU", "1", "64 of the characters"),
        (f"resources{65 * 'a'}:VCPU", "1", "64 of the characters"),
        ("trait 1:CUSTOM_A", "required", "64 of the characters"),
        ("trait:CUSTOM_A", "require", "required or forbidden"),
        ("trait:CUSTOM_A", "Required", "required or forbidden"),
        ("trait1:CUSTOM_A", "", "required or forbidden"),
        ("trait:", "required", "A-Z, 0-9 and _"),
        ("trait:custom_a", "required", "A-Z, 0-9 and _"),
        ("trait:CUSTOM_A\n", "required", "A-Z, 0-9 and _"),
        (f"trait:{256 * 'A'}", "required", "A-Z, 0-9 and _"),
        ("group_policy", "isolated", "none or isolate"),
    ],
)
def test_what_cannot_be_read_is_refused_with_what_is_allowed(key: str, value: str, allowed: str) -> None:
    with pytest.raises(MalformedExtraSpec) as refusal:
        read_extra_specs({key: value})
    (problem,) = refusal.value.problems
    assert (problem.key, problem.value) == (key, value)
    assert allowed in problem.allowed
    assert f'"{key}" = "{value}"' in str(refusal.value)


def test_all_problems_are_told_at_once() -> None:
    specs = {"trait:CUSTOM_A": "maybe", "resources:VCPU": "4", "resources:NO": "1", "group_policy": "?"}
    keys = [problem.key for problem in extra_spec_problems(specs)]
    assert keys == ["group_policy", "resources:NO", "trait:CUSTOM_A"]


@effort(200)
@given(
    st.dictionaries(st.tuples(suffixes, classes), amounts, max_size=6),
    st.dictionaries(st.tuples(suffixes, traits), choices, max_size=6),
)
def test_whatever_is_well_formed_is_read_as_it_was_written(
    resources: dict[tuple[str, str], int], wanted: dict[tuple[str, str], str]
) -> None:
    specs = {f"resources{suffix}:{name}": str(amount) for (suffix, name), amount in resources.items()}
    specs |= {f"trait{suffix}:{name}": value for (suffix, name), value in wanted.items()}
    groups = read_extra_specs(specs).groups
    read = {(suffix, name): amount for suffix, group in groups.items() for name, amount in group.resources.items()}
    assert read == resources
    required = {(suffix, name): "required" for suffix, group in groups.items() for name in group.required}
    forbidden = {(suffix, name): "forbidden" for suffix, group in groups.items() for name in group.forbidden}
    assert required | forbidden == wanted


@effort(300)
@given(st.dictionaries(st.sampled_from(["resources", "trait", "traits", "group_policy"]) | st.text(), st.text()))
def test_nothing_but_a_refusal_comes_of_any_text(specs: dict[str, str]) -> None:
    problems = list(extra_spec_problems(specs))
    if problems:
        with pytest.raises(MalformedExtraSpec):
            read_extra_specs(specs)
    else:
        read_extra_specs(specs)
