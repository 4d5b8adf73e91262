"""What a server would ask Placement for, worked out from what any compute service tells about itself."""

from __future__ import annotations

from moorage.client.compute import ComputeClient
from moorage.client.errors import NoEndpoint, NotFound
from moorage.client.image import Image
from moorage.compute.known_cloud import known_aggregates, known_settings
from moorage.compute.model.aggregate import HostAggregate
from moorage.compute.model.flavor import Flavor
from moorage.compute.model.image import NO_IMAGE, BootImage, Minimum
from moorage.compute.placing.request import PlacementRequest, placement_request
from moorage.compute.placing.settings import PlacingSettings
from moorage.compute.servers.sizes import check_sizes


def worked_out_request(
    compute: ComputeClient, flavor: Flavor, image: Image | None, project_id: str, zone: str | None
) -> PlacementRequest:
    """For a server of a project; InvalidOrder or a Refusal if there can be none such."""
    settings, aggregates = _apart(compute)
    if image is not None:
        check_sizes(flavor, Minimum(ram_mb=image.min_ram_mb, disk_gb=image.min_disk_gb))
    boot_image = BootImage(image.name or image.id, image.properties) if image else NO_IMAGE
    return placement_request(flavor, boot_image, aggregates, settings, project_id, zone)


def _apart(compute: ComputeClient) -> tuple[PlacingSettings, list[HostAggregate]]:
    """How hosts are kept apart, and which; where there is no compute service, nobody does that."""
    try:
        return known_settings(compute.scheduling()), known_aggregates(compute.aggregates())
    except (NoEndpoint, NotFound):
        return PlacingSettings(), []
