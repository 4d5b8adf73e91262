"""The way through libvirt-python, with its own test hypervisor where it is installed.

There are no wheels of libvirt-python, and it needs the libraries of libvirt to build, so `make test` does not install
it. Where it is installed, the real library is asked the same as the recording.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from moorage.hosts.drivers.driver import DriverError
from moorage.hosts.drivers.libvirt.connection import Connection, open_connection
from moorage.hosts.drivers.libvirt.driver import LibvirtDriver
from moorage.hosts.drivers.libvirt.hypervisor import Open
from moorage.hosts.drivers.machine.pci_pattern import parse_pci_pattern
from moorage.hosts.drivers.machine.policy import Policy
from tests.hosts.drivers.libvirt.recordings import TEST_DEFAULT, opens
from tests.hosts.drivers.trees import named, totals

WAYS = {"recorded": opens(TEST_DEFAULT)}
if importlib.util.find_spec("libvirt"):
    WAYS["library"] = open_connection


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_the_test_hypervisor(way: Open, tmp_path: Path) -> None:
    policy = Policy(numa=True, pci_patterns=(parse_pci_pattern("8086:*"),))
    tree = LibvirtDriver("test:///default", "host", tmp_path, policy, open_hypervisor=way).read().tree
    # Its cells have 2048 and 4096 MiB, but all of it together 3072.
    assert totals(named(tree, "host_numa0")) == {"VCPU": 8, "MEMORY_MB": 1024}
    assert totals(named(tree, "host_numa1")) == {"VCPU": 8, "MEMORY_MB": 2048}
    assert named(tree, "host").traits == {"COMPUTE_NODE", "HW_ARCH_I686"}
    whole = LibvirtDriver("test:///default", None, tmp_path, Policy(), open_hypervisor=way).read().tree
    assert [totals(node) for node in whole] == [{"VCPU": 16, "MEMORY_MB": 3072}]


class Refusal(Exception):
    """As libvirt's own: a text and a code."""

    def __init__(self, code: int) -> None:
        super().__init__("out of order")
        self.code = code

    def get_error_code(self) -> int:
        return self.code


class Refusing:
    """A connection of which every question is refused."""

    def __init__(self, code: int) -> None:
        self.code = code

    def __getattr__(self, question: str) -> Any:
        def refuse(*_: object) -> None:
            raise Refusal(self.code)

        return refuse


@pytest.fixture
def library() -> ModuleType:
    """The names of libvirt-python that a refusal needs."""
    module = ModuleType("libvirt")
    names = ("VIR_ERR_NO_SUPPORT", "VIR_ERR_CONFIG_UNSUPPORTED", "VIR_CONNECT_BASELINE_CPU_EXPAND_FEATURES")
    values: dict[str, object] = {name: number for number, name in enumerate(names, start=1)}
    module.__dict__.update(values, libvirtError=Refusal, VIR_CONNECT_LIST_NODE_DEVICES_CAP_PCI_DEV=2)
    return module


@pytest.mark.parametrize("question", ["host_name", "memory_mb", "cpu_count", "capabilities", "pci_devices"])
def test_a_refused_question_is_told_in_a_sentence(library: ModuleType, question: str) -> None:
    with pytest.raises(DriverError, match=r"^libvirt does not answer: out of order\.$"):
        getattr(Connection(library, Refusing(38)), question)()


def test_a_model_that_cannot_be_expanded_is_not_the_same_as_one_that_cannot_be_now(library: ModuleType) -> None:
    """Otherwise traits would come and go."""
    for code in (library.VIR_ERR_NO_SUPPORT, library.VIR_ERR_CONFIG_UNSUPPORTED):
        assert Connection(library, Refusing(code)).expanded_cpu("<cpu/>") is None
    with pytest.raises(DriverError, match="libvirt does not say what the processor can do: out of order"):
        Connection(library, Refusing(38)).expanded_cpu("<cpu/>")


def test_a_connection_that_breaks_before_it_is_closed(library: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    vars(library).update(registerErrorHandler=lambda *_: None, openReadOnly=lambda _: Refusing(38))
    monkeypatch.setitem(sys.modules, "libvirt", library)
    with open_connection("test:///default") as hypervisor:
        assert isinstance(hypervisor, Connection)
