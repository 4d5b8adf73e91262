"""The settings of hosts: which driver examines the host, and what of the machine it shall offer.

This module only declares, like `moorage.service.options`, which lists these groups with all others. Of `[agent]` only
the choice of the driver is here, how the agent works is declared beside the agent; `[compute]` says what a machine
offers and has the names that Nova's settings have; `[libvirt]` and `[static]` belong to the drivers of those names.
"""

from oslo_config import cfg

DRIVERS = (
    ("linux", "the machine itself, as its kernel shows it in /proc and /sys"),
    ("libvirt", "the machine as a libvirt connection shows it; needs the extra moorage[libvirt]"),
    ("static", "whatever a YAML file says: any number of nodes, real or not"),
)

DRIVER_OPTIONS = (
    cfg.StrOpt(
        "driver",
        default="linux",
        choices=DRIVERS,
        help="""
Who finds out what this host natively has.

linux examines the machine that the agent runs on, and is right for most hosts. Choose libvirt where libvirt shall be
asked instead, so that the figures are those that Nova sees. Choose static for appliances that cannot be examined, for
hosts that manage many nodes, and for simulations; it reads the file named by [static] file.
""",
    ),
    cfg.StrOpt(
        "host",
        sample_default="the kernel's host name",
        help="""
The name of this host: its providers are kept in this name, and the node that the drivers linux and libvirt report is
called so.

The default is what `hostname` prints; it needs no resolver, so it does not change when one is away. The driver libvirt
takes libvirt's own name for the node instead, because that is what Nova calls it. Set it when the node is known to
Placement under another name, such as the one in `openstack hypervisor list`. After a change the node keeps its UUID,
which is in the file compute_id in [DEFAULT] state_path since the first start, and gets the new name.
""",
    ),
)

COMPUTE_OPTIONS = (
    cfg.StrOpt(
        "cpu_dedicated_set",
        help="""
The processors that are given to one server each, offered as PCPU: numbers and ranges separated by commas, "4-31,36",
and numbers to leave out again, "4-31,^8".

Without it all processors are shared. Each of them must be there and online, or the host is not examined at all.
""",
    ),
    cfg.StrOpt(
        "cpu_shared_set",
        help="""
The processors that servers share, offered as VCPU, in the notation of cpu_dedicated_set.

Without it these are all online processors that are not dedicated. Name them to leave the remaining ones to the host
itself; an empty value offers no VCPU at all, which is what Nova does when only cpu_dedicated_set is given.
""",
    ),
    cfg.IntOpt(
        "reserved_host_cpus",
        default=0,
        min=0,
        help="""
How many of the shared processors are kept for the host's own processes. They are part of the VCPU inventory, as its
reserved amount.

The default is Nova's. Raise it when the host does work of its own, or leave processors out of cpu_shared_set, which
also says which ones. With numa_nodes it is spread over the NUMA nodes in proportion to their shared processors.
""",
    ),
    cfg.IntOpt(
        "reserved_host_memory_mb",
        default=512,
        min=0,
        help="""
How much memory, in MiB, is kept for the host's own processes: the reserved amount of MEMORY_MB.

The default is Nova's and suits a small host; the agents of storage and network easily need some gigabytes. With
numa_nodes it is spread over the NUMA nodes in proportion to their memory.
""",
    ),
    cfg.IntOpt(
        "reserved_host_disk_mb",
        default=0,
        min=0,
        help="""
How much of the disk, in MiB, is kept for the host itself: the reserved amount of DISK_GB, rounded up to whole GiB.

The default is Nova's. Raise it when the file system of instances_path also holds logs, images or the system.
""",
    ),
    cfg.FloatOpt(
        "cpu_allocation_ratio",
        default=4.0,
        min=0.01,
        help="""
How many virtual processors are offered for each shared one. PCPU is never offered more than once.

The default is what a new host gets from Nova (initial_cpu_allocation_ratio). Lower it where servers compute all day.
The agent writes this value; a ratio that somebody else set through the API is put back.
""",
    ),
    cfg.FloatOpt(
        "ram_allocation_ratio",
        default=1.0,
        min=0.01,
        help="""
How many times the memory is offered.

The default is what a new host gets from Nova (initial_ram_allocation_ratio). More than 1 needs swap space or servers
that do not touch all they ask for; otherwise the kernel ends some of them.
""",
    ),
    cfg.FloatOpt(
        "disk_allocation_ratio",
        default=1.0,
        min=0.01,
        help="""
How many times the disk is offered.

The default is what a new host gets from Nova (initial_disk_allocation_ratio). More than 1 suits images that grow as
they are written to; then somebody has to watch the space that is really left.
""",
    ),
    cfg.StrOpt(
        "instances_path",
        default="/",
        help="""
A directory on the file system that holds the disks of servers; the size of that file system is offered as DISK_GB.

The default is right where there is only one file system. Set it to the directory that the hypervisor uses, such as
/var/lib/nova/instances; an empty value offers no DISK_GB, for hosts whose disks are elsewhere. A directory that is not
there is an error, so that a file system that is not mounted is not mistaken for a small one.
""",
    ),
    cfg.BoolOpt(
        "numa_nodes",
        default=False,
        help="""
Whether every NUMA node is a provider of its own below the host, with the trait HW_NUMA_ROOT, and has the processors and
the memory; the host itself then has only the disk.

Leave it off when Nova is the scheduler: it looks for VCPU, PCPU and MEMORY_MB at the host. Turn it on when those who
ask Placement want processors and memory, and devices, of one NUMA node. A host that has servers is not changed over,
neither way: its processors and memory stay where they are, and are offered there as before, until nobody holds any of
them. So empty the host first, or disable it and wait.

Where the nodes together have more or less memory than the machine, as in some containers, the lesser amount is offered;
a difference of more than a hundredth is told.
""",
    ),
    cfg.ListOpt(
        "pci_devices",
        help="""
Which PCI devices are offered, and as what: VENDOR:PRODUCT[:CLASS][=RESOURCE_CLASS], in the notation of `lspci -d`. All
three are hexadecimal numbers as `lspci -nn` shows them, and "*" or nothing stands for any; a class may be cut short, so
that 03 is every display controller. Without a resource class it is CUSTOM_PCI_VENDOR_PRODUCT, as Nova names it. A
device that several patterns fit goes by the first of them. An example: 10de:20b0=PGPU,10de::03,8086:154c=SRIOV_NET_VF.

By default none is offered. Each device is a provider of its own, named HOST_ADDRESS, below the host or below its NUMA
node when numa_nodes is on. Virtual functions are counted at the provider of their physical function; if any of them is
selected, the physical function itself is not offered, because whoever gets it takes them along.
""",
    ),
)

LIBVIRT_OPTIONS = (
    cfg.StrOpt(
        "connection_uri",
        default="qemu:///system",
        help="""
The libvirt connection that the driver libvirt examines, read-only.

The default is the system's QEMU, whose socket for reading is open to everybody on most distributions. Change it for
another hypervisor, such as lxc:///system.
""",
    ),
)

STATIC_OPTIONS = (
    cfg.StrOpt(
        "file",
        default="/etc/moorage/static.yaml",
        help="""
The YAML file that describes the nodes of the driver static, and what is below them. It is read again whenever it
changes; a file with mistakes is refused as a whole, and the message names each of them with line and value.
""",
    ),
)
