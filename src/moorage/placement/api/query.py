"""Reading query strings: the only place that knows how resources, traits, aggregates and groups are spelled in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from moorage.placement.api.errors import (
    QUERY_BAD_VALUE,
    QUERY_DUPLICATE_KEY,
    QUERY_MISSING_VALUE,
    bad_request,
)
from moorage.placement.api.request import Parameters
from moorage.placement.api.schemas.common import NUMBER_SUFFIX, WORD_SUFFIX
from moorage.placement.api.validation import canonical_uuid, is_uuid_like
from moorage.placement.model.query import AggregateFilter, CandidateQuery, ProviderFilter, RequestGroup, TraitFilter
from moorage.web.versions import Version

FORBIDDEN_TRAITS: Version = (1, 22)
REPEATED_MEMBER_OF: Version = (1, 24)
NESTED_CANDIDATES: Version = (1, 29)
FORBIDDEN_AGGREGATES: Version = (1, 32)
WORD_SUFFIXES: Version = (1, 33)
GROUPS_WITHOUT_RESOURCES: Version = (1, 36)
ANY_TRAITS: Version = (1, 39)

# Nobody needs more, and each takes time. Of the group without a suffix each class counts: it may have its own provider.
MOST_GROUPS = 200

_GROUP_KEYS = "resources|required|member_of|in_tree"
_NUMBERED_KEY = re.compile(f"({_GROUP_KEYS})({NUMBER_SUFFIX})?")
_WORDED_KEY = re.compile(f"({_GROUP_KEYS})({WORD_SUFFIX})?")
_LIMIT = re.compile("[1-9][0-9]{0,17}")
_DIGITS = re.compile("[1-9][0-9]*")


# --- the pieces


def parse_resources(text: str) -> dict[str, int]:
    """VCPU:2,MEMORY_MB:1024"""
    form = "Badly formed resources parameter. Expected resources query string parameter in form: "
    form += "?resources=VCPU:2,MEMORY_MB:1024. Got: "
    if not text.strip():
        raise bad_request(f"{form}empty string.")
    resources = {}
    for item in text.split(","):
        name, colon, number = item.partition(":")
        if not colon or ":" in number:
            raise bad_request(f"{form}{item}.")
        try:
            amount = int(number)
        except ValueError:
            raise bad_request(f"Requested resource {name} expected positive integer amount. Got: {number}.") from None
        if amount < 1:
            raise bad_request(f"Requested resource {name} requires amount >= 1. Got: {amount}.")
        resources[name] = amount
    return resources


def parse_required(values: list[str], version: Version) -> TraitFilter:
    """HW_CPU_X86_VMX,!CUSTOM_MAGIC and, since 1.39, in:HW_CPU_X86_VMX,CUSTOM_MAGIC and repetitions of both."""
    if version < ANY_TRAITS:
        values = values[-1:]
    required: list[frozenset[str]] = []
    forbidden: set[str] = set()
    for value in values:
        if value.startswith("in:"):
            required.append(_any_traits(value, version))
        else:
            all_of, none_of = _plain_traits(value, may_forbid=version >= FORBIDDEN_TRAITS)
            required += [frozenset({trait}) for trait in all_of]
            forbidden |= none_of
    return TraitFilter(tuple(required), frozenset(forbidden))


def _any_traits(value: str, version: Version) -> frozenset[str]:
    form = "Invalid query string parameters: "
    if version < ANY_TRAITS:
        raise bad_request(
            f"{form}The format 'in:HW_CPU_X86_VMX,CUSTOM_MAGIC' only supported since microversion 1.39. Got: {value}"
        )
    traits = frozenset(item.strip() for item in value.removeprefix("in:").split(","))
    if not all(traits):
        raise bad_request(
            f"{form}Expected 'required' parameter value of the form: in:HW_CPU_X86_VMX,CUSTOM_MAGIC. "
            f"Got an empty trait in: {value}"
        )
    if any(trait.startswith("!") for trait in traits):
        raise bad_request(
            f"{form}The format 'in:HW_CPU_X86_VMX,CUSTOM_MAGIC' does not support forbidden traits. Got: {value}"
        )
    return traits


def _plain_traits(value: str, *, may_forbid: bool) -> tuple[list[str], set[str]]:
    items = [item.strip() for item in value.split(",")]
    # Any number of exclamation marks says the same as one: the API never refused them.
    forbidden = {item.lstrip("!") for item in items if item.startswith("!")}
    required = [item for item in items if not item.startswith("!")]
    form = f"HW_CPU_X86_VMX,{'!' if may_forbid else ''}CUSTOM_MAGIC"
    expected = f"Invalid query string parameters: Expected 'required' parameter value of the form: {form}. "
    if not all(required) or not all(forbidden):
        raise bad_request(f"{expected}Got an empty trait in: {value}")
    if forbidden and not may_forbid:
        raise bad_request(f"{expected}Got: {value}")
    return required, forbidden


def parse_member_of(values: list[str], version: Version, suffix: str = "") -> AggregateFilter:
    """One UUID, or in: and several of which one is enough; with ! none of them; repeated, all must hold."""
    if len(values) > 1 and version < REPEATED_MEMBER_OF:
        raise bad_request(f"Multiple member_of{suffix} parameters are not supported")
    required: list[frozenset[str]] = []
    forbidden: set[str] = set()
    for value in values:
        is_forbidden, aggregates = _aggregates(value)
        if not is_forbidden:
            required.append(aggregates)
        elif version < FORBIDDEN_AGGREGATES:
            raise bad_request(f"Forbidden member_of{suffix} parameters are not supported in the specified microversion")
        else:
            forbidden |= aggregates
    return AggregateFilter(tuple(required), frozenset(forbidden))


def _aggregates(value: str) -> tuple[bool, frozenset[str]]:
    if "," in value and not value.startswith(("in:", "!in:")):
        raise bad_request(
            "Multiple values for 'member_of' must be prefixed with the 'in:' or '!in:' keyword using the valid "
            f"microversion. Got: {value}"
        )
    listed = value.removeprefix("!").removeprefix("in:").split(",")
    for uuid in listed:
        if not is_uuid_like(uuid):
            raise bad_request(
                f"Invalid query string parameters: Expected 'member_of' parameter to contain valid UUID(s). Got: {uuid}"
            )
    return value.startswith("!"), frozenset(canonical_uuid(uuid) for uuid in listed)


def parse_in_tree(value: str) -> str:
    """The UUID of any provider of the tree."""
    uuid = value.strip()
    if not is_uuid_like(uuid):
        raise bad_request(
            f"Invalid query string parameters: Expected 'in_tree' parameter to be a format of uuid. Got: {value}"
        )
    return canonical_uuid(uuid)


# --- GET /resource_providers


def parse_provider_filter(parameters: Parameters, version: Version) -> ProviderFilter:
    """The conditions of a list of providers; the schema has seen that only known parameters are there."""
    resources = parameters.last("resources")
    return ProviderFilter(
        name=parameters.last("name"),
        uuid=parameters.last("uuid"),
        in_tree=parameters.last("in_tree"),
        resources={} if resources is None else parse_resources(resources),
        traits=parse_required(parameters.all("required"), version),
        aggregates=parse_member_of(parameters.all("member_of"), version),
    )


# --- GET /allocation_candidates


@dataclass(slots=True)
class _Draft:
    """A group while its parameters are collected."""

    resources: Mapping[str, int] = field(default_factory=dict)
    traits: TraitFilter = field(default_factory=TraitFilter)
    aggregates: AggregateFilter = field(default_factory=AggregateFilter)
    in_tree: str | None = None


def parse_candidate_query(parameters: Parameters, version: Version) -> CandidateQuery:
    """A whole request for candidates; the schema has seen that only known parameters are there."""
    limits = parameters.all("limit")
    policies = parameters.all("group_policy")
    root_traits = _root_required(parameters.all("root_required"))
    same_subtrees = tuple(_same_subtree(value) for value in parameters.all("same_subtree"))
    drafts = _drafts(parameters, version)
    _check_number(drafts)
    if version >= GROUPS_WITHOUT_RESOURCES:
        _check_same_subtrees(drafts, frozenset().union(*same_subtrees))
    else:
        _check_resources(drafts)
    if version >= FORBIDDEN_TRAITS:
        _check_contradictions(drafts)
    if not policies and sum(1 for suffix in drafts if suffix) > 1:
        raise bad_request(
            'The "group_policy" parameter is required when specifying more than one "resources{N}" parameter.'
        )
    return CandidateQuery(
        groups=tuple(
            RequestGroup(suffix, draft.resources, draft.traits, draft.aggregates, draft.in_tree)
            for suffix, draft in drafts.items()
        ),
        # Given more than once, the first one counts.
        isolate=_group_policy(policies[0]) == "isolate" if policies else False,
        limit=_limit(limits[0]) if limits else None,
        root_traits=root_traits,
        same_subtrees=same_subtrees,
        nested=version >= NESTED_CANDIDATES,
    )


def _check_number(drafts: Mapping[str, _Draft]) -> None:
    number = sum(1 if suffix else max(len(draft.resources), 1) for suffix, draft in drafts.items())
    if number > MOST_GROUPS:
        raise bad_request(
            f"At most {MOST_GROUPS} request groups are allowed in one query, of which the one without a suffix counts "
            f"once for each of its resource classes. Got: {number}",
            QUERY_BAD_VALUE,
        )


def _drafts(parameters: Parameters, version: Version) -> dict[str, _Draft]:
    key = _WORDED_KEY if version >= WORD_SUFFIXES else _NUMBERED_KEY
    given: dict[str, list[str]] = {}
    for name, value in parameters.pairs:
        given.setdefault(name, []).append(value)
    drafts: dict[str, _Draft] = {}
    for name, values in given.items():
        match = key.fullmatch(name)
        if match is None:
            continue
        kind, suffix = match[1], match[2] or ""
        draft = drafts.setdefault(suffix, _Draft())
        if kind == "required":
            draft.traits = parse_required(values, version)
        elif kind == "member_of":
            draft.aggregates = parse_member_of(values, version, suffix)
        elif kind == "resources":
            draft.resources = [parse_resources(value) for value in values][-1]
        else:
            draft.in_tree = [parse_in_tree(value) for value in values][-1]
    return drafts


def _limit(text: str) -> int:
    if _LIMIT.fullmatch(text):
        return int(text)
    if _DIGITS.fullmatch(text):
        return 10**18  # more than there can ever be
    raise bad_request(
        f"Invalid query string parameters: Expected 'limit' to be a positive integer. Got: {text}", QUERY_BAD_VALUE
    )


def _group_policy(text: str) -> str:
    if text not in ("none", "isolate"):
        raise bad_request(
            f"Invalid query string parameters: Expected 'group_policy' to be 'none' or 'isolate'. Got: {text}",
            QUERY_BAD_VALUE,
        )
    return text


def _root_required(values: list[str]) -> TraitFilter:
    if not values:
        return TraitFilter()
    if len(values) > 1:
        raise bad_request("Query parameter 'root_required' may be specified only once.", QUERY_DUPLICATE_KEY)
    if values[0].startswith("in:"):
        _any_traits(values[0], FORBIDDEN_TRAITS)  # says that the format is not supported here
    required, forbidden = _plain_traits(values[0], may_forbid=True)
    if conflicts := forbidden.intersection(required):
        raise bad_request(
            f"Conflicting required and forbidden traits found in root_required: {', '.join(sorted(conflicts))}",
            QUERY_BAD_VALUE,
        )
    return TraitFilter(tuple(frozenset({trait}) for trait in required), frozenset(forbidden))


def _same_subtree(value: str) -> frozenset[str]:
    suffixes = frozenset(item.strip() for item in value.split(","))
    if "" in suffixes:
        raise bad_request("Empty string (unsuffixed group) can not be specified in `same_subtree` ", QUERY_BAD_VALUE)
    return suffixes


def _check_same_subtrees(drafts: Mapping[str, _Draft], named: Iterable[str]) -> None:
    """Since 1.36 a group may do without resources if it is named in a same_subtree."""
    suffixes = set(named)
    without = [suffix for suffix, draft in drafts.items() if not draft.resources]
    if len(without) == len(drafts):
        raise bad_request("There must be at least one resources or resources[$S] parameter.", QUERY_MISSING_VALUE)
    if stray := sorted(suffix for suffix in without if suffix not in suffixes):
        raise bad_request(
            "Resourceless suffixed group request should be specified in `same_subtree` query param: "
            f"bad group(s) - {stray}.",
            QUERY_BAD_VALUE,
        )
    if unknown := sorted(suffix for suffix in suffixes if suffix not in drafts):
        raise bad_request(
            f"Real suffixes should be specified in `same_subtree`: {unknown} not found in {list(drafts)}.",
            QUERY_BAD_VALUE,
        )


def _check_resources(drafts: Mapping[str, _Draft]) -> None:
    """Until 1.35 every group must ask for resources."""
    without = {suffix: draft for suffix, draft in drafts.items() if not draft.resources}
    if orphans := [f"required{suffix}" for suffix, draft in without.items() if draft.traits.required]:
        raise bad_request(
            "All traits parameters must be associated with resources.  "
            f"Found the following orphaned traits keys: {', '.join(orphans)}"
        )
    if orphans := [
        f"member_of{suffix}"
        for suffix, draft in without.items()
        if draft.aggregates.required or draft.aggregates.forbidden
    ]:
        raise bad_request(
            "All member_of parameters must be associated with resources. "
            f"Found the following orphaned member_of keys: {', '.join(orphans)}"
        )
    if without:
        raise bad_request("All request groups must specify resources.")
    if not drafts:
        raise bad_request("At least one request group (`resources` or `resources{$S}`) is required.")


def _check_contradictions(drafts: Mapping[str, _Draft]) -> None:
    """Refuse traits that are required and forbidden at once."""
    conflicts = [
        f"required{suffix}: ({', '.join(sorted(any_of))})"
        for suffix, draft in drafts.items()
        for any_of in draft.traits.required
        if any_of <= draft.traits.forbidden
    ]
    if conflicts:
        raise bad_request(
            "Conflicting required and forbidden traits found in the following traits keys: "
            f"{', '.join(sorted(conflicts))}"
        )
