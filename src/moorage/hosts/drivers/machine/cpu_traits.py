"""The traits of a processor: the flags that kernel or libvirt know, in the names of os-traits.

A flag is a trait if os-traits has one of the same name, punctuation aside: avx512_vnni (kernel), avx512vnni (libvirt)
and HW_CPU_X86_AVX512VNNI are one. Only where the names differ there is a table. A flag that is no trait is ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

import os_traits

HYPERTHREADING: str = os_traits.HW_CPU_HYPERTHREADING

_FAMILIES = {"x86_64": "X86", "i686": "X86", "aarch64": "AARCH64", "ppc64le": "PPC64LE"}
"""Which of the families in os-traits an architecture belongs to."""

_ARCHITECTURES = {
    "i386": "i686",
    "i486": "i686",
    "i586": "i686",
    "amd64": "x86_64",
    "arm64": "aarch64",
    "armv6l": "armv6",
    "armv7l": "armv7",
    "armv7b": "armv7b",
}
"""Where `uname -m` and os-traits name an architecture differently."""

_VENDORS = {
    "GenuineIntel": "INTEL",
    "Intel": "INTEL",
    "AuthenticAMD": "AMD",
    "AMD": "AMD",
    # Built after AMD's design, and with its flags.
    "HygonGenuine": "AMD",
    "Hygon": "AMD",
}

_X86 = {
    "aes": "HW_CPU_X86_AESNI",
    "bmi1": "HW_CPU_X86_BMI",
    "fma": "HW_CPU_X86_FMA3",
    "pclmuldq": "HW_CPU_X86_CLMUL",
    "pclmulqdq": "HW_CPU_X86_CLMUL",
    "pni": "HW_CPU_X86_SSE3",
    "rtm": "HW_CPU_X86_TSX",
    "shani": "HW_CPU_X86_SHA",
}

_X86_WITH_AVX512 = {
    "gfni": "HW_CPU_X86_AVX512GFNI",
    "vaes": "HW_CPU_X86_AVX512VAES",
    "vpclmulqdq": "HW_CPU_X86_AVX512VPCLMULQDQ",
}
"""Processors without AVX-512 have these flags as well, but not the instructions that the traits promise."""

_X86_BY_VENDOR = {
    "AMD": {
        "amdnossb": "HW_CPU_X86_AMD_NO_SSB",
        "amdssbd": "HW_CPU_X86_AMD_SSBD",
        "amdssbno": "HW_CPU_X86_AMD_NO_SSB",
        # The name that HW_CPU_X86_AMD_SEV had at first; flavors may still ask for it.
        "sev": "HW_CPU_AMD_SEV",
        "ssbno": "HW_CPU_X86_AMD_NO_SSB",
    },
    "INTEL": {
        # What the kernel shows of SPEC_CTRL.
        "ibrs": "HW_CPU_X86_INTEL_SPEC_CTRL",
        "tdxhostplatform": "HW_CPU_X86_INTEL_TDX",
    },
}


def processor_traits(architecture: str, vendor: str, flags: Iterable[str]) -> frozenset[str]:
    """The traits of a processor with these flags; the architecture is spelled as by `uname -m`."""
    architecture = _ARCHITECTURES.get(architecture, architecture)
    keys = {_key(flag) for flag in flags}
    traits = {f"HW_ARCH_{architecture.upper()}"}
    family = _FAMILIES.get(architecture)
    if family:
        traits |= _named(f"HW_CPU_{family}_", keys)
    if family == "X86":
        maker = _VENDORS.get(vendor, "")
        traits |= _listed(_X86, keys) | _listed(_X86_BY_VENDOR.get(maker, {}), keys)
        if maker:
            traits |= _named(f"HW_CPU_X86_{maker}_", keys)
        if "avx512f" in keys:
            traits |= _listed(_X86_WITH_AVX512, keys)
    # An older os-traits may lack some of the above.
    return frozenset(traits) & _standard()


def _key(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _listed(table: Mapping[str, str], keys: set[str]) -> set[str]:
    return {table[key] for key in keys & table.keys()}


def _named(prefix: str, keys: set[str]) -> set[str]:
    """The traits that are a prefix and one of the keys."""
    by_key = {_key(trait.removeprefix(prefix)): trait for trait in _standard() if trait.startswith(prefix)}
    return _listed(by_key, keys)


@cache
def _standard() -> frozenset[str]:
    return frozenset(os_traits.get_traits())
