"""The services of a cloud that capacity and usage are read from."""

from __future__ import annotations

from dataclasses import dataclass

from moorage.client.compute import ComputeClient
from moorage.client.image import ImageClient
from moorage.client.placement import PlacementClient
from moorage.client.reservation import ReservationClient
from moorage.client.volume import VolumeClient


@dataclass(frozen=True, slots=True)
class Services:
    """Clients for each of them; all may be used by several threads at once."""

    placement: PlacementClient
    compute: ComputeClient
    image: ImageClient
    volume: VolumeClient
    # None where nobody keeps leases.
    reservation: ReservationClient | None = None
