from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from moorage.hosts.drivers.libvirt.driver import LibvirtDriver
from moorage.hosts.drivers.machine.policy import Policy
from moorage.hosts.provider_tree import ProviderTree
from tests.hosts.drivers.kernels import status_of
from tests.hosts.drivers.libvirt.recordings import Recording, opens

Ask = Callable[..., ProviderTree]


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    """Examines the host of a recording; the node's name is "host"."""

    def asked(recording: Recording, policy: Policy | None = None, name: str | None = "host") -> ProviderTree:
        driver = LibvirtDriver(
            "qemu:///system",
            name,
            tmp_path / "state",
            policy or Policy(),
            open_hypervisor=opens(recording),
            status_of=status_of,
        )
        return driver.read().tree

    return asked
