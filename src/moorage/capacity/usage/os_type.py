"""Which operating system a server is likely to run, for the billing of licences, told from its image or boot volume."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

IMAGE_UNKNOWN = "image-unknown"
"""The server names no image that could be looked for."""
IMAGE_DELETED = "image-deleted"
IMAGE_INSPECT_ERROR = "image-inspect-error"
ROOT_DISK_MISSING = "rootdisk-missing"
"""The boot volume has no id."""
ROOT_DISK_INSPECT_ERROR = "rootdisk-inspect-error"
"""There is no boot volume to be found, or it cannot be looked at."""
UNKNOWN = "unknown"

_BOOT_DEVICES = ("/dev/sda", "/dev/vda")
_TAG = "ostype:"

# The guest ids of VMware, as Nova's driver knows them; where a family has versions, also those still to come.
_FAMILIES = (
    r"amazonlinux\d+_64",
    r"asianux\d+(_64)?",
    r"centos(\d+_)?64|centos\d*",
    r"darwin(\d+_)?64|darwin\d*",
    r"debian\d+(_64)?",
    r"freebsd(\d+_)?64|freebsd\d*",
    r"netware\d+",
    r"openServer\d+",
    r"oracleLinux(\d+_)?64|oracleLinux\d*",
    r"other\d+xLinux(64)?",
    r"rhel\d+(_64)?",
    r"sles(\d+_)?64|sles\d*",
    r"solaris\d+(_64)?",
    r"vmkernel\d*",
    r"win\d+(AdvServ|Pro|Serv)?",
    r"windows\d+(_64|srv_64|srvNext_64|Server64)?",
)
_SINGLE = """
    almalinux_64 coreos64 dos eComStation eComStation2 fedora fedora64 genericLinux mandrake mandriva mandriva64
    nld9 oes opensuse opensuse64 os2 other otherLinux otherLinux64 redhat rockylinux_64 sjds suse suse64 turboLinux
    turboLinux64 ubuntu ubuntu64 unixWare7 vmwarePhoton64 winLonghorn winLonghorn64 winMe winNT winNetBusiness
    winNetDatacenter winNetDatacenter64 winNetEnterprise winNetEnterprise64 winNetStandard winNetStandard64
    winNetWeb winVista winVista64 winXPHome winXPPro winXPPro64 windowsHyperV
"""
_VALID = re.compile(f"(?:{'|'.join([*_FAMILIES, *_SINGLE.split()])})Guest|otherGuest64", re.ASCII)


@dataclass(frozen=True, slots=True)
class Attachment:
    """A volume that a server has, and as which device."""

    device: str
    volume_id: str


def is_valid_guest(value: object) -> bool:
    """Whether this is what VMware calls some operating system."""
    return isinstance(value, str) and _VALID.fullmatch(value) is not None


def of_image(image: Mapping[str, Any]) -> str:
    """The operating system that an image says it holds."""
    properties = image.get("properties")
    said = (image.get("vmware_ostype"), properties.get("os_distro") if isinstance(properties, Mapping) else None)
    for value in said:
        if is_valid_guest(value):
            return str(value)
    tags = image.get("tags") or ()
    tagged = [tag.removeprefix(_TAG) for tag in tags if isinstance(tag, str) and tag.startswith(_TAG)]
    # Several tags contradict each other, and an empty one says nothing.
    return tagged[0] if len(tagged) == 1 and tagged[0] else UNKNOWN


def boot_volume(attachments: Sequence[Attachment]) -> Attachment | None:
    """The volume that a server boots from: the first that is the first disk."""
    return next((attachment for attachment in attachments if attachment.device in _BOOT_DEVICES), None)


def of_volume(image_metadata: Mapping[str, Any]) -> str:
    """The operating system of a volume, by what it has kept of the image that it was made from."""
    value = image_metadata.get("vmware_ostype")
    return str(value) if is_valid_guest(value) else UNKNOWN
