"""The whole reservation API on one screen. The rules, where Blazar has them, are Blazar's.

Each path below /v1 can also be written with .json at its end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from moorage.reservations.api import (
    allocations,
    hosts,
    leases,
    looking,
    maintenance,
    ordering,
    plugins,
    projects,
    properties,
    schemas,
    versions,
)
from moorage.reservations.room import Room
from moorage.web.application import Operation, Routes

_LEASES = "blazar:leases:"
_HOSTS = "blazar:oshosts:"
_OURS = "moorage:reservation:"

if TYPE_CHECKING:
    Op = Operation[Room]
else:
    Op = Operation  # a parametrised class would note itself down on what it makes, which is frozen

# fmt: off
_RESOURCES: Routes[Room] = {
    "/v1/leases": {
        "GET": (Op(handler=leases.index, rule=f"{_LEASES}get"),),
        "POST": (Op(handler=ordering.create, rule=f"{_LEASES}post", schema=schemas.LEASE),),
    },
    "/v1/leases/{lease_id}": {
        "GET": (Op(handler=leases.show, rule=f"{_LEASES}get"),),
        "PUT": (Op(handler=ordering.update, rule=f"{_LEASES}put", schema=schemas.LEASE),),
        "DELETE": (Op(handler=leases.delete, rule=f"{_LEASES}delete"),),
    },
    "/v1/leases.ics": {"GET": (Op(handler=looking.calendar, rule=f"{_LEASES}get"),)},
    "/v1/slots": {"GET": (Op(handler=looking.slots, rule=f"{_OURS}slots"),)},
    "/v1/availability": {"GET": (Op(handler=looking.show_availability, rule=f"{_OURS}availability"),)},
    "/v1/limits": {"GET": (Op(handler=projects.show_limits, rule=f"{_OURS}limits:get"),)},
    "/v1/limits/{project_id}": {
        "PUT": (Op(handler=projects.set_limits, rule=f"{_OURS}limits:put", schema=schemas.LIMITS),),
    },
    "/v1/usage": {"GET": (Op(handler=projects.usage, rule=f"{_OURS}usage"),)},
    "/v1/plugins": {"GET": (Op(handler=plugins.index, rule="blazar:plugins:get"),)},

    "/v1/os-hosts": {
        "GET": (Op(handler=hosts.index, rule=f"{_HOSTS}get"),),
        "POST": (Op(handler=hosts.create, rule=f"{_HOSTS}post", schema=schemas.HOST),),
    },
    "/v1/os-hosts/{host_id}": {
        "GET": (Op(handler=hosts.show, rule=f"{_HOSTS}get"),),
        "PUT": (Op(handler=hosts.update, rule=f"{_HOSTS}put", schema=schemas.HOST),),
        "DELETE": (Op(handler=hosts.delete, rule=f"{_HOSTS}delete"),),
    },
    "/v1/os-hosts/allocations": {"GET": (Op(handler=allocations.index, rule=f"{_HOSTS}get_allocations"),)},
    "/v1/os-hosts/{host_id}/maintenance": {
        "PUT": (Op(handler=maintenance.update, rule=f"{_HOSTS}put", schema=schemas.MAINTENANCE),),
    },
    "/v1/os-hosts/{host_id}/allocation": {"GET": (Op(handler=allocations.show, rule=f"{_HOSTS}get_allocations"),)},
    "/v1/os-hosts/properties": {"GET": (Op(handler=properties.index, rule=f"{_HOSTS}get_resource_properties"),)},
    "/v1/os-hosts/properties/{property_name}": {
        "PATCH": (
            Op(handler=properties.update, rule=f"{_HOSTS}update_resource_properties", schema=schemas.PROPERTY),
        ),
    },
}
# fmt: on

_VERSION_PATHS: Routes[Room] = {path: {"GET": (Op(handler=versions.root, rule=None),)} for path in ("/", "/versions")}

ROUTES: Routes[Room] = {**_VERSION_PATHS, **_RESOURCES}
