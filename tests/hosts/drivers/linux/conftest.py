from __future__ import annotations

from pathlib import Path

import pytest

from moorage.hosts.drivers.linux.driver import LinuxDriver
from moorage.hosts.drivers.machine.policy import Policy
from moorage.hosts.provider_tree import ProviderTree
from tests.hosts.drivers.kernels import status_of
from tests.hosts.drivers.trees import Examine


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Where the kernel's files are."""
    return tmp_path / "root"


@pytest.fixture
def examine(tmp_path: Path, root: Path) -> Examine:
    """Examines the machine below the root; the node's name is "host"."""

    def examined(policy: Policy | None = None, architecture: str = "x86_64") -> ProviderTree:
        driver = LinuxDriver(
            "host",
            tmp_path / "state",
            policy or Policy(),
            root=root,
            status_of=status_of,
            architecture=architecture,
        )
        return driver.read().tree

    return examined
