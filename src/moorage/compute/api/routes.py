"""The whole compute API on one screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from moorage.compute.api import (
    aggregates,
    availability_zones,
    flavor_extra_specs,
    flavors,
    hypervisors,
    limits,
    placement_query,
    quota_sets,
    scheduling,
    server_actions,
    server_groups,
    server_hosts,
    server_metadata,
    server_tags,
    servers,
    versions,
)
from moorage.compute.api.schemas import aggregates as aggregate_bodies
from moorage.compute.api.schemas import flavors as flavor_bodies
from moorage.compute.api.schemas import quota_sets as quota_bodies
from moorage.compute.api.schemas import server_groups as group_bodies
from moorage.compute.api.schemas import servers as server_bodies
from moorage.compute.context import Compute
from moorage.web.application import Operation, Routes

if TYPE_CHECKING:
    Op = Operation[Compute]
else:
    Op = Operation  # a parametrised class would note itself down on what it makes, which is frozen

_API = "os_compute_api:"
_EXTRA_SPECS, _MANAGE = f"{_API}os-flavor-extra-specs:", f"{_API}os-flavor-manage:"
_AGGREGATES, _GROUPS = f"{_API}os-aggregates:", f"{_API}os-server-groups:"
_SERVERS, _METADATA, _TAGS = f"{_API}servers:", f"{_API}server-metadata:", f"{_API}os-server-tags:"
_HYPERVISORS, _QUOTAS = f"{_API}os-hypervisors:", f"{_API}os-quota-sets:"

# fmt: off
ROUTES: Routes[Compute] = {
    "/": {"GET": (Op(handler=versions.root, rule=None),)},
    "/v2.1": {"GET": (Op(handler=versions.version, rule=None),)},

    "/v2.1/flavors": {
        "GET": (Op(handler=flavors.index, rule=f"{_API}flavors:list"),),
        "POST": (
            Op(handler=flavors.create, rule=f"{_MANAGE}create", schema=flavor_bodies.CREATE, until=(2, 54)),
            Op(handler=flavors.create, rule=f"{_MANAGE}create", schema=flavor_bodies.CREATE_2_55),
        ),
    },
    "/v2.1/flavors/detail": {"GET": (Op(handler=flavors.detail, rule=f"{_API}flavors:list"),)},
    "/v2.1/flavors/{flavor_id}": {
        "GET": (Op(handler=flavors.show, rule=f"{_API}flavors:show"),),
        "PUT": (Op(handler=flavors.update, rule=f"{_MANAGE}update", schema=flavor_bodies.UPDATE, since=(2, 55)),),
        "DELETE": (Op(handler=flavors.delete, rule=f"{_MANAGE}delete"),),
    },
    "/v2.1/flavors/{flavor_id}/action": {
        "POST": (Op(handler=flavors.action, rule=f"{_API}os-flavor-access:change", schema=flavor_bodies.ACTION),),
    },
    "/v2.1/flavors/{flavor_id}/os-flavor-access": {
        "GET": (Op(handler=flavors.access, rule=f"{_API}os-flavor-access"),),
    },
    "/v2.1/flavors/{flavor_id}/os-extra_specs": {
        "GET": (Op(handler=flavor_extra_specs.index, rule=f"{_EXTRA_SPECS}index"),),
        "POST": (
            Op(handler=flavor_extra_specs.create, rule=f"{_EXTRA_SPECS}create", schema=flavor_bodies.EXTRA_SPECS),
        ),
    },
    "/v2.1/flavors/{flavor_id}/os-extra_specs/{key}": {
        "GET": (Op(handler=flavor_extra_specs.show, rule=f"{_EXTRA_SPECS}show"),),
        "PUT": (Op(handler=flavor_extra_specs.update, rule=f"{_EXTRA_SPECS}update", schema=flavor_bodies.EXTRA_SPEC),),
        "DELETE": (Op(handler=flavor_extra_specs.delete, rule=f"{_EXTRA_SPECS}delete"),),
    },

    "/v2.1/os-aggregates": {
        "GET": (Op(handler=aggregates.index, rule=f"{_AGGREGATES}index"),),
        "POST": (Op(handler=aggregates.create, rule=f"{_AGGREGATES}create", schema=aggregate_bodies.CREATE),),
    },
    "/v2.1/os-aggregates/{aggregate_id}": {
        "GET": (Op(handler=aggregates.show, rule=f"{_AGGREGATES}show"),),
        "PUT": (Op(handler=aggregates.update, rule=f"{_AGGREGATES}update", schema=aggregate_bodies.UPDATE),),
        "DELETE": (Op(handler=aggregates.delete, rule=f"{_AGGREGATES}delete"),),
    },
    "/v2.1/os-aggregates/{aggregate_id}/action": {
        "POST": (Op(handler=aggregates.action, rule=f"{_AGGREGATES}action", schema=aggregate_bodies.ACTION),),
    },
    "/v2.1/os-availability-zone": {
        "GET": (Op(handler=availability_zones.index, rule=f"{_API}os-availability-zone:list"),),
    },
    "/v2.1/os-availability-zone/detail": {
        "GET": (Op(handler=availability_zones.detail, rule=f"{_API}os-availability-zone:detail"),),
    },

    "/v2.1/os-hypervisors": {"GET": (Op(handler=hypervisors.index, rule=f"{_HYPERVISORS}list"),)},
    "/v2.1/os-hypervisors/detail": {"GET": (Op(handler=hypervisors.detail, rule=f"{_HYPERVISORS}list-detail"),)},
    "/v2.1/os-hypervisors/statistics": {
        "GET": (Op(handler=hypervisors.statistics, rule=f"{_HYPERVISORS}statistics", until=(2, 87)),),
    },
    "/v2.1/os-hypervisors/{hypervisor_id}": {"GET": (Op(handler=hypervisors.show, rule=f"{_HYPERVISORS}show"),)},
    "/v2.1/os-hypervisors/{hypervisor_id}/search": {
        "GET": (Op(handler=hypervisors.search, rule=f"{_HYPERVISORS}search", until=(2, 52)),),
    },
    "/v2.1/os-hypervisors/{hypervisor_id}/servers": {
        "GET": (Op(handler=hypervisors.servers, rule=f"{_HYPERVISORS}servers", until=(2, 52)),),
    },
    "/v2.1/os-hypervisors/{hypervisor_id}/uptime": {
        "GET": (Op(handler=hypervisors.uptime, rule=f"{_HYPERVISORS}uptime", until=(2, 87)),),
    },

    "/v2.1/os-server-groups": {
        "GET": (Op(handler=server_groups.index, rule=f"{_GROUPS}index"),),
        "POST": (
            Op(handler=server_groups.create, rule=f"{_GROUPS}create", schema=group_bodies.CREATE, until=(2, 14)),
            Op(handler=server_groups.create, rule=f"{_GROUPS}create", schema=group_bodies.CREATE_2_15, until=(2, 63)),
            Op(handler=server_groups.create, rule=f"{_GROUPS}create", schema=group_bodies.CREATE_2_64),
        ),
    },
    "/v2.1/os-server-groups/{group_id}": {
        "GET": (Op(handler=server_groups.show, rule=f"{_GROUPS}show"),),
        "DELETE": (Op(handler=server_groups.delete, rule=f"{_GROUPS}delete"),),
    },

    "/v2.1/servers": {
        "GET": (Op(handler=servers.index, rule=f"{_SERVERS}index"),),
        "POST": (
            Op(handler=servers.create, rule=f"{_SERVERS}create", schema=server_bodies.CREATE, until=(2, 18)),
            Op(handler=servers.create, rule=f"{_SERVERS}create", schema=server_bodies.CREATE_2_19, until=(2, 51)),
            Op(handler=servers.create, rule=f"{_SERVERS}create", schema=server_bodies.CREATE_2_52, until=(2, 73)),
            Op(handler=servers.create, rule=f"{_SERVERS}create", schema=server_bodies.CREATE_2_74),
        ),
    },
    "/v2.1/servers/detail": {"GET": (Op(handler=servers.detail, rule=f"{_SERVERS}detail"),)},
    "/v2.1/servers/{server_id}": {
        "GET": (Op(handler=servers.show, rule=f"{_SERVERS}show"),),
        "PUT": (
            Op(handler=servers.update, rule=f"{_SERVERS}update", schema=server_bodies.UPDATE, until=(2, 18)),
            Op(handler=servers.update, rule=f"{_SERVERS}update", schema=server_bodies.UPDATE_2_19),
        ),
        "DELETE": (Op(handler=servers.delete, rule=f"{_SERVERS}delete"),),
    },
    "/v2.1/servers/{server_id}/action": {
        "POST": (Op(handler=server_actions.act, rule=f"{_SERVERS}show", schema=server_bodies.ACTION),),
    },
    "/v2.1/servers/{server_id}/metadata": {
        "GET": (Op(handler=server_metadata.index, rule=f"{_METADATA}index"),),
        "POST": (Op(handler=server_metadata.create, rule=f"{_METADATA}create", schema=server_bodies.METADATA),),
        "PUT": (Op(handler=server_metadata.replace_all, rule=f"{_METADATA}update_all", schema=server_bodies.METADATA),),
    },
    "/v2.1/servers/{server_id}/metadata/{key}": {
        "GET": (Op(handler=server_metadata.show, rule=f"{_METADATA}show"),),
        "PUT": (Op(handler=server_metadata.update, rule=f"{_METADATA}update", schema=server_bodies.META_ITEM),),
        "DELETE": (Op(handler=server_metadata.delete, rule=f"{_METADATA}delete"),),
    },
    "/v2.1/servers/{server_id}/tags": {
        "GET": (Op(handler=server_tags.index, rule=f"{_TAGS}index", since=(2, 26)),),
        "PUT": (
            Op(handler=server_tags.replace_all, rule=f"{_TAGS}update_all", schema=server_bodies.TAGS, since=(2, 26)),
        ),
        "DELETE": (Op(handler=server_tags.delete_all, rule=f"{_TAGS}delete_all", since=(2, 26)),),
    },
    "/v2.1/servers/{server_id}/tags/{tag}": {
        "GET": (Op(handler=server_tags.show, rule=f"{_TAGS}show", since=(2, 26)),),
        "PUT": (Op(handler=server_tags.add, rule=f"{_TAGS}update", since=(2, 26)),),
        "DELETE": (Op(handler=server_tags.delete, rule=f"{_TAGS}delete", since=(2, 26)),),
    },
    "/v2.1/moorage/hosts/{host}/servers": {"GET": (Op(handler=server_hosts.index, rule="moorage:hosts:servers"),)},

    "/v2.1/moorage/placement-query": {
        "GET": (Op(handler=placement_query.show, rule="moorage:placement-query"),),
    },
    "/v2.1/moorage/scheduling": {"GET": (Op(handler=scheduling.index, rule="moorage:scheduling"),)},

    "/v2.1/os-quota-sets/{project_id}": {
        "GET": (Op(handler=quota_sets.show, rule=f"{_QUOTAS}show"),),
        "PUT": (Op(handler=quota_sets.update, rule=f"{_QUOTAS}update", schema=quota_bodies.UPDATE),),
        "DELETE": (Op(handler=quota_sets.delete, rule=f"{_QUOTAS}delete"),),
    },
    "/v2.1/os-quota-sets/{project_id}/defaults": {
        "GET": (Op(handler=quota_sets.defaults, rule=f"{_QUOTAS}defaults"),),
    },
    "/v2.1/os-quota-sets/{project_id}/detail": {"GET": (Op(handler=quota_sets.detail, rule=f"{_QUOTAS}detail"),)},
    "/v2.1/limits": {"GET": (Op(handler=limits.index, rule=f"{_API}limits"),)},
}
# fmt: on
