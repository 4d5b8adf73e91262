"""Whether a flavor is large enough for an image, which says how much memory and disk it needs at least."""

from __future__ import annotations

from moorage.compute.model.flavor import Flavor
from moorage.compute.model.image import Minimum
from moorage.compute.servers.errors import InvalidOrder


def check_sizes(flavor: Flavor, least: Minimum) -> None:
    """Refuse a flavor that is too small for an image."""
    if flavor.ram_mb < least.ram_mb:
        raise InvalidOrder(
            f"Flavor's memory is too small for requested image: it has {flavor.ram_mb} MiB, the image needs"
            f" {least.ram_mb} MiB."
        )
    # A flavor without a disk of its own leaves the size to the image.
    if flavor.disk_gb and flavor.disk_gb < least.disk_gb:
        raise InvalidOrder(
            f"Flavor's disk is too small for requested image: it has {flavor.disk_gb} GiB, the image needs"
            f" {least.disk_gb} GiB."
        )
