"""A cloud that Moorage itself serves, all services in one process: hosts, zones, flavors, images and servers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_DNS, uuid5

from moorage.client.in_process import WsgiTransport
from moorage.client.placement import PlacementClient, ProviderWrite
from moorage.client.transport import Response
from moorage.placement.model.inventory import Inventory
from moorage.service.application import all_application
from moorage.service.settings import load_settings

ADMIN = {"x-auth-token": "admin:harbour", "x-roles": "admin,member,reader,service"}
UNLIMITED = {"quota.instances": -1, "quota.cores": -1, "quota.ram": -1, "quota.separate_instances": 7}


@dataclass
class MoorageCloud:
    """The services, spoken to by an administrator unless somebody else is named."""

    transport: WsgiTransport
    caller: Mapping[str, str] = field(default_factory=lambda: ADMIN)

    @classmethod
    def over(cls, database_url: str, **overrides: object) -> MoorageCloud:
        settings = {
            "database.connection": database_url,
            "api.auth_strategy": "noauth2",
            **UNLIMITED,
            **{name.replace("__", "."): value for name, value in overrides.items()},
        }
        return cls(WsgiTransport(all_application(load_settings(settings))))

    def send(self, method: str, path: str, content: object = None) -> Response:
        path, _, query = path.partition("?")
        pairs = [tuple(pair.split("=", 1)) for pair in query.split("&")] if query else []
        headers = {**self.caller, "openstack-api-version": "compute 2.90"}
        return self.transport.send(method, path, query=pairs, content=content, headers=headers)  # type: ignore[arg-type]

    def do(self, method: str, path: str, content: object = None) -> Any:
        response = self.send(method, path, content)
        assert response.status < 300, (method, path, response.status, response.body.decode())
        return json.loads(response.body) if response.body else None

    # --- what it is made of

    def add_hosts(self, zone: str, names: list[str], *, vcpus: int, ram: int, disk: int, trait: str = "") -> None:
        """Equal hosts in a zone, in an aggregate `vc-…` of their own."""
        traits = {"COMPUTE_NODE", *([trait] if trait else [])}
        placement = PlacementClient(WsgiTransport(self.transport._application, ADMIN, root="/placement"))
        placement.write_providers(
            [
                ProviderWrite(
                    uuid=str(uuid5(NAMESPACE_DNS, name)),
                    name=name,
                    inventories={
                        "VCPU": Inventory(total=vcpus, max_unit=vcpus),
                        "MEMORY_MB": Inventory(total=ram, max_unit=ram),
                        "DISK_GB": Inventory(total=disk, max_unit=disk),
                    },
                    traits=frozenset(traits),
                )
                for name in names
            ],
            create_names=True,
        )
        new = {"aggregate": {"name": f"vc-{zone}-{names[0]}", "availability_zone": zone}}
        aggregate = self.do("POST", "/compute/v2.1/os-aggregates", new)["aggregate"]
        for name in names:
            path = f"/compute/v2.1/os-aggregates/{aggregate['id']}/action"
            self.do("POST", path, {"add_host": {"host": name}})

    def add_flavor(self, name: str, vcpus: int, ram: int, disk: int, **extra_specs: str) -> str:
        new = {"flavor": {"name": name, "vcpus": vcpus, "ram": ram, "disk": disk}}
        flavor_id: str = self.do("POST", "/compute/v2.1/flavors", new)["flavor"]["id"]
        specs = {key.replace("__", ":"): value for key, value in extra_specs.items()}
        if specs:
            self.do("POST", f"/compute/v2.1/flavors/{flavor_id}/os-extra_specs", {"extra_specs": specs})
        return flavor_id

    def add_image(self, name: str, **properties: Any) -> str:
        new = {"name": name, "disk_format": "raw", "container_format": "bare", **properties}
        image_id: str = self.do("POST", "/image/v2/images", new)["id"]
        self.transport.send(
            "PUT", f"/image/v2/images/{image_id}/file", headers={**ADMIN, "content-type": "application/octet-stream"}
        )
        return image_id

    def add_server(self, name: str, flavor_id: str, image_id: str, zone: str) -> str:
        new = {
            "name": name,
            "flavorRef": flavor_id,
            "imageRef": image_id,
            "networks": "none",
            "availability_zone": zone,
        }
        server_id: str = self.do("POST", "/compute/v2.1/servers", {"server": new})["server"]["id"]
        return server_id

    # --- what it says of itself

    def info(self) -> Any:
        return self.do("GET", "/liquid-nova/v1/info")

    def capacity(self, request: object) -> Any:
        return self.do("POST", "/liquid-nova/v1/report-capacity", request)

    def usage(self, zones: list[str], project_id: str = "harbour") -> Any:
        return self.do("POST", f"/liquid-nova/v1/projects/{project_id}/report-usage", {"allAZs": zones})

    def set_quota(self, quotas: Mapping[str, int], project_id: str = "harbour") -> Response:
        content = {"resources": {name: {"quota": quota} for name, quota in quotas.items()}}
        return self.send("PUT", f"/liquid-nova/v1/projects/{project_id}/quota", content)


def configured(directory: Path, content: Mapping[str, Any]) -> str:
    """The path of a configuration file with a content."""
    file = directory / "liquid.json"
    file.write_text(json.dumps(content))
    return str(file)
