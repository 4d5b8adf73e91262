"""Processors as the kernel shows them."""

from __future__ import annotations

from pathlib import Path

import os_traits

from moorage.hosts.drivers.machine.policy import Policy
from tests.hosts.drivers import kernels
from tests.hosts.drivers.trees import Examine, named, totals

HYPERTHREADING = os_traits.HW_CPU_HYPERTHREADING


def test_intel_with_two_threads_for_each_core(root: Path, examine: Examine) -> None:
    kernels.intel(root)
    node = named(examine(), "host")
    assert totals(node) == {"VCPU": 16, "MEMORY_MB": 98304}
    assert {"COMPUTE_NODE", HYPERTHREADING, "HW_CPU_X86_AVX512F", "HW_CPU_X86_INTEL_VMX"} <= node.traits


def test_amd_without_threads(root: Path, examine: Examine) -> None:
    kernels.amd(root)
    node = named(examine(), "host")
    assert totals(node) == {"VCPU": 8, "MEMORY_MB": 32768}
    assert {"COMPUTE_NODE", "HW_ARCH_X86_64", "HW_CPU_X86_AMD_SEV"} <= node.traits
    assert HYPERTHREADING not in node.traits


def test_arm(root: Path, examine: Examine) -> None:
    kernels.arm(root)
    node = named(examine(architecture="aarch64"), "host")
    assert totals(node) == {"VCPU": 4, "MEMORY_MB": 8192}
    assert {"HW_ARCH_AARCH64", "HW_CPU_AARCH64_ATOMICS"} <= node.traits


def test_power(root: Path, examine: Examine) -> None:
    kernels.add_processors(root, "0,8", "cpu\t\t: POWER9 (architected), altivec supported\nclock\t\t: 2200.0MHz")
    kernels.add_memory(root, 1024)
    node = named(examine(architecture="ppc64le"), "host")
    assert totals(node)["VCPU"] == 2
    assert node.traits == {"COMPUTE_NODE", "HW_ARCH_PPC64LE", "HW_CPU_PPC64LE_POWER9"}


def test_processors_that_are_offline_do_not_count(root: Path, examine: Examine) -> None:
    """Nor does a core have two threads when one of them is offline."""
    kernels.intel(root)
    kernels.write(root / "sys/devices/system/cpu/online", "0-6,8")
    assert totals(named(examine(), "host"))["VCPU"] == 8
    assert HYPERTHREADING in named(examine(), "host").traits
    kernels.write(root / "sys/devices/system/cpu/online", "0-7")
    assert HYPERTHREADING not in named(examine(), "host").traits
    numa = examine(Policy(numa=True))
    assert [totals(child)["VCPU"] for child in numa.children(named(numa, "host").uuid)] == [4, 4]


def test_a_trait_is_what_all_processors_have(root: Path, examine: Examine) -> None:
    """As with efficient cores beside fast ones: a server may land on either."""
    kernels.arm(root)
    little = "processor\t: 4\nFeatures\t: fp asimd sha1"
    cpuinfo = root / "proc/cpuinfo"
    kernels.write(cpuinfo, f"{cpuinfo.read_text()}\n{little}")
    cpu_traits = {trait for trait in named(examine(architecture="aarch64"), "host").traits if "CPU" in trait}
    assert cpu_traits == {"HW_CPU_AARCH64_FP", "HW_CPU_AARCH64_ASIMD", "HW_CPU_AARCH64_SHA1"}


def test_without_sys_the_processors_are_counted_in_proc(root: Path, examine: Examine) -> None:
    """As in some containers."""
    kernels.amd(root)
    (root / "sys/devices/system/cpu/online").unlink()
    assert totals(named(examine(), "host"))["VCPU"] == 8


def test_without_cpuinfo_only_the_architecture_is_known(root: Path, examine: Examine) -> None:
    kernels.amd(root)
    (root / "proc/cpuinfo").unlink()
    node = named(examine(), "host")
    assert totals(node)["VCPU"] == 8
    assert node.traits == {"COMPUTE_NODE", "HW_ARCH_X86_64"}
