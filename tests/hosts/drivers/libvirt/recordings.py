"""What libvirt said of hosts, as documents to examine in place of a connection; long lists are cut short."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from moorage.hosts.drivers.driver import DriverError
from moorage.hosts.drivers.libvirt.hypervisor import Hypervisor, Open


@dataclass(frozen=True, slots=True)
class Recording:
    """A Hypervisor that says what it is told to."""

    document: str
    # The processor with the features of its model; None as from hypervisors that do not know models.
    expanded: str | None = None
    devices: Sequence[str] = ()
    memory: int = 98304
    cpus: int = 16

    def host_name(self) -> str:
        return "hypervisor.example.org"

    def memory_mb(self) -> int:
        return self.memory

    def cpu_count(self) -> int:
        return self.cpus

    def capabilities(self) -> str:
        return self.document

    def expanded_cpu(self, cpu: str) -> str | None:
        # What is handed over is the description from the capabilities, as libvirt wants it.
        if not cpu.startswith("<cpu>"):
            raise DriverError("Only a description of a CPU can be expanded.")
        return self.expanded

    def pci_devices(self) -> Sequence[str]:
        return self.devices


def opens(hypervisor: Hypervisor) -> Open:
    """Opens this one, whatever the URI."""

    @contextmanager
    def opened(_uri: str) -> Iterator[Hypervisor]:
        yield hypervisor

    return opened


def capabilities(cpu: str, cells: str) -> str:
    return f"""
<capabilities>
  <host>
    <uuid>f19cd55a-9522-4db5-8fb5-fb8187a913bd</uuid>
    <cpu>{cpu}</cpu>
    <power_management/>
    <topology><cells num='2'>{cells}</cells></topology>
  </host>
  <guest><os_type>hvm</os_type><arch name='i686'><wordsize>32</wordsize></arch></guest>
</capabilities>
"""


def cell(number: int, memory_kb: int, cpus: str) -> str:
    return f"<cell id='{number}'><memory unit='KiB'>{memory_kb}</memory><cpus num='8'>{cpus}</cpus></cell>"


def cpu(number: int, siblings: str) -> str:
    return f"<cpu id='{number}' socket_id='0' die_id='0' core_id='{number}' siblings='{siblings}'/>"


# The connection test:///default, libvirt 9.0: two cells of eight processors, and a processor without a model.
TEST_DEFAULT = Recording(
    capabilities(
        "<arch>i686</arch><features><pae/><nonpae/></features><pages unit='KiB' size='4'/>",
        cell(0, 2097152, "".join(cpu(number, str(number)) for number in range(8)))
        + cell(1, 4194304, "".join(cpu(number, str(number)) for number in range(8, 16))),
    ),
    memory=3072,
)

# QEMU on a machine with one processor of AMD, libvirt 9.0: most is in the features, the rest in the model.
AMD_FEATURES = (
    "vme pclmuldq ssse3 fma pcid sse4.1 sse4.2 aes avx f16c bmi1 avx2 bmi2 sha-ni vaes vpclmulqdq pdpe1gb abm sse4a"
    " 3dnowprefetch topoext invtsc"
)
MODEL_FEATURES = "mmx fxsr sse sse2 pni lm nx cx16"


def features(names: str, policy: str = "") -> str:
    return "".join(f"<feature {policy} name='{name}'/>" for name in names.split())


AMD = Recording(
    capabilities(
        "<arch>x86_64</arch><model>kvm64</model><vendor>AMD</vendor><microcode version='16777317'/>"
        f"<topology sockets='1' dies='1' cores='2' threads='1'/>{features(AMD_FEATURES)}",
        cell(0, 8348228, cpu(0, "0") + cpu(1, "1")),
    ),
    expanded="<cpu mode='custom' match='exact'><model fallback='forbid'>kvm64</model><vendor>AMD</vendor>"
    + features(f"{MODEL_FEATURES} {AMD_FEATURES}", "policy='require'")
    + "<feature policy='disable' name='svm'/></cpu>",
    memory=8152,
    cpus=2,
)

# Two sockets with two threads for each core; the processors 3 and 7 are offline.
THREADS = Recording(
    capabilities(
        "<arch>x86_64</arch><model>Icelake-Server</model><vendor>Intel</vendor>",
        cell(0, 49 * 1048576, cpu(0, "0,4") + cpu(1, "1,5") + cpu(4, "0,4") + cpu(5, "1,5"))
        + cell(1, 47 * 1048576, cpu(2, "2,6") + "<cpu id='3'/>" + cpu(6, "2,6") + "<cpu id='7'/>"),
    ),
    expanded=f"<cpu>{features('avx512f gfni vmx')}</cpu>",
    memory=96 * 1024,
    cpus=6,
)


def pci_device(address: str, vendor: str, product: str, more: str) -> str:
    """A node device; libvirt writes its own address in decimal numbers, and those of others in hexadecimal ones."""
    domain, bus, rest = address.split(":")
    slot, function = rest.split(".")
    return f"""
<device>
  <name>pci_{domain}_{bus}_{slot}_{function}</name>
  <path>/sys/devices/pci0000:00/{address}</path>
  <parent>computer</parent>
  <driver><name>vfio-pci</name></driver>
  <capability type='pci'>
    {more}
    <domain>{int(domain, 16)}</domain>
    <bus>{int(bus, 16)}</bus>
    <slot>{int(slot, 16)}</slot>
    <function>{int(function, 16)}</function>
    <product id='0x{product}'>A product</product>
    <vendor id='0x{vendor}'>A vendor</vendor>
  </capability>
</device>
"""


PHYSICAL_FUNCTION = (
    "<class>0x020000</class><capability type='virt_functions' maxCount='8'>"
    "<address domain='0x0000' bus='0x3b' slot='0x02' function='0x0'/></capability>"
    "<iommuGroup number='12'><address domain='0x0000' bus='0x3b' slot='0x00' function='0x0'/></iommuGroup>"
    "<numa node='1'/>"
)
VIRTUAL_FUNCTION = (
    "<class>0x020000</class><capability type='phys_function'>"
    "<address domain='0x0000' bus='0x3b' slot='0x00' function='0x0'/></capability><numa node='1'/>"
)

DEVICES = (
    pci_device("0000:17:00.0", "10de", "20b0", "<class>0x030200</class><numa node='0'/>"),
    pci_device("0000:3b:00.0", "8086", "1572", PHYSICAL_FUNCTION),
    pci_device("0000:3b:02.0", "8086", "154c", VIRTUAL_FUNCTION),
    pci_device("0000:3b:02.1", "8086", "154c", VIRTUAL_FUNCTION),
    # As older versions describe them, without a class.
    pci_device("0000:af:1f.7", "10de", "1eb8", ""),
)
