"""The conditions of queries: resources, traits, aggregates and trees, for one group or for several."""

from __future__ import annotations

import os_resource_classes

from moorage.placement.api.query import MOST_GROUPS
from moorage.placement.api.schemas.common import UUID, WORD_SUFFIX
from moorage.placement.api.schemas.providers import LIST_1_18
from moorage.web.schema import Definition

_CLASS = f"({'|'.join(os_resource_classes.STANDARDS)}|CUSTOM_[A-Z0-9_]+)"
_TRAIT = "[A-Z0-9_]+"
_UUID = "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"


def _list_of(item: str) -> str:
    return f"{item}(,{item})*"


_RESOURCES: Definition = {
    "type": "string",
    "pattern": f"^{_list_of(_CLASS + ':[1-9][0-9]*')}$",
    "description": "How much of which resource classes, such as VCPU:2,MEMORY_MB:4096.",
}
_REQUIRED: Definition = {
    "type": "string",
    "pattern": f"^(in:{_list_of(_TRAIT)}|{_list_of(f'!*{_TRAIT}')})$",
    "description": "Traits that there must be, all of them: A,B; or any of them: in:A,B. With !A there must not be A.",
}
_MEMBER_OF: Definition = {
    "type": "string",
    "pattern": f"^!?({_UUID}|in:{_list_of(_UUID)})$",
    "description": "An aggregate to be a member of, or in:A,B for one of several; !A and !in:A,B for none of them.",
}
_IN_TREE: Definition = {**UUID, "description": "A provider of the tree that it must be in."}


def _repeated(condition: Definition) -> Definition:
    return {
        "type": "array",
        "items": condition,
        "description": f"{condition['description']} May be repeated; all must hold.",
    }


# Of a list of providers, each of which is looked at by itself.
OF_PROVIDERS: dict[str, Definition] = {
    **LIST_1_18,
    "resources": _RESOURCES,
    "required": _repeated(_REQUIRED),
    "member_of": _repeated(_MEMBER_OF),
    "in_tree": _IN_TREE,
}

_SUFFIXED = {"resources": _RESOURCES, "required": _REQUIRED, "member_of": _MEMBER_OF, "in_tree": _IN_TREE}

# Of a search for candidates. There must be resources, with or without a suffix.
OF_CANDIDATES: dict[str, Definition] = {
    "resources": _RESOURCES,
    "required": _repeated(_REQUIRED),
    "member_of": _repeated(_MEMBER_OF),
    "in_tree": _IN_TREE,
    # Each key of the object is a parameter by itself: that is how OpenAPI tells of parameters without fixed names.
    "groups": {
        "type": "object",
        "patternProperties": {f"^{name}{WORD_SUFFIX}$": rule for name, rule in _SUFFIXED.items()},
        "additionalProperties": False,
        "description": (
            "Further groups, each served by one provider: resources1, required1, member_of1 and in_tree1 are one,"
            " resources_GPU and required_GPU another. A suffix is a number or a word of letters, digits, _ and -."
            f" required and member_of may be repeated here, too. There are at most {MOST_GROUPS} groups,"
            " of which the one without a suffix counts once for each of its resource classes."
        ),
        "examples": [{"resources1": "VCPU:2", "resources_GPU": "VGPU:1"}],
    },
    "group_policy": {
        "type": "string",
        "enum": ["none", "isolate"],
        "description": (
            "Whether each group with a suffix is served by another provider (isolate). Must be given where there is"
            " more than one."
        ),
    },
    "root_required": {
        "type": "string",
        "pattern": f"^{_list_of(f'!*{_TRAIT}')}$",
        "description": "Traits of the root of the tree, or with ! traits that it must not have.",
    },
    "same_subtree": {
        "type": "array",
        "items": {"type": "string", "pattern": f"^{_list_of(WORD_SUFFIX)}$"},
        "description": (
            "Suffixes of groups that must be served under one of their providers; a group that is named here may do"
            " without resources. May be repeated; all must hold."
        ),
    },
    "limit": {"type": "integer", "minimum": 1, "description": "At most so many candidates."},
}
