"""The cloud that leases are carried out in: its Placement, its compute, and how it keeps hosts apart."""

from __future__ import annotations

import logging
import uuid
from dataclasses import dataclass
from typing import Literal

from moorage.client.compute import Aggregate, ComputeClient
from moorage.client.placement import PlacementClient
from moorage.db.database import Database
from moorage.reservations.enactment.aggregates import ensure_aggregate
from moorage.reservations.enactment.errors import UnfitCloud
from moorage.reservations.enactment.isolation import Isolation, PrefixIsolation, TraitIsolation
from moorage.reservations.model.names import PREFIX
from moorage.reservations.store import cloud_settings

LOG = logging.getLogger(__name__)

OLDEST_PLACEMENT = (1, 29)
_NEWEST_PLACEMENT = (1, 39)

IsolationSetting = Literal["auto", "prefix", "trait"]


@dataclass(frozen=True, slots=True)
class Cloud:
    """What enactment works with."""

    placement: PlacementClient
    compute: ComputeClient
    isolation: Isolation
    # The aggregate of hosts that leases may use, closed to servers without a reservation; who is in it, changes.
    pool: Aggregate


def open_cloud(
    database: Database,
    placement: PlacementClient,
    compute: ComputeClient,
    *,
    isolation: IsolationSetting = "auto",
    pool_name: str = "freepool",
) -> Cloud:
    """Look at a cloud, and make its free pool if there is none; UnfitCloud if leases cannot work there."""
    speaking = placement.speaking(_placement_version(placement))
    pool_id = database.write(lambda tx: cloud_settings.set_if_missing(tx, "free_pool", uuid.uuid4().hex))
    chosen = _isolation(compute, isolation, pool_id)
    if chosen.provider_traits:
        speaking.ensure_traits(chosen.provider_traits)
    return Cloud(speaking, compute, chosen, ensure_aggregate(compute, pool_name, chosen.pool_metadata))


def _placement_version(placement: PlacementClient) -> tuple[int, int]:
    newest = placement.newest_version()
    if newest < OLDEST_PLACEMENT:
        raise UnfitCloud(
            f"Leases need a Placement service with microversion {_text(OLDEST_PLACEMENT)} or newer; this one speaks"
            f" {_text(newest)} at most."
        )
    return min(newest, _NEWEST_PLACEMENT)


def _text(version: tuple[int, int]) -> str:
    return f"{version[0]}.{version[1]}"


def _isolation(compute: ComputeClient, wanted: IsolationSetting, pool_id: str) -> Isolation:
    known = compute.scheduling()
    if wanted == "auto":
        by_prefix = known is not None and known.closes(PREFIX)
        by_trait = known is None or known.isolates_aggregates
        wanted = "prefix" if by_prefix or not by_trait else "trait"
    if wanted == "trait":
        if known is None:
            LOG.warning(
                "Reserved hosts are kept apart by traits. That needs [scheduler] enable_isolated_aggregate_filtering ="
                " true in the configuration of Nova, which cannot be seen from here."
            )
        elif not known.isolates_aggregates:
            LOG.warning("[scheduler] enable_isolated_aggregate_filtering is off: reserved hosts are open to everybody.")
        return TraitIsolation(pool_id)
    if known is None or not known.closes(PREFIX):
        LOG.warning(
            'Reserved hosts are open to everybody: compute neither closes aggregates by the prefix "%s" ([scheduler]'
            " placement_req_required_member_prefix and placement_req_default_forbidden_member_prefix) nor isolates them"
            " (enable_isolated_aggregate_filtering).",
            PREFIX,
        )
    return PrefixIsolation(pool_id)
