"""Whether a server may stay where it is with another image, or with the same image whose properties have changed.

Host and flavor stay, so no candidates are asked for: a full host is no obstacle. What counts is what the server holds,
and where it is. A trait of a provider that it holds nothing of does not help, even one of the same host: the offload of
one network card is of no use to a virtual function of another.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from moorage.compute.model.aggregate import HostAggregate
from moorage.compute.model.flavor import Flavor
from moorage.compute.model.image import BootImage
from moorage.compute.placing.aggregates import isolation_conditions
from moorage.compute.placing.conditions import Condition
from moorage.compute.placing.extra_specs import read_extra_specs
from moorage.compute.placing.image_traits import required_traits
from moorage.compute.placing.prefixes import image_key_conditions
from moorage.compute.placing.refusals import ForeignHost, MissingTraits
from moorage.compute.placing.request import joined_traits
from moorage.compute.placing.settings import PlacingSettings


def check_rebuild(
    flavor: Flavor,
    image: BootImage,
    held_traits: Iterable[frozenset[str]],
    host: str,
    aggregates: Sequence[HostAggregate],
    settings: PlacingSettings,
    project_id: str,
) -> frozenset[str]:
    """Every trait that flavor and new image require together; a Refusal if the server may not have the image here.

    `held_traits` are the traits of each provider in the server's allocation. What the flavor requires, tenants and
    zones are not looked at again: they let the server in, whatever its image.
    """
    specs = read_extra_specs(flavor.extra_specs)
    unnumbered = joined_traits(flavor, specs, image)
    if missing := required_traits(image).difference(*held_traits):
        raise MissingTraits(image.label, missing)
    required = unnumbered.required.union(*(group.required for group in specs.groups.values()))
    conditions = (
        *isolation_conditions(required, aggregates, settings),
        *image_key_conditions(flavor, image, aggregates, settings, project_id),
    )
    for condition in conditions:
        if not condition.is_met_by(host):
            raise ForeignHost(image.label, _in_words(condition, host))
    return required


def _in_words(condition: Condition, host: str) -> str:
    if condition.forbidden:
        return f"its aggregates {condition.names(host)} are closed, because {condition.reason}"
    return f"it is in none of the aggregates {condition.names()}, and {condition.reason}"
