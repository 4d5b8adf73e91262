"""What a compute service knows, as values. Their names in JSON are Nova's, so that they are read as they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field


class NamedServer(Struct, frozen=True):
    """A server in the list of a hypervisor."""

    uuid: str
    name: str


class HypervisorService(Struct, frozen=True):
    """The service that manages a hypervisor; `host` is the name that aggregates know."""

    host: str
    id: str = ""
    disabled_reason: str | None = None


class Hypervisor(Struct, frozen=True):
    """A host of servers, with what it has and what of it is in use, overcommit not counted."""

    id: str
    name: str = field(name="hypervisor_hostname")
    state: str
    status: str
    service: HypervisorService
    hypervisor_type: str = ""
    hypervisor_version: int = 0
    host_ip: str | None = None
    cpu_info: Any = None
    vcpus: int = 0
    vcpus_used: int = 0
    memory_mb: int = 0
    memory_mb_used: int = 0
    local_gb: int = 0
    local_gb_used: int = 0
    running_vms: int = 0
    # Only where they are asked for.
    servers: tuple[NamedServer, ...] = ()

    @property
    def is_up(self) -> bool:
        """Whether it answers."""
        return self.state == "up"

    @property
    def is_enabled(self) -> bool:
        """Whether new servers may go there."""
        return self.status == "enabled"


class ComputeService(Struct, frozen=True):
    """A process of the compute service, such as the nova-compute of a host."""

    id: str
    binary: str
    host: str
    status: str
    state: str
    zone: str | None = None
    forced_down: bool = False
    disabled_reason: str | None = None


class Flavor(Struct, frozen=True):
    """A size of servers."""

    id: str
    name: str
    vcpus: int
    ram_mb: int = field(name="ram")
    disk_gb: int = field(name="disk")
    # An empty text for none is how it was once.
    swap: int | str = 0
    ephemeral_gb: int = field(name="OS-FLV-EXT-DATA:ephemeral", default=0)
    is_public: bool = field(name="os-flavor-access:is_public", default=True)
    is_disabled: bool = field(name="OS-FLV-DISABLED:disabled", default=False)
    description: str | None = None
    extra_specs: Mapping[str, str] = {}

    @property
    def swap_mb(self) -> int:
        """The size of the swap disk."""
        return int(self.swap or 0)


class FlavorOfServer(Struct, frozen=True):
    """The flavor of a server as it was when the server was made: it has no id, and may have been changed since."""

    name: str = field(name="original_name")
    vcpus: int
    ram_mb: int = field(name="ram")
    disk_gb: int = field(name="disk")
    ephemeral_gb: int = field(name="ephemeral", default=0)
    swap_mb: int = field(name="swap", default=0)
    extra_specs: Mapping[str, str] = {}


class Reference(Struct, frozen=True):
    """Something that is told by its id alone."""

    id: str


class Server(Struct, frozen=True):
    """A server; what administrators alone may see is empty for others."""

    id: str
    name: str
    status: str
    project_id: str = field(name="tenant_id")
    user_id: str
    flavor: FlavorOfServer
    # An empty text for a server that boots from a volume.
    image: Reference | str | None = None
    metadata: Mapping[str, str] = {}
    tags: tuple[str, ...] = ()
    created: str = ""
    host: str | None = field(name="OS-EXT-SRV-ATTR:host", default=None)
    hypervisor_name: str | None = field(name="OS-EXT-SRV-ATTR:hypervisor_hostname", default=None)
    availability_zone: str = field(name="OS-EXT-AZ:availability_zone", default="")
    task_state: str | None = field(name="OS-EXT-STS:task_state", default=None)
    volumes: tuple[Reference, ...] = field(name="os-extended-volumes:volumes_attached", default=())

    @property
    def image_id(self) -> str | None:
        """The image that it was made from; None for one that boots from a volume."""
        return self.image.id if isinstance(self.image, Reference) else None


class ServerFilter(Struct, frozen=True):
    """Which servers to list, of all projects: those that meet all conditions."""

    project_id: str | None = None
    flavor: str | None = None
    host: str | None = None
    status: str | None = None
    # A pattern that a name has something of, as the service's database understands patterns.
    name: str | None = None

    def pairs(self) -> list[tuple[str, str]]:
        """The conditions as a query."""
        single = (
            ("project_id", self.project_id),
            ("flavor", self.flavor),
            ("host", self.host),
            ("status", self.status),
            ("name", self.name),
        )
        return [("all_tenants", "True"), *((name, value) for name, value in single if value is not None)]


EVERY_SERVER = ServerFilter()


class VolumeAttachment(Struct, frozen=True):
    """A volume that is attached to a server."""

    # There may be none where a volume has gone wrong.
    volume_id: str | None = field(name="volumeId", default=None)
    device: str | None = None


class ServerGroup(Struct, frozen=True):
    """Servers that shall share a host, or shall not."""

    id: str
    name: str
    project_id: str
    user_id: str
    policy: str
    rules: Mapping[str, int] = {}
    members: tuple[str, ...] = ()


class Aggregate(Struct, frozen=True):
    """A group of hosts, which Placement knows by the same UUID."""

    id: int
    uuid: str
    name: str
    availability_zone: str | None = None
    hosts: tuple[str, ...] = ()
    metadata: Mapping[str, str] = {}


class AvailabilityZone(Struct, frozen=True):
    """Hosts that fail together."""

    name: str
    is_available: bool
    hosts: tuple[str, ...] = ()


class Scheduling(Struct, frozen=True):
    """How the scheduler of a Moorage keeps servers and hosts apart."""

    # Empty for none.
    required_member_prefix: str
    forbidden_member_prefixes: tuple[str, ...]
    isolates_aggregates: bool

    def closes(self, prefix: str) -> bool:
        """Whether aggregates with such keys are closed to all but those who have the very key."""
        by_default = any(prefix.startswith(forbidden) for forbidden in self.forbidden_member_prefixes)
        return by_default and bool(self.required_member_prefix) and prefix.startswith(self.required_member_prefix)


class Limits(Struct, frozen=True):
    """What a project may use and what it uses, by Nova's names such as maxTotalCores and totalCoresUsed.

    The figures for single flavors and versions of hardware are those of patched services; others have none.
    """

    absolute: Mapping[str, int]
    per_flavor: Mapping[str, Mapping[str, int]] = field(name="absolutePerFlavor", default={})
    per_hardware_version: Mapping[str, Mapping[str, int]] = field(name="absolutePerHwVersion", default={})
