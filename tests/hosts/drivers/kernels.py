"""What kernels show of machines, as small trees of /proc and /sys to examine in place of the real ones."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from moorage.hosts.drivers.machine.cpu_list import parse_cpu_list

GB = 1024**3

INTEL_FLAGS = (
    "fpu vme de pse tsc msr pae mce cx8 apic sep mtrr pge mca cmov pat pse36 clflush mmx fxsr sse sse2 ss ht nx pdpe1gb"
    " rdtscp lm pni pclmulqdq vmx ssse3 fma cx16 pcid sse4_1 sse4_2 x2apic popcnt aes xsave avx f16c rdrand abm ssbd"
    " ibrs ibpb stibp bmi1 hle avx2 bmi2 rtm mpx avx512f avx512dq avx512ifma avx512cd avx512bw avx512vl avx512vbmi"
    " sha_ni avx512_vbmi2 gfni vaes vpclmulqdq avx512_vnni avx512_bitalg avx512_vpopcntdq md_clear amx_bf16 amx_tile"
    " amx_int8"
)
AMD_FLAGS = (
    "fpu mmx fxsr sse sse2 ht nx mmxext pdpe1gb lm svm abm sse4a ibs xop fma4 tbm pcid ssbd ibpb bmi1 avx2 bmi2 sha_ni"
    " vaes vpclmulqdq sev sev_es sev_snp virt_ssbd amd_ssb_no"
)
ARM_FEATURES = "fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics fphp asimdhp cpuid asimdrdm lrcpc dcpop asimddp i8mm"


@dataclass(frozen=True, slots=True)
class Status:
    """The answer of statvfs."""

    f_frsize: int
    f_blocks: int


def status_of(path: Path) -> Status:
    """A file system of 500 GiB, and a bit that is no whole one."""
    if not path.exists():
        raise FileNotFoundError(2, "No such file or directory")
    return Status(4096, 500 * GB // 4096 + 17)


def write(file: Path, content: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content + "\n")


def add_processors(root: Path, online: str, block: str, cores: tuple[str, ...] = ()) -> None:
    """Processors that are online, what /proc/cpuinfo says of each, and which share a core."""
    cpus = root / "sys/devices/system/cpu"
    numbers = sorted(parse_cpu_list(online))
    write(cpus / "online", online)
    for core in cores:
        for cpu in parse_cpu_list(core):
            write(cpus / f"cpu{cpu}/topology/thread_siblings_list", core)
    write(root / "proc/cpuinfo", "\n\n".join(f"processor\t: {number}\n{block}" for number in numbers))


def add_memory(root: Path, megabytes: int) -> None:
    # 511 kB more, which do not make a MiB.
    write(root / "proc/meminfo", f"MemTotal:       {megabytes * 1024 + 511} kB\nMemFree:         100 kB")


def add_numa_node(root: Path, number: int, cpus: str, megabytes: int) -> None:
    node = root / f"sys/devices/system/node/node{number}"
    write(node / "cpulist", cpus)
    write(node / "meminfo", f"Node {number} MemTotal:       {megabytes * 1024} kB\nNode {number} MemFree: 0 kB")


def add_pci_device(
    root: Path, address: str, identifiers: str, class_code: str, numa_node: int = -1, physical: str | None = None
) -> Path:
    """A device; the identifiers are VENDOR:PRODUCT, `physical` is the function that it is a virtual one of."""
    device = root / "sys/bus/pci/devices" / address
    vendor, product = identifiers.split(":")
    write(device / "vendor", f"0x{vendor}")
    write(device / "device", f"0x{product}")
    write(device / "class", f"0x{class_code}")
    write(device / "numa_node", str(numa_node))
    if physical:
        (device / "physfn").symlink_to(f"../{physical}")
    return device


def intel(root: Path) -> Path:
    """Two sockets of four cores with two threads each; 96 GiB of memory, a bit more in the first."""
    add_processors(
        root,
        "0-15",
        f"vendor_id\t: GenuineIntel\nmodel name\t: Intel(R) Xeon(R)\nflags\t\t: {INTEL_FLAGS}",
        tuple(f"{core},{core + 8}" for core in range(8)),
    )
    add_memory(root, 98304)
    add_numa_node(root, 0, "0-3,8-11", 49408)
    add_numa_node(root, 1, "4-7,12-15", 48896)
    return root


def amd(root: Path) -> Path:
    """One socket of eight cores with a thread each; 32 GiB."""
    add_processors(root, "0-7", f"vendor_id\t: AuthenticAMD\nflags\t\t: {AMD_FLAGS}", tuple(map(str, range(8))))
    add_memory(root, 32768)
    add_numa_node(root, 0, "0-7", 32768)
    return root


def arm(root: Path) -> Path:
    """Four cores; 8 GiB."""
    block = f"BogoMIPS\t: 50.00\nFeatures\t: {ARM_FEATURES}\nCPU implementer\t: 0x41\nCPU architecture: 8"
    add_processors(root, "0-3", block, tuple(map(str, range(4))))
    add_memory(root, 8192)
    add_numa_node(root, 0, "0-3", 8192)
    return root


def add_devices(root: Path) -> Path:
    """A bridge, two GPUs of different NUMA nodes, and two ports of a network card, one with three virtual functions."""
    add_pci_device(root, "0000:00:00.0", "8086:2020", "060000", 0)
    add_pci_device(root, "0000:17:00.0", "10de:20b0", "030200", 0)
    add_pci_device(root, "0000:65:00.0", "10de:1eb8", "030200", 1)
    add_pci_device(root, "0000:3b:00.0", "8086:1572", "020000", 1)
    add_pci_device(root, "0000:3b:00.1", "8086:1572", "020000", 1)
    for function in range(2, 5):
        add_pci_device(root, f"0000:3b:00.{function}", "8086:154c", "020000", 1, "0000:3b:00.0")
    return root
