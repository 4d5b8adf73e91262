"""Servers as answers show them to administrators and to their owners."""

from __future__ import annotations

from moorage.compute.api.descriptions.common import LINKS, TIME
from moorage.compute.api.server_views import VM_STATES
from moorage.web.schema import Definition
from moorage.web.shapes import (
    COUNT,
    EMPTY_LIST,
    EMPTY_RECORD,
    EMPTY_TEXT,
    NULL,
    TEXT,
    TEXT_OR_NULL,
    TEXTS,
    TEXTS_BY_NAME,
    UUID,
    listed,
    or_null,
    record,
)

_USAGE_TIME: Definition = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000000$"}

_BRIEF: dict[str, Definition] = {"id": UUID, "name": TEXT, "links": LINKS}
_FLAVOR = record(
    {
        "original_name": TEXT,
        "vcpus": COUNT,
        "ram": COUNT,
        "disk": COUNT,
        "ephemeral": COUNT,
        "swap": COUNT,
    },
    {"extra_specs": TEXTS_BY_NAME},
)
# A server that boots from elsewhere has an empty text.
_IMAGE: Definition = {"anyOf": [EMPTY_TEXT, record({"id": UUID, "links": LINKS})]}
_FAULT = record({"code": COUNT, "created": TIME, "message": TEXT}, {"details": TEXT})

# What only those see who may know of hosts.
_OF_HOSTS: dict[str, Definition] = {
    "OS-EXT-SRV-ATTR:host": TEXT_OR_NULL,
    "OS-EXT-SRV-ATTR:hypervisor_hostname": TEXT_OR_NULL,
    "OS-EXT-SRV-ATTR:instance_name": TEXT,
    "OS-EXT-SRV-ATTR:launch_index": {"const": 0},
    "OS-EXT-SRV-ATTR:reservation_id": EMPTY_TEXT,
    "OS-EXT-SRV-ATTR:kernel_id": EMPTY_TEXT,
    "OS-EXT-SRV-ATTR:ramdisk_id": EMPTY_TEXT,
    "OS-EXT-SRV-ATTR:root_device_name": NULL,
    "OS-EXT-SRV-ATTR:user_data": NULL,
    "host_status": {"enum": ["UP", ""]},
}
_IN_LISTS: dict[str, Definition] = {
    **_BRIEF,
    "status": {"enum": list(VM_STATES)},
    "tenant_id": TEXT,
    "user_id": TEXT,
    "metadata": TEXTS_BY_NAME,
    "hostId": TEXT,
    "image": _IMAGE,
    "flavor": _FLAVOR,
    "created": TIME,
    "updated": TIME,
    "addresses": EMPTY_RECORD,
    "accessIPv4": EMPTY_TEXT,
    "accessIPv6": EMPTY_TEXT,
    "OS-DCF:diskConfig": {"const": "MANUAL"},
    "OS-EXT-AZ:availability_zone": TEXT,
    "config_drive": EMPTY_TEXT,
    "key_name": NULL,
    "OS-SRV-USG:launched_at": or_null(_USAGE_TIME),
    "OS-SRV-USG:terminated_at": or_null(_USAGE_TIME),
    "OS-EXT-STS:task_state": TEXT_OR_NULL,
    "OS-EXT-STS:vm_state": {"enum": sorted(set(VM_STATES.values()))},
    "OS-EXT-STS:power_state": {"const": 0},
    "os-extended-volumes:volumes_attached": EMPTY_LIST,
    "locked": {"const": False},
    "description": TEXT_OR_NULL,
    "tags": TEXTS,
    "trusted_image_certificates": NULL,
    "locked_reason": NULL,
    "OS-EXT-SRV-ATTR:hostname": TEXT,
    "pinned_availability_zone": TEXT_OR_NULL,
}
# A status without progress, or without a fault, does not have the first two.
_NOT_ALWAYS: dict[str, Definition] = {"progress": {"const": 0}, "fault": _FAULT, **_OF_HOSTS}

SCHEMAS: dict[str, Definition] = {
    "ServerInBrief": record(_BRIEF),
    "ServerInList": record(_IN_LISTS, _NOT_ALWAYS),
    "Server": record({**_IN_LISTS, "server_groups": listed(UUID)}, _NOT_ALWAYS),
    "NewServer": record(
        {
            "id": UUID,
            "links": LINKS,
            "OS-DCF:diskConfig": {"const": "MANUAL"},
            "security_groups": EMPTY_LIST,
            "adminPass": TEXT,
        }
    ),
}
