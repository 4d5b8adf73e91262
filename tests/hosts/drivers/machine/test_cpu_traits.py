"""Flags of processors as traits of os-traits."""

from __future__ import annotations

import os_traits
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moorage.hosts.drivers.machine import cpu_traits
from moorage.hosts.drivers.machine.cpu_traits import processor_traits
from tests.hosts.drivers.kernels import AMD_FLAGS, ARM_FEATURES, INTEL_FLAGS
from tests.properties import effort

STANDARD = frozenset(os_traits.get_traits())


def traits(architecture: str, vendor: str, flags: str) -> set[str]:
    """Without the beginnings, to see more at a glance."""
    found = processor_traits(architecture, vendor, flags.split())
    assert found <= STANDARD
    return {trait.removeprefix("HW_CPU_") for trait in found}


INTEL_TRAITS = (
    "MMX SSE SSE2 SSE3 SSSE3 SSE41 SSE42 AVX AVX2 F16C FMA3 AESNI CLMUL ABM BMI BMI2 SHA TSX MPX STIBP PDPE1GB AVX512F"
    " AVX512CD AVX512BW AVX512DQ AVX512VL AVX512IFMA AVX512VBMI AVX512VBMI2 AVX512VNNI AVX512BITALG AVX512VPOPCNTDQ"
    " AVX512VAES AVX512GFNI AVX512VPCLMULQDQ AMXBF16 AMXINT8 AMXTILE VMX INTEL_VMX INTEL_PCID INTEL_SSBD INTEL_MD_CLEAR"
    " INTEL_SPEC_CTRL"
)
AMD_TRAITS = (
    "MMX SSE SSE2 SSE4A AVX2 XOP FMA4 TBM ABM BMI BMI2 SHA PDPE1GB SVM AMD_SVM AMD_SEV AMD_SEV_ES AMD_SEV_SNP AMD_IBPB"
    " AMD_SSBD AMD_VIRT_SSBD AMD_NO_SSB"
)
ARM_TRAITS = "FP ASIMD EVTSTRM AES PMULL SHA1 SHA2 CRC32 ATOMICS FPHP ASIMDHP CPUID ASIMDRDM LRCPC DCPOP ASIMDDP"


def named(family: str, names: str) -> set[str]:
    return {f"{family}_{name}" for name in names.split()}


def test_intel() -> None:
    assert traits("x86_64", "GenuineIntel", INTEL_FLAGS) == {"HW_ARCH_X86_64"} | named("X86", INTEL_TRAITS)


def test_amd() -> None:
    """What Intel's processors are known for is not theirs, and without AVX-512 no flag stands for a part of it."""
    assert traits("x86_64", "AuthenticAMD", AMD_FLAGS) == {"HW_ARCH_X86_64", "AMD_SEV"} | named("X86", AMD_TRAITS)


def test_arm() -> None:
    assert traits("aarch64", "", ARM_FEATURES) == {"HW_ARCH_AARCH64"} | named("AARCH64", ARM_TRAITS)


def test_power() -> None:
    assert traits("ppc64le", "", "power9") == {"HW_ARCH_PPC64LE", "PPC64LE_POWER9"}


@pytest.mark.parametrize(
    ("machine", "trait"),
    [
        ("i686", "HW_ARCH_I686"),
        ("i386", "HW_ARCH_I686"),
        ("armv7l", "HW_ARCH_ARMV7"),
        ("s390x", "HW_ARCH_S390X"),
        ("mips64", "HW_ARCH_MIPS64"),
    ],
)
def test_architectures(machine: str, trait: str) -> None:
    assert traits(machine, "", "") == {trait}


def test_an_architecture_without_a_trait() -> None:
    assert traits("riscv64", "", "sse2 fp rv64imafdc") == set()


def test_flags_mean_something_on_their_own_architecture_only() -> None:
    assert traits("aarch64", "", "sse2 avx") == {"HW_ARCH_AARCH64"}
    assert traits("x86_64", "GenuineIntel", "asimd sve") == {"HW_ARCH_X86_64"}


@pytest.mark.parametrize(
    ("vendor", "libvirt", "kernel"),
    [
        (
            "Intel",
            "sse4.1 sse4.2 avx512-vpopcntdq avx512vnni amx-bf16",
            "sse4_1 sse4_2 avx512_vpopcntdq avx512_vnni amx_bf16",
        ),
        ("Intel", "pclmuldq sha-ni spec-ctrl md-clear", "pclmulqdq sha_ni ibrs md_clear"),
        ("AMD", "amd-ssbd amd-no-ssb virt-ssbd", "ssbd amd_ssb_no virt_ssbd"),
    ],
)
def test_libvirt_and_the_kernel_have_different_names_for_the_same(vendor: str, libvirt: str, kernel: str) -> None:
    found = traits("x86_64", vendor, libvirt)
    assert found == traits("x86_64", vendor, kernel)
    assert len(found) == 1 + len(libvirt.split())


def test_the_vendors_of_kernel_and_libvirt_are_the_same() -> None:
    for names in (("GenuineIntel", "Intel"), ("AuthenticAMD", "AMD", "HygonGenuine")):
        assert len({processor_traits("x86_64", name, ["svm", "vmx"]) for name in names}) == 1


def test_every_name_in_the_tables_is_a_trait() -> None:
    tables = [cpu_traits._X86, cpu_traits._X86_WITH_AVX512, *cpu_traits._X86_BY_VENDOR.values()]
    assert {trait for table in tables for trait in table.values()} <= STANDARD


def test_the_tables_are_for_names_that_differ() -> None:
    """A flag that os-traits has under its own name needs no line."""
    own = {trait.removeprefix("HW_CPU_X86_").lower() for trait in STANDARD}
    assert not own & cpu_traits._X86.keys()


@given(st.sampled_from(["x86_64", "aarch64", "ppc64le", "s390x", "", "?"]), st.text(), st.lists(st.text()))
@effort(100)
def test_whatever_a_processor_says_only_standard_traits_come_out(
    architecture: str, vendor: str, flags: list[str]
) -> None:
    assert processor_traits(architecture, vendor, flags) <= STANDARD
