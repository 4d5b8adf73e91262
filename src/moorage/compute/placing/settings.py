"""How an operator wants servers to be placed: the group `[scheduler]` as a value."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from oslo_config import cfg


class Weigher(Enum):
    """Which hosts to prefer."""

    SPREAD = "spread"
    PACK = "pack"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacingSettings:
    """The settings that placing needs."""

    # Empty for none.
    required_member_prefix: str = ""
    default_forbidden_member_prefixes: tuple[str, ...] = ()
    isolate_aggregates: bool = False
    limit_tenants: bool = False
    aggregate_required_for_tenants: bool = False
    max_results: int = 1000
    weigher: Weigher = Weigher.SPREAD

    @property
    def has_prefixes(self) -> bool:
        """Whether keys of flavors and images decide about aggregates."""
        return bool(self.required_member_prefix or self.default_forbidden_member_prefixes)


def placing_settings(settings: cfg.ConfigOpts) -> PlacingSettings:
    """What the configuration says."""
    scheduler = settings.scheduler
    return PlacingSettings(
        required_member_prefix=scheduler.placement_req_required_member_prefix or "",
        default_forbidden_member_prefixes=tuple(scheduler.placement_req_default_forbidden_member_prefix),
        isolate_aggregates=scheduler.enable_isolated_aggregate_filtering,
        limit_tenants=scheduler.limit_tenants_to_placement_aggregate,
        aggregate_required_for_tenants=scheduler.placement_aggregate_required_for_tenants,
        max_results=scheduler.max_placement_results,
        weigher=Weigher(scheduler.weigher),
    )
