"""What the extra specs of a flavor ask of Placement: resources and traits, in groups.

`resources:CLASS` and `trait:NAME` belong to the un-numbered group, `resources1:CLASS` and `traitGPU:NAME` to the groups
"1" and "GPU", each of which one provider serves. Other keys are left to others. Nova ignores what it cannot read; here
it is refused when the flavor is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

import os_resource_classes

from moorage.compute.placing.refusals import ExtraSpecProblem, MalformedExtraSpec

UNNUMBERED = ""
"""The suffix of the group that has none."""

GROUP_POLICY = "group_policy"
GroupPolicy = Literal["none", "isolate"]
LARGEST_AMOUNT = 2**31 - 1

_GROUPED = re.compile(r"(?P<kind>resources|trait)(?P<suffix>[^:]*):(?P<name>.*)", re.DOTALL)
_SUFFIX = re.compile(r"[a-zA-Z0-9_-]{0,64}")
_AMOUNT = re.compile(r"[0-9]{1,10}")
_TRAIT = re.compile(r"[A-Z0-9_]{1,255}")
_CUSTOM = re.compile(r"CUSTOM_[A-Z0-9_]{1,248}")
_STANDARD = frozenset(os_resource_classes.STANDARDS)


@dataclass(frozen=True, slots=True)
class SpecGroup:
    """What extra specs say for one group. An amount of 0 says that the class is not wanted."""

    resources: Mapping[str, int] = field(default_factory=dict)
    required: frozenset[str] = frozenset()
    forbidden: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ExtraSpecs:
    """All groups by suffix, and whether a provider may serve several of those that have one."""

    groups: Mapping[str, SpecGroup]
    group_policy: GroupPolicy | None = None


def read_extra_specs(specs: Mapping[str, str]) -> ExtraSpecs:
    """The groups that extra specs make; MalformedExtraSpec with everything that cannot be read."""
    if problems := list(extra_spec_problems(specs)):
        raise MalformedExtraSpec(problems)
    resources: dict[str, dict[str, int]] = {}
    traits: dict[str, dict[str, set[str]]] = {}
    for key, value in sorted(specs.items()):
        if (grouped := _GROUPED.fullmatch(key)) is None:
            continue
        suffix, name = grouped["suffix"], grouped["name"]
        if grouped["kind"] == "resources":
            resources.setdefault(suffix, {})[name] = int(value)
        else:
            traits.setdefault(suffix, {}).setdefault(value, set()).add(name)
    groups = {
        suffix: SpecGroup(
            resources.get(suffix, {}),
            frozenset(traits.get(suffix, {}).get("required", ())),
            frozenset(traits.get(suffix, {}).get("forbidden", ())),
        )
        for suffix in sorted({*resources, *traits})
    }
    return ExtraSpecs(groups, _group_policy(specs))


def extra_spec_problems(specs: Mapping[str, str]) -> Iterator[ExtraSpecProblem]:
    """Every extra spec that cannot be read, in the order of their keys."""
    for key, value in sorted(specs.items()):
        if (allowed := _allowed_instead(key, value)) is not None:
            yield ExtraSpecProblem(key, value, allowed)


def _allowed_instead(key: str, value: str) -> str | None:
    """What would be allowed where this extra spec is wrong; None if it can be read, or belongs to others."""
    if key == GROUP_POLICY:
        return None if value in {"none", "isolate"} else "the value is none or isolate"
    if (grouped := _GROUPED.fullmatch(key)) is None:
        return None
    kind, suffix, name = grouped.groups()
    if _SUFFIX.fullmatch(suffix) is None:
        return f"what follows {kind} up to the colon is at most 64 of the characters a-z, A-Z, 0-9, _ and -"
    return _allowed_for_trait(name, value) if kind == "trait" else _allowed_for_resources(name, value)


def _allowed_for_trait(name: str, value: str) -> str | None:
    if _TRAIT.fullmatch(name) is None:
        return "a trait is made of 1 to 255 of the characters A-Z, 0-9 and _"
    return None if value in {"required", "forbidden"} else "the value is required or forbidden"


def _allowed_for_resources(name: str, value: str) -> str | None:
    if name not in _STANDARD and _CUSTOM.fullmatch(name) is None:
        return "a resource class is a standard one, such as VCPU, or CUSTOM_ followed by characters A-Z, 0-9 and _"
    if _AMOUNT.fullmatch(value) is None or int(value) > LARGEST_AMOUNT:
        return f"the value is a whole number from 0, for none at all, to {LARGEST_AMOUNT}"
    return None


def _group_policy(specs: Mapping[str, str]) -> GroupPolicy | None:
    match specs.get(GROUP_POLICY):
        case "none":
            return "none"
        case "isolate":
            return "isolate"
        case _:
            return None
