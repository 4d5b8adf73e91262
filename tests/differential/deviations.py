"""Where upstream's answer is known to be wrong, or to depend on luck: each a narrow condition, with its reason.

Where one applies, upstream is not asked what is right; the reference is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.differential.clouds import CLASSES, SHARING, TRAITS, UNUSED_CLASS, UNUSED_TRAIT, Cloud
from tests.differential.queries import CandidateQuery, Group, Query
from tests.differential.services import Answer

LARGEST_INTEGER = 2**63 - 1  # that a database can be asked about


@dataclass(frozen=True)
class Deviation:
    name: str
    reason: str
    # Whether upstream goes wrong in this way, here, as its answer shows as far as it can.
    applies: Callable[[Cloud, Query, Answer], bool]
    # Whether what upstream does answer is right: candidates are missing and none is wrong.
    only_loses: bool = False


def find(cloud: Cloud, query: Query, upstream: Answer) -> Deviation | None:
    """The deviation that explains upstream's answer to this question."""
    if upstream.status == 400:
        return None
    return next((deviation for deviation in DEVIATIONS if deviation.applies(cloud, query, upstream)), None)


def right_status(query: Query) -> int:
    """What to answer where upstream cannot be asked: unknown names are refused, whatever else there is."""
    unknown = query.trait_names - {*TRAITS, UNUSED_TRAIT, SHARING} or query.class_names - {*CLASSES, UNUSED_CLASS}
    return 400 if unknown else 200


def _names_unknown(_cloud: Cloud, query: Query, upstream: Answer) -> bool:
    nothing_found = upstream.status == 200 and not any(upstream.body.values())
    doubtful = query.oddity is not None and query.oddity[0].startswith(("resources", "required", "root_required"))
    return nothing_found and (doubtful or right_status(query) == 400)


def _amount_too_large(_cloud: Cloud, query: Query, upstream: Answer) -> bool:
    return upstream.status == 500 and any(amount > LARGEST_INTEGER for amount in _all_amounts(query))


def _all_amounts(query: Query) -> list[int]:
    if isinstance(query, CandidateQuery):
        return [amount for group in query.groups for amount in group.resources.values()]
    return list(query.resources.values())


def _sharing_child(cloud: Cloud, query: Query, upstream: Answer) -> bool:
    group = _spread_group(query)
    return (
        upstream.status == 500
        and group is not None
        and any(
            provider.shares
            and provider.parent
            and provider.aggregates
            and provider.inventories.keys() & group.resources
            for provider in cloud.providers
        )
    )


def _class_in_spread_and_other_group(_cloud: Cloud, query: Query, _upstream: Answer) -> bool:
    group = _spread_group(query)
    if group is None or not isinstance(query, CandidateQuery) or query.group_policy == "none":
        return False
    return any(group.resources.keys() & other.resources for other in query.groups if other != group)


def _spread_group_all_shared(cloud: Cloud, query: Query, _upstream: Answer) -> bool:
    group = _spread_group(query)
    if group is None or not isinstance(query, CandidateQuery) or len(query.groups) == 1:
        return False
    lent = {name for provider in cloud.providers if provider.shares for name in provider.inventories}
    return group.resources.keys() <= lent


def _unfiltered_without_resources(_cloud: Cloud, query: Query, _upstream: Answer) -> bool:
    return isinstance(query, CandidateQuery) and any(
        not (group.resources or group.conditions.required or group.conditions.member_of) for group in query.groups
    )


def _in_tree_without_resources(_cloud: Cloud, query: Query, _upstream: Answer) -> bool:
    return isinstance(query, CandidateQuery) and any(
        not group.resources and group.conditions.in_tree for group in query.groups
    )


def _spread_group(query: Query) -> Group | None:
    """The group without a suffix, which several providers may serve."""
    if not isinstance(query, CandidateQuery):
        return None
    return next((group for group in query.groups if not group.suffix), None)


DEVIATIONS = (
    Deviation(
        "unknown names",
        "Names are looked up filter by filter, and the first that finds nothing ends the search: whether an unknown "
        "trait or resource class is refused depends on what else is in the request, and on the cloud.",
        _names_unknown,
    ),
    Deviation(
        "amount too large",
        "An amount beyond 64 bits reaches the database, whose driver refuses it: 500.",
        _amount_too_large,
    ),
    Deviation(
        "sharing child",
        "A provider that shares and is not a root is looked for in the trees of the anchors alone: 500.",
        _sharing_child,
    ),
    Deviation(
        "class in several groups",
        "If the group without a suffix and another ask for the same class, amounts are added up in objects that other "
        "candidates use, too, unless group_policy is none: amounts and capacity checks are wrong, by row order.",
        _class_in_spread_and_other_group,
    ),
    Deviation(
        "shared alone",
        "Ways to serve the group without a suffix by sharing providers alone are the same for all trees, and only one "
        "tree keeps them: beside other groups, candidates get lost by row order.",
        _spread_group_all_shared,
        only_loses=True,
    ),
    Deviation(
        "no positive filter",
        "A group without resources that has only negative filters, or in_tree alone, finds nothing.",
        _unfiltered_without_resources,
    ),
    Deviation(
        "in_tree without resources",
        "A group without resources ignores its in_tree.",
        _in_tree_without_resources,
    ),
)
