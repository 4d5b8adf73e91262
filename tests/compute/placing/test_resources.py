from __future__ import annotations

from dataclasses import replace

import pytest

from moorage.compute.placing.extra_specs import read_extra_specs
from moorage.compute.placing.resources import resources_by_group
from tests.compute.placing.examples import flavor

SIZES = {"DISK_GB": 20, "MEMORY_MB": 2048, "VCPU": 2}


@pytest.mark.parametrize(
    ("specs", "groups"),
    [
        ({}, {"": SIZES}),
        ({"resources:CUSTOM_FPGA": "1"}, {"": {**SIZES, "CUSTOM_FPGA": 1}}),
        ({"resources:VCPU": "8"}, {"": {**SIZES, "VCPU": 8}}),
        ({"resources:DISK_GB": "0"}, {"": {"MEMORY_MB": 2048, "VCPU": 2}}),
        ({"resources1:VCPU": "2"}, {"": {"DISK_GB": 20, "MEMORY_MB": 2048}, "1": {"VCPU": 2}}),
        ({"resources1:VCPU": "0"}, {"": {"DISK_GB": 20, "MEMORY_MB": 2048}}),
        ({"resources:PCPU": "2"}, {"": {"DISK_GB": 20, "MEMORY_MB": 2048, "PCPU": 2}}),
        ({"resources1:PCPU": "2"}, {"": {"DISK_GB": 20, "MEMORY_MB": 2048}, "1": {"PCPU": 2}}),
        # Shared and dedicated processors, both by name.
        ({"resources:PCPU": "2", "resources:VCPU": "1"}, {"": {**SIZES, "PCPU": 2, "VCPU": 1}}),
        # A bare-metal flavor: the node as a whole, and nothing of what it has.
        (
            {
                "resources:CUSTOM_BAREMETAL": "1",
                "resources:VCPU": "0",
                "resources:MEMORY_MB": "0",
                "resources:DISK_GB": "0",
            },
            {"": {"CUSTOM_BAREMETAL": 1}},
        ),
        ({"resources:VCPU": "0", "resources:MEMORY_MB": "0", "resources:DISK_GB": "0"}, {}),
    ],
)
def test_extra_specs_override_the_sizes_of_the_flavor(specs: dict[str, str], groups: dict[str, dict[str, int]]) -> None:
    assert resources_by_group(flavor(specs), read_extra_specs(specs)) == groups


@pytest.mark.parametrize(
    ("disk_gb", "ephemeral_gb", "swap_mb", "total"),
    [(0, 0, 0, None), (10, 0, 0, 10), (10, 5, 0, 15), (10, 5, 1, 16), (10, 5, 1024, 16), (0, 0, 1025, 2)],
)
def test_all_disks_count_and_swap_is_rounded_up(
    disk_gb: int, ephemeral_gb: int, swap_mb: int, total: int | None
) -> None:
    wanted = replace(flavor(), disk_gb=disk_gb, ephemeral_gb=ephemeral_gb, swap_mb=swap_mb)
    assert resources_by_group(wanted, read_extra_specs({}))[""].get("DISK_GB") == total
