"""A cloud with as many hosts as one likes, written at once."""

from __future__ import annotations

import random
from uuid import UUID, uuid5

import httpx

from tests.clients.running_service import RunningService

_NAMESPACE = UUID("6f3b1c8e-0000-4000-8000-000000000000")
_CHUNK = 1000
_ZONES = 4


def write_hosts(service: RunningService, count: int) -> None:
    """Hosts of two kinds in four zones, more or less full."""
    headers = {"X-Auth-Token": service.token, "OpenStack-API-Version": "placement 1.39"}
    chance = random.Random(count)  # the same cloud each time
    with httpx.Client(base_url=service.url, headers=headers, timeout=120) as api:
        names = [f"rack{number // 40:03}-host{number % 40:02}" for number in range(count)]
        uuids = [str(uuid5(_NAMESPACE, name)) for name in names]
        zones = [str(uuid5(_NAMESPACE, f"zone {number}")) for number in range(_ZONES)]
        for start in range(0, count, _CHUNK):
            some = range(start, min(count, start + _CHUNK))
            providers = [
                {
                    "uuid": uuids[number],
                    "name": names[number],
                    "inventories": {
                        "VCPU": {"total": 128, "allocation_ratio": 2.0},
                        "MEMORY_MB": {"total": 1048576, "reserved": 16384},
                        "DISK_GB": {"total": 8000},
                    },
                    "traits": ["COMPUTE_NODE", "HW_CPU_X86_AVX2", *(["STORAGE_DISK_SSD"] if number % 3 else [])],
                    "aggregates": [zones[number * _ZONES // count]],
                }
                for number in some
            ]
            api.post("/placement/moorage/providers", json={"providers": providers}).raise_for_status()
            claims = {}
            for number in some:
                # Racks are filled one after the other, and never quite evenly.
                full = min(1.0, max(0.02, chance.gauss(0.25 + 0.6 * (number % 997) / 997, 0.12)))
                claims[str(uuid5(_NAMESPACE, f"server {number}"))] = {
                    "allocations": {
                        uuids[number]: {
                            "resources": {"VCPU": max(1, int(256 * full)), "MEMORY_MB": max(1, int(1032192 * full))}
                        }
                    },
                    "project_id": "harbour",
                    "user_id": "me",
                    "consumer_type": "INSTANCE",
                    "consumer_generation": None,
                }
            api.post("/placement/allocations", json=claims).raise_for_status()
