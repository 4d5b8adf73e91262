"""What the service says about itself: which resources there are, in which units, and how they spread over zones."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

PIECE = "piece"
MEBIBYTE = "MiB"


class Topology(StrEnum):
    """How a resource spreads over zones."""

    # It has nothing to do with zones: everything is reported under "any".
    FLAT = "flat"
    # Capacity and usage belong to zones, the quota does not.
    AZ_AWARE = "az-aware"
    # The quota belongs to zones as well.
    AZ_SEPARATED = "az-separated"


class CategoryInfo(Struct, frozen=True, rename="camel"):
    """A group under which resources are shown."""

    display_name: str


class ResourceInfo(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A resource."""

    display_name: str
    category_name: str | None = None
    unit: str
    topology: Topology
    has_capacity: bool
    needs_resource_demand: bool
    has_quota: bool


class ServiceInfo(Struct, frozen=True, rename="camel"):
    """All of it. The version rises whenever anything else in here changes, and only then."""

    version: int
    display_name: str
    categories: Mapping[str, CategoryInfo]
    resources: Mapping[str, ResourceInfo]
    # There are none of these; the protocol wants to be told so.
    rates: None = None
    capacity_metric_families: None = None
    usage_metric_families: None = None
