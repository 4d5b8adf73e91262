"""Hosts that leases may use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from moorage.reservations.model.names import reservation_provider_name
from moorage.reservations.model.period import Period


@dataclass(frozen=True, slots=True, kw_only=True)
class Hypervisor:
    """What compute says about a host; shown to clients, counted nowhere."""

    vcpus: int = 0
    memory_mb: int = 0
    local_gb: int = 0
    cpu_info: str = ""
    hypervisor_type: str = ""
    hypervisor_version: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Maintenance:
    """A time in which a host is busy with itself."""

    id: str
    period: Period
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """A host that was handed over to this service."""

    # A number, because clients take anything else for a name.
    id: int
    # Its root provider in Placement.
    provider_uuid: str
    # The name of the hypervisor, and of that provider.
    name: str
    # The host's name in compute's services and aggregates.
    service_name: str
    created_at: datetime
    updated_at: datetime
    availability_zone: str = ""
    hypervisor: Hypervisor = field(default_factory=Hypervisor)
    # Whether new reservations may use it: False while it is down, or while an operator says so.
    reservable: bool = True
    disabled_reason: str = ""
    capabilities: Mapping[str, str] = field(default_factory=dict)
    maintenance: tuple[Maintenance, ...] = ()
    deleted_at: datetime | None = None
    revision: int = 0

    @property
    def reservation_provider_name(self) -> str:
        """How its reservation provider in Placement is called."""
        return reservation_provider_name(self.name)
