"""The driver on the very machine that runs the tests."""

from __future__ import annotations

import os
import platform
import re
import shutil
import socket
from pathlib import Path

import os_traits
import pytest

from moorage.hosts.drivers.registry import driver_from_settings
from moorage.hosts.provider_tree import Provider
from moorage.service.settings import load_settings


@pytest.fixture
def node(installation: Path) -> Provider:
    found = driver_from_settings(load_settings({"compute.reserved_host_memory_mb": 64})).read()
    (node,) = found.tree
    assert found.nodes == {node.uuid}
    return node


def test_its_name_and_its_uuid(node: Provider, installation: Path) -> None:
    assert node.name == socket.gethostname()
    assert (installation / "compute_id").read_text().strip() == node.uuid


def test_its_processors(node: Provider) -> None:
    assert node.inventories["VCPU"].total == os.cpu_count()


def test_its_memory(node: Provider) -> None:
    total = re.search(r"^MemTotal: +(\d+) kB$", Path("/proc/meminfo").read_text(), re.MULTILINE)
    assert total
    assert node.inventories["MEMORY_MB"].total == int(total[1]) // 1024


def test_its_disk(node: Provider) -> None:
    assert node.inventories["DISK_GB"].total == shutil.disk_usage("/").total // 1024**3


def test_its_traits(node: Provider) -> None:
    assert node.traits <= set(os_traits.get_traits())
    assert f"HW_ARCH_{platform.machine().upper()}" in node.traits
    flags = Path("/proc/cpuinfo").read_text().split()
    assert ("HW_CPU_X86_AVX2" in node.traits) == ("avx2" in flags)
    assert ("HW_CPU_AARCH64_ASIMD" in node.traits) == ("asimd" in flags)
