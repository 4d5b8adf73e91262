"""The view of a host: the servers that have their place there, for whatever starts them.

Moorage's own. What stands here is what an agent on the host, or the driver of a bare-metal node, needs to know.
"""

from __future__ import annotations

from typing import Any

from moorage.compute.api.server_views import time_text
from moorage.compute.context import Compute
from moorage.compute.model.server import Server
from moorage.compute.store import servers as server_store
from moorage.web.answer import Answer, json_answer
from moorage.web.request import Request


def index(request: Request, compute: Compute) -> Answer:
    """GET /moorage/hosts/{host}/servers"""
    servers = compute.read(server_store.on_host, request.path["host"])
    return json_answer({"servers": [_view(compute, server) for server in servers]})


def _view(compute: Compute, server: Server) -> dict[str, Any]:
    held = compute.placement.allocations(server.uuid)
    return {
        "id": server.uuid,
        "name": server.name,
        "status": server.status,
        "task_state": server.task_state,
        "project_id": server.project_id,
        "user_id": server.user_id,
        "flavor": {
            "id": server.flavor.flavor_id,
            "original_name": server.flavor.name,
            "vcpus": server.flavor.vcpus,
            "ram": server.flavor.ram_mb,
            "disk": server.flavor.disk_gb,
            "ephemeral": server.flavor.ephemeral_gb,
            "swap": server.flavor.swap_mb,
            "extra_specs": dict(server.flavor.extra_specs),
        },
        "image": None
        if server.image_uuid is None
        else {"id": server.image_uuid, "properties": dict(server.image_properties)},
        "metadata": dict(server.metadata),
        # What the driver of a bare-metal node sets on it.
        "instance_info": {"traits": sorted(server.required_traits)},
        "allocations": {} if held is None else {uuid: dict(amounts) for uuid, amounts in held.allocations.items()},
        "updated": time_text(server.updated_at),
    }
