"""The clouds that upstream's API tests expect to find, as data, and the builder that makes them through the REST API.

The tests name things by environment variables ("$ENVIRON['CN1_UUID']"), so a cloud does, too: each aggregate, provider,
consumer, project and user is called by the variable that carries its UUID.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from uuid import uuid4

import httpx

# Either the total alone, or the fields of an inventory in the API. The maximum unit is the total unless it is given.
Inventory = int | Mapping[str, float]

SHARING = "MISC_SHARES_VIA_AGGREGATE"


@dataclass(frozen=True)
class Provider:
    name: str
    inventories: Mapping[str, Inventory] = field(default_factory=dict)
    traits: Sequence[str] = ()
    aggregates: Sequence[str] = ()
    children: Sequence[Provider] = ()
    called: str = ""

    @property
    def variable(self) -> str:
        """The environment variable with its UUID: cn1 is CN1_UUID unless it is called otherwise."""
        return self.called or f"{self.name.upper()}_UUID"


@dataclass(frozen=True)
class Allocation:
    consumer: str
    provider: str
    resources: Mapping[str, int]
    project: str = "PROJECT_ID"
    user: str = "USER_ID"


@dataclass(frozen=True)
class Cloud:
    providers: Sequence[Provider] = ()
    allocations: Sequence[Allocation] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    spare: Sequence[str] = ()  # UUIDs that the tests use for something that does not exist yet


EMPTY = Cloud(
    names={
        "CUSTOM_RES_CLASS": "CUSTOM_IRON_NFV",
        "CUSTOM_RES_CLASS1": "CUSTOM_IRON_NFV1",
        "CUSTOM_RES_CLASS2": "CUSTOM_IRON_NFV2",
    },
    spare=(
        *("RP_UUID", "RP_UUID1", "RP_UUID2", "PARENT_PROVIDER_UUID", "ALT_PARENT_PROVIDER_UUID"),
        *("RP_NAME", "RP_NAME1", "RP_NAME2"),
        *("PROJECT_ID", "PROJECT_ID_ALT", "ADMIN_PROJECT_ID", "SERVICE_PROJECT_ID", "USER_ID", "USER_ID_ALT"),
        *("CONSUMER_UUID", "INSTANCE_UUID", "MIGRATION_UUID"),
    ),
)

# One host, on which three consumers hold something; the third belongs to another user.
ALLOCATED = Cloud(
    providers=(
        Provider("rp", {"DISK_GB": {"total": 2048, "min_unit": 10, "step_size": 10, "max_unit": 1000}, "VCPU": 10}),
    ),
    allocations=(
        Allocation("CONSUMER_0", "RP_UUID", {"DISK_GB": 1000}),
        Allocation("CONSUMER_ID", "RP_UUID", {"VCPU": 6}),
        Allocation("ALT_CONSUMER_ID", "RP_UUID", {"DISK_GB": 20, "VCPU": 1}, user="ALT_USER_ID"),
    ),
    names={"RP_NAME": "rp"},
    spare=("ALT_RP_UUID", "ALT_RP_NAME"),
)

OVERCOMMITTED_VCPU = {"total": 24, "allocation_ratio": 16.0}
OVERCOMMITTED_MEMORY = {"total": 128 * 1024, "allocation_ratio": 1.5}
PARTLY_RESERVED_DISK = {"total": 2000, "reserved": 100}


def _host_with_virtual_functions(
    number: int, inventories: Mapping[str, Inventory] | None = None, traits: Sequence[str] = ()
) -> Provider:
    """A host with two empty NUMA nodes, each of which has a network card with eight virtual functions."""
    return Provider(
        f"cn{number}",
        {"VCPU": OVERCOMMITTED_VCPU, "MEMORY_MB": OVERCOMMITTED_MEMORY} | dict(inventories or {}),
        traits=traits,
        aggregates=["AGG_UUID"],
        children=[
            Provider(f"numa{number}_{cell}", children=[Provider(f"pf{number}_{cell}", {"SRIOV_NET_VF": 8})])
            for cell in (1, 2)
        ],
    )


# Two hosts, the second with a disk of its own, share two storage pools through one aggregate.
SHARED_STORAGE = Cloud(
    providers=(
        _host_with_virtual_functions(1, traits=["HW_CPU_X86_SSE", "HW_CPU_X86_SSE2"]),
        _host_with_virtual_functions(2, {"DISK_GB": PARTLY_RESERVED_DISK}),
        Provider("ss", {"DISK_GB": PARTLY_RESERVED_DISK}, [SHARING], ["AGG_UUID"]),
        Provider("ss2", {"DISK_GB": PARTLY_RESERVED_DISK}, [SHARING], ["AGG_UUID"]),
    )
)

# Two hosts whose processors are in their NUMA nodes. One storage pool is shared with both hosts, the other with the
# first NUMA node of the first host alone.
NUMA_AGGREGATES = Cloud(
    providers=(
        Provider(
            "cn1",
            aggregates=["AGGA_UUID"],
            children=[
                Provider("numa1_1", {"VCPU": OVERCOMMITTED_VCPU}, aggregates=["AGGC_UUID"]),
                Provider("numa1_2", {"VCPU": OVERCOMMITTED_VCPU}),
            ],
        ),
        Provider(
            "cn2",
            aggregates=["AGGA_UUID", "AGGB_UUID"],
            children=[Provider(f"numa2_{cell}", {"VCPU": OVERCOMMITTED_VCPU}) for cell in (1, 2)],
        ),
        Provider("ss1", {"DISK_GB": PARTLY_RESERVED_DISK}, [SHARING], ["AGGA_UUID"]),
        Provider("ss2", {"DISK_GB": PARTLY_RESERVED_DISK}, [SHARING], ["AGGC_UUID"]),
    )
)

_NUMA_HOST = Provider(
    "cn1",
    traits=["COMPUTE_VOLUME_MULTI_ATTACH"],
    aggregates=["AGGA_UUID"],
    children=[
        Provider(
            "numa0",
            {"VCPU": 4, "MEMORY_MB": {"total": 2048, "min_unit": 512, "step_size": 256}},
            traits=["HW_NUMA_ROOT"],
            children=[Provider("fpga0", {"FPGA": 1}), Provider("pgpu0", {"VGPU": 8})],
        ),
        Provider(
            "numa1",
            {"VCPU": 4, "MEMORY_MB": {"total": 2048, "min_unit": 256, "max_unit": 1024}},
            traits=["HW_NUMA_ROOT", "CUSTOM_FOO"],
            children=[Provider("fpga1_0", {"FPGA": 1}), Provider("fpga1_1", {"FPGA": 1})],
        ),
        Provider(
            "sriov_agent",
            traits=["CUSTOM_VNIC_TYPE_DIRECT"],
            children=[
                Provider("esn1", {"NET_BW_EGR_KILOBIT_PER_SEC": 10000}, ["CUSTOM_PHYSNET1"]),
                Provider("esn2", {"NET_BW_EGR_KILOBIT_PER_SEC": 20000}, ["CUSTOM_PHYSNET2"]),
            ],
        ),
        Provider(
            "ovs_agent",
            traits=["CUSTOM_VNIC_TYPE_NORMAL"],
            children=[Provider("br_int", {"NET_BW_EGR_KILOBIT_PER_SEC": 1000}, ["CUSTOM_PHYSNET0"])],
        ),
    ],
)


def _network_card(number: int, functions: int, networks: Sequence[int]) -> Provider:
    """A card with one port on each of these physical networks, each port with so many virtual functions."""
    return Provider(
        f"nic{number}",
        traits=["CUSTOM_HW_NIC_ROOT"],
        children=[
            Provider(f"pf{number}_{port}", {"CUSTOM_VF": functions}, [f"CUSTOM_PHYSNET{network}"])
            for port, network in enumerate(networks, start=1)
        ],
    )


_NETWORK_HOST = Provider(
    "cn2",
    {"VCPU": 8, "MEMORY_MB": {"total": 2048, "min_unit": 1024, "step_size": 128}, "DISK_GB": 1000},
    traits=["CUSTOM_FOO"],
    aggregates=["AGGA_UUID"],
    children=[_network_card(1, 4, [1, 2]), _network_card(2, 2, [1, 2, 1, 2]), _network_card(3, 8, [1])],
)

_NUMA_STORAGE = Provider("ss1", {"DISK_GB": 2000}, [SHARING], ["AGGA_UUID"])

_NUMA_ALLOCATIONS = (
    Allocation("NUMA0_CONSUMER", "NUMA0_UUID", {"VCPU": 2}),
    Allocation("CN2_CONSUMER", "CN2_UUID", {"VCPU": 3}),
)

# A host with NUMA nodes, devices and network agents, a host with network cards, and storage for both.
NUMA_NETWORK = Cloud(providers=(_NUMA_STORAGE, _NUMA_HOST, _NETWORK_HOST), allocations=_NUMA_ALLOCATIONS)

# The same two hosts, two levels deeper in one common tree.
DEEP_NUMA_NETWORK = Cloud(
    providers=(
        _NUMA_STORAGE,
        Provider("gp1", children=[Provider("p1", children=[_NUMA_HOST]), Provider("p2", children=[_NETWORK_HOST])]),
    ),
    allocations=_NUMA_ALLOCATIONS,
)

# Three hosts with disks of their own; the tests put them into aggregates.
LOCAL_STORAGE = Cloud(
    providers=tuple(
        Provider(name, {"VCPU": 24, "MEMORY_MB": 128 * 1024, "DISK_GB": 2000}) for name in ("cn1", "cn2", "cn3")
    ),
    spare=("AGGA_UUID", "AGGB_UUID", "AGGC_UUID"),
)

# Three hosts and three sharing providers, tied by three overlapping aggregates.
GRANULAR = Cloud(
    providers=(
        Provider(
            "cn_left",
            {"VCPU": 8, "MEMORY_MB": 4096, "DISK_GB": 500, "VGPU": 8, "SRIOV_NET_VF": 8, "CUSTOM_NET_MBPS": 4000},
            traits=["HW_CPU_X86_AVX", "HW_CPU_X86_AVX2", "HW_GPU_API_DXVA", "HW_NIC_DCB_PFC", "CUSTOM_FOO"],
            aggregates=["AGGA"],
            called="CN_LEFT",
        ),
        Provider(
            "cn_middle",
            {"VCPU": 8, "MEMORY_MB": 4096, "SRIOV_NET_VF": 8, "CUSTOM_NET_MBPS": 4000},
            traits=["HW_CPU_X86_AVX", "HW_CPU_X86_AVX2", "HW_CPU_X86_SSE", "HW_NIC_ACCEL_TLS"],
            aggregates=["AGGA", "AGGB"],
            called="CN_MIDDLE",
        ),
        Provider(
            "cn_right",
            {"VCPU": 8, "MEMORY_MB": 4096, "DISK_GB": 500, "VGPU": {"total": 8, "max_unit": 2}},
            traits=["HW_CPU_X86_MMX", "HW_GPU_API_DXVA", "CUSTOM_DISK_SSD"],
            aggregates=["AGGB", "AGGC"],
            called="CN_RIGHT",
        ),
        Provider("shr_disk_1", {"DISK_GB": 1000}, [SHARING, "CUSTOM_DISK_SSD"], ["AGGA"], called="SHR_DISK_1"),
        Provider("shr_disk_2", {"DISK_GB": 1000}, [SHARING], ["AGGA", "AGGB"], called="SHR_DISK_2"),
        Provider(
            "shr_net", {"SRIOV_NET_VF": 16, "CUSTOM_NET_MBPS": 40000}, [SHARING], aggregates=["AGGC"], called="SHR_NET"
        ),
    )
)


def _bandwidth(kilobits: int) -> dict[str, Inventory]:
    return {"NET_BW_EGR_KILOBIT_PER_SEC": kilobits, "NET_BW_IGR_KILOBIT_PER_SEC": kilobits}


def _segment_host(number: int, segments: Sequence[str], bridge_kilobits: int, card_kilobits: int) -> Provider:
    """A host with a bridge of Open vSwitch and a port of a network card on each of these segments."""
    host = f"compute{number}"
    bridges, ports = ("br-ex", "br-ex2"), ("enp129s0f0", "enp129s0f1")
    direct = ["CUSTOM_VNIC_TYPE_DIRECT", "CUSTOM_VNIC_TYPE_DIRECT_PHYSICAL", "CUSTOM_VNIC_TYPE_MACVTAP"]
    switch_agent = Provider(
        f"{host}:Open vSwitch agent",
        {"NET_PACKET_RATE_KILOPACKET_PER_SEC": 1000},
        traits=["CUSTOM_VNIC_TYPE_NORMAL"],
        children=[
            Provider(
                f"{host}:Open vSwitch agent:{bridge}",
                _bandwidth(bridge_kilobits),
                traits=["CUSTOM_VNIC_TYPE_NORMAL", f"CUSTOM_PHYSNET_{segment}"],
                called=f"{host}:{bridge.replace('-', '_')}",
            )
            for bridge, segment in zip(bridges, segments, strict=False)
        ],
        called=f"{host}:ovs_agent",
    )
    card_agent = Provider(
        f"{host}:NIC Switch agent",
        traits=direct,
        children=[
            Provider(
                f"{host}:NIC Switch agent:{port}",
                _bandwidth(card_kilobits),
                traits=[*direct, f"CUSTOM_PHYSNET_{segment}"],
                called=f"{host}:pf{port[-1]}",
            )
            for port, segment in zip(ports, segments, strict=False)
        ],
        called=f"{host}:sriov_agent",
    )
    return Provider(
        host, {"VCPU": 8, "MEMORY_MB": 4096, "DISK_GB": 500}, children=[switch_agent, card_agent], called=host
    )


# Hosts as Neutron reports them on a network of two segments (S1 and S2): beside it, on either, and, narrowly, on both.
MULTI_SEGMENT_NETWORK = Cloud(
    providers=(
        _segment_host(0, ["OTHER"], 5000, 10000),
        _segment_host(1, ["MSN_S1"], 5000, 10000),
        _segment_host(2, ["MSN_S2"], 5000, 10000),
        _segment_host(3, ["MSN_S1", "MSN_S2"], 1000, 1000),
    )
)


class CloudBuilder:
    """Makes clouds through the REST API of an application, and remembers the UUID behind each variable."""

    def __init__(self, client: httpx.Client) -> None:
        self.variables: defaultdict[str, str] = defaultdict(lambda: str(uuid4()))
        self._client = client
        self._custom_names: set[str] = set()

    def build(self, cloud: Cloud) -> None:
        self.variables.update(cloud.names)
        for variable in cloud.spare:
            self.variables[variable]
        for provider in cloud.providers:
            self._build_provider(provider, parent=None)
        for allocation in cloud.allocations:
            self._build_allocation(allocation)

    def _build_provider(self, provider: Provider, parent: str | None) -> None:
        uuid = self.variables[provider.variable]
        path = f"/resource_providers/{uuid}"
        identity = {"name": provider.name, "uuid": uuid, "parent_provider_uuid": parent}
        generation = self._send("POST", "/resource_providers", identity)["generation"]
        for resource_class, inventory in provider.inventories.items():
            self._ensure("resource_classes", resource_class)
            fields = {"total": inventory} if isinstance(inventory, int) else inventory
            body = {"resource_class": resource_class, "max_unit": fields["total"], **fields}
            answer = self._send("POST", f"{path}/inventories", {**body, "resource_provider_generation": generation})
            generation = answer["resource_provider_generation"]
        if provider.traits:
            for trait in provider.traits:
                self._ensure("traits", trait)
            traits = {"traits": list(provider.traits), "resource_provider_generation": generation}
            self._send("PUT", f"{path}/traits", traits)
        if provider.aggregates:
            # Before 1.19 this does not move the generation, which the tests count.
            aggregates = [self.variables[aggregate] for aggregate in provider.aggregates]
            self._send("PUT", f"{path}/aggregates", aggregates, version="1.18")
        for child in provider.children:
            self._build_provider(child, parent=uuid)

    def _build_allocation(self, allocation: Allocation) -> None:
        body = {
            "allocations": {self.variables[allocation.provider]: {"resources": allocation.resources}},
            "consumer_generation": None,
            "project_id": self.variables[allocation.project],
            "user_id": self.variables[allocation.user],
        }
        self._send("PUT", f"/allocations/{self.variables[allocation.consumer]}", body)

    def _ensure(self, collection: str, name: str) -> None:
        """Make a custom trait or resource class when it is first used."""
        if name.startswith("CUSTOM_") and name not in self._custom_names:
            self._custom_names.add(name)
            self._send("PUT", f"/{collection}/{name}")

    def _send(self, method: str, path: str, body: object = None, version: str = "1.37") -> dict[str, int]:
        """Send a request that must succeed. 1.37 is the last version that creates consumers without a type."""
        headers = {"x-auth-token": "admin", "openstack-api-version": f"placement {version}"}
        response = self._client.request(method, path, headers=headers, json=body)
        response.raise_for_status()
        content: dict[str, int] = response.json() if response.content else {}
        return content
