"""The driver that the settings choose."""

from __future__ import annotations

from pathlib import Path

import pytest

from moorage.hosts.drivers.driver import DriverError
from moorage.hosts.drivers.registry import DRIVERS, driver_from_settings
from moorage.hosts.options import DRIVERS as CHOICES
from moorage.service.errors import OperatorError
from moorage.service.settings import load_settings

pytestmark = pytest.mark.usefixtures("installation")


def test_every_choice_is_a_driver() -> None:
    assert [name for name, _ in CHOICES] == list(DRIVERS)
    for name in DRIVERS:
        assert driver_from_settings(load_settings({"agent.driver": name})).name == name


def test_the_machine_itself_is_the_default() -> None:
    assert driver_from_settings(load_settings()).name == "linux"


def test_the_settings_reach_the_driver(tmp_path: Path) -> None:
    (tmp_path / "nodes.yaml").write_text("nodes: [{name: described}]")
    static = load_settings({"agent.driver": "static", "static.file": str(tmp_path / "nodes.yaml")})
    assert [provider.name for provider in driver_from_settings(static).read().tree] == ["described"]
    linux = load_settings({"agent.host": "renamed", "compute.reserved_host_memory_mb": 3, "compute.instances_path": ""})
    (node,) = driver_from_settings(linux).read().tree
    assert node.name == "renamed"
    assert node.inventories["MEMORY_MB"].reserved == 3
    assert "DISK_GB" not in node.inventories


def test_an_unknown_driver() -> None:
    with pytest.raises(OperatorError, match=r"agent\.driver cannot be 'xen'"):
        load_settings({"agent.driver": "xen"})


@pytest.mark.parametrize("driver", ["linux", "libvirt"])
def test_settings_that_cannot_be_used_are_told_at_once(driver: str) -> None:
    with pytest.raises(DriverError, match="cpu_shared_set = all is no list"):
        driver_from_settings(load_settings({"agent.driver": driver, "compute.cpu_shared_set": "all"}))


def test_a_ratio_is_more_than_nothing() -> None:
    for option in ("cpu", "ram", "disk"):
        with pytest.raises(OperatorError, match=f"{option}_allocation_ratio cannot be 0"):
            load_settings({f"compute.{option}_allocation_ratio": 0})
