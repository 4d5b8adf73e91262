"""Patterns that select PCI devices."""

from __future__ import annotations

import pytest

from moorage.hosts.drivers.machine.facts import PciDevice
from moorage.hosts.drivers.machine.pci_pattern import offered_as, parse_pci_pattern

A100 = PciDevice("0000:17:00.0", "10de", "20b0", "030200")
NIC = PciDevice("0000:3b:00.0", "8086", "1572", "020000")


def offered(device: PciDevice, *patterns: str) -> str | None:
    return offered_as(device, [parse_pci_pattern(pattern) for pattern in patterns])


@pytest.mark.parametrize(
    "pattern",
    [
        "10de:20b0",
        "10DE:20B0",
        "10de:*",
        "10de:",
        ":20b0",
        "*:20b0",
        "10de:20b0:",
        "10de:20b0:*",
        "::03",
        "*:*:0302",
        "::030200",
    ],
)
def test_what_selects_a_device(pattern: str) -> None:
    assert offered(A100, pattern) == "CUSTOM_PCI_10DE_20B0"
    assert offered(NIC, pattern) is None


@pytest.mark.parametrize("pattern", ["10de:1eb8", "8086:20b0", "10de:20b0:02", "::0300", "10de::030201"])
def test_what_does_not_select_it(pattern: str) -> None:
    assert offered(A100, pattern) is None


def test_a_resource_class_may_be_named() -> None:
    assert offered(A100, "10de:*=PGPU") == "PGPU"
    assert offered(A100, " 10de:*:0302=CUSTOM_A100 ") == "CUSTOM_A100"


def test_the_first_pattern_that_fits_counts() -> None:
    assert offered(A100, "8086:*=FPGA", "10de:20b0=PGPU", "10de:*=CUSTOM_OTHER_GPU") == "PGPU"


@pytest.mark.parametrize(
    ("pattern", "complaint"),
    [
        ("10de", "is not VENDOR:PRODUCT"),
        ("10de-20b0", "is not VENDOR:PRODUCT"),
        ("nvidia:20b0", "is not VENDOR:PRODUCT"),
        ("10d:20b0", "is not VENDOR:PRODUCT"),
        ("10de:20b0:3", "is not VENDOR:PRODUCT"),
        ("10de:20b0:03:00", "is not VENDOR:PRODUCT"),
        ("", "is not VENDOR:PRODUCT"),
        (":", "every device"),
        ("*:*", "every device"),
        ("::*=PGPU", "every device"),
        ("10de:20b0=", "'' is neither a standard resource class"),
        ("10de:20b0=GPU", "'GPU' is neither"),
        ("10de:20b0=custom_gpu", "'custom_gpu' is neither"),
        ("10de:20b0=CUSTOM_", "'CUSTOM_' is neither"),
    ],
)
def test_what_is_no_pattern(pattern: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        parse_pci_pattern(pattern)
