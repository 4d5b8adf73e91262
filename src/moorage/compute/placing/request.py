"""From a flavor and an image to a query for allocation candidates: what a server needs, and of which hosts.

The joint of this package. Resources and traits come from the flavor, further traits from the image, conditions on
aggregates from their metadata and the settings; `PlacementRequest.pairs` words it as the Placement API wants it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import os_traits

from moorage.compute.model.aggregate import HostAggregate
from moorage.compute.model.flavor import Flavor
from moorage.compute.model.image import BootImage
from moorage.compute.placing.aggregates import isolation_conditions, tenant_conditions, zone_conditions
from moorage.compute.placing.conditions import Condition
from moorage.compute.placing.extra_specs import UNNUMBERED, ExtraSpecs, GroupPolicy, SpecGroup, read_extra_specs
from moorage.compute.placing.image_traits import required_traits
from moorage.compute.placing.prefixes import flavor_key_conditions, image_key_conditions
from moorage.compute.placing.refusals import (
    ContradictoryTraits,
    MissingGroupPolicy,
    NothingRequested,
    NothingUnnumbered,
    UnservedGroup,
)
from moorage.compute.placing.resources import Amounts, resources_by_group
from moorage.compute.placing.settings import PlacingSettings

Pairs = Sequence[tuple[str, str]]

ROOT_REQUIRED = (os_traits.COMPUTE_NODE, f"!{os_traits.COMPUTE_STATUS_DISABLED}")
"""Servers go to compute nodes only, and to none that an administrator has disabled."""


@dataclass(frozen=True, slots=True)
class RequestGroup:
    """Resources, and which traits their providers must have and must not have."""

    resources: Amounts
    required: frozenset[str] = frozenset()
    forbidden: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacementRequest:
    """Everything that is asked of Placement for one server."""

    # By suffix; one provider serves a group that has one.
    groups: Mapping[str, RequestGroup]
    group_policy: GroupPolicy | None = None
    conditions: tuple[Condition, ...] = ()
    # The UUID of the only host that comes into question.
    in_tree: str | None = None
    limit: int | None = None

    @property
    def required_traits(self) -> frozenset[str]:
        """Every trait that is required in any group: what stays on record with the server."""
        return frozenset[str]().union(*(group.required for group in self.groups.values()))

    def at_host(self, provider_uuid: str) -> PlacementRequest:
        """The same request for a single host."""
        return replace(self, in_tree=provider_uuid)

    def without_limit(self) -> PlacementRequest:
        """The same request for all candidates, because a server group still has its say about them."""
        return replace(self, limit=None)

    def is_met_by(self, host: str) -> bool:
        """Whether a host is in the aggregates where it must be, and in no other."""
        return all(condition.is_met_by(host) for condition in self.conditions)

    def as_of(self, aggregates: Iterable[HostAggregate]) -> PlacementRequest:
        """The same request with the aggregates as they are now."""
        now = {aggregate.uuid: aggregate for aggregate in aggregates}
        return replace(self, conditions=tuple(condition.as_of(now) for condition in self.conditions))

    def pairs(self) -> Pairs:
        """The query of GET /allocation_candidates (microversion 1.36), in a fixed order."""
        pairs = [("root_required", ",".join(ROOT_REQUIRED))]
        if self.limit is not None:
            pairs.append(("limit", str(self.limit)))
        if self.group_policy is not None:
            pairs.append(("group_policy", self.group_policy))
        for suffix, group in self.groups.items():
            pairs.append(
                (f"resources{suffix}", ",".join(f"{name}:{group.resources[name]}" for name in group.resources))
            )
            traits = [*sorted(group.required), *(f"!{trait}" for trait in sorted(group.forbidden))]
            if traits:
                pairs.append((f"required{suffix}", ",".join(traits)))
        if self.in_tree is not None:
            # Groups share a tree, so one of them is enough to say which.
            pairs.append((f"in_tree{next(iter(self.groups))}", self.in_tree))
        return sorted([*pairs, *self._member_of()])

    def _member_of(self) -> Iterable[tuple[str, str]]:
        """Each condition that requires by itself, for all of them must be met; what is forbidden in one list."""
        for condition in self.conditions:
            if not condition.forbidden:
                yield "member_of", f"in:{','.join(sorted(condition.uuids))}"
        forbidden = (condition.uuids for condition in self.conditions if condition.forbidden)
        if uuids := frozenset[str]().union(*forbidden):
            yield "member_of", f"!in:{','.join(sorted(uuids))}"


def placement_request(
    flavor: Flavor,
    image: BootImage,
    aggregates: Sequence[HostAggregate],
    settings: PlacingSettings,
    project_id: str,
    availability_zone: str | None = None,
) -> PlacementRequest:
    """What to ask Placement for; a Refusal if no host could ever be an answer."""
    specs = read_extra_specs(flavor.extra_specs)
    groups = _groups(flavor, specs, joined_traits(flavor, specs, image))
    if settings.has_prefixes and UNNUMBERED not in groups:
        raise NothingUnnumbered(flavor.name, "aggregates by the prefixes of their metadata keys")
    request = PlacementRequest(groups=groups, group_policy=specs.group_policy, limit=settings.max_results)
    conditions = (
        *tenant_conditions(project_id, aggregates, settings),
        *zone_conditions(availability_zone, aggregates),
        *isolation_conditions(request.required_traits, aggregates, settings),
        *flavor_key_conditions(flavor, aggregates, settings),
        *image_key_conditions(flavor, image, aggregates, settings, project_id),
    )
    if conditions and UNNUMBERED not in groups:
        raise NothingUnnumbered(flavor.name, f"the condition that {conditions[0].reason}")
    return replace(request, conditions=conditions)


def joined_traits(flavor: Flavor, specs: ExtraSpecs, image: BootImage) -> SpecGroup:
    """The un-numbered group of the flavor with the traits that the image requires, unless the flavor forbids them.

    What the flavor forbids in a numbered group is no contradiction: another provider may serve that group.
    """
    unnumbered = specs.groups.get(UNNUMBERED, SpecGroup())
    of_image = required_traits(image)
    if contradictory := of_image & unnumbered.forbidden:
        raise ContradictoryTraits(flavor.name, image.label, contradictory)
    return replace(unnumbered, required=unnumbered.required | of_image)


def _groups(flavor: Flavor, specs: ExtraSpecs, unnumbered: SpecGroup) -> Mapping[str, RequestGroup]:
    resources = resources_by_group(flavor, specs)
    if not resources:
        raise NothingRequested(flavor.name)
    asked = {UNNUMBERED: unnumbered} | {suffix: group for suffix, group in specs.groups.items() if suffix != UNNUMBERED}
    for suffix, group in asked.items():
        if suffix in resources or not (group.required or group.forbidden):
            continue
        if suffix == UNNUMBERED:
            traits = ", ".join(sorted(group.required | group.forbidden))
            raise NothingUnnumbered(flavor.name, f"the traits {traits}")
        raise UnservedGroup(flavor.name, suffix)
    numbered = [suffix for suffix in resources if suffix != UNNUMBERED]
    if len(numbered) > 1 and specs.group_policy is None:
        raise MissingGroupPolicy(flavor.name, numbered)
    return {
        suffix: RequestGroup(resources[suffix], group.required, group.forbidden)
        for suffix, group in asked.items()
        if suffix in resources
    }
