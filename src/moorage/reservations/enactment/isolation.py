"""How servers without a reservation are kept off reserved hosts, with what the scheduler of the cloud understands.

Moorage's own compute closes aggregates whose metadata has a key with a forbidden prefix, and opens them to flavors that
have such a key. A Nova closes aggregates whose metadata requires a trait, and opens them to flavors that require it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from moorage.reservations.model.names import POOL_TRAIT, metadata_key
from moorage.reservations.model.reservation import Reservation

TENANT_KEY = "filter_tenant_id"


@dataclass(frozen=True, slots=True)
class PrefixIsolation:
    """By keys: the free pool has one, and each reservation of hosts has one."""

    pool_id: str

    @property
    def pool_metadata(self) -> Mapping[str, str]:
        """What the free pool has."""
        return {metadata_key(self.pool_id): "free pool"}

    @property
    def pool_specs(self) -> Mapping[str, str]:
        """What takes a flavor to hosts of the free pool; an aggregate of the reservation's own there is not."""
        return {metadata_key(self.pool_id): "true"}

    @property
    def provider_traits(self) -> frozenset[str]:
        """What every reservation provider has."""
        return frozenset()

    def aggregate_metadata(self, reservation: Reservation, project_id: str) -> Mapping[str, str]:
        """What the aggregate of reserved hosts has: it is open to one project."""
        return {metadata_key(reservation.id): "true", TENANT_KEY: project_id}

    def host_traits(self, _reservation: Reservation) -> frozenset[str]:
        """What the root providers of reserved hosts have."""
        return frozenset()

    def host_specs(self, _reservation: Reservation) -> Mapping[str, str] | None:
        """What a flavor for reserved hosts has; None where users may bring the key themselves."""
        return None


@dataclass(frozen=True, slots=True)
class TraitIsolation:
    """By traits: one of the free pool, and one of each reservation of hosts."""

    pool_id: str

    @property
    def pool_metadata(self) -> Mapping[str, str]:
        """What the free pool has."""
        return {metadata_key(self.pool_id): "free pool", f"trait:{POOL_TRAIT}": "required"}

    @property
    def pool_specs(self) -> Mapping[str, str]:
        """What takes a flavor to hosts of the free pool."""
        return {f"trait:{POOL_TRAIT}": "required"}

    @property
    def provider_traits(self) -> frozenset[str]:
        """What every reservation provider has."""
        return frozenset({POOL_TRAIT})

    def aggregate_metadata(self, reservation: Reservation, project_id: str) -> Mapping[str, str]:
        """What the aggregate of reserved hosts has."""
        return {
            metadata_key(reservation.id): "true",
            f"trait:{reservation.resource_class}": "required",
            TENANT_KEY: project_id,
        }

    def host_traits(self, reservation: Reservation) -> frozenset[str]:
        """What the root providers of reserved hosts have."""
        return frozenset({reservation.resource_class})

    def host_specs(self, reservation: Reservation) -> Mapping[str, str] | None:
        """What a flavor for reserved hosts has."""
        return {f"trait:{reservation.resource_class}": "required"}


Isolation = PrefixIsolation | TraitIsolation
