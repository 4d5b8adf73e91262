"""The LIQUID API in this process, over any cloud, as somebody uses it who may do everything."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from moorage.capacity.api.application import liquid_api
from moorage.capacity.liquid import Liquid, open_liquid
from moorage.capacity.model.configuration import Configuration
from moorage.capacity.reading.services import Services
from moorage.client.in_process import WsgiTransport
from moorage.client.transport import Response
from moorage.db.database import Database
from moorage.service.authentication.noauth2 import believing

PROJECT = "harbour"


@dataclass(frozen=True)
class Speaker:
    """Somebody who speaks LIQUID."""

    transport: WsgiTransport
    liquid: Liquid

    def get(self, path: str) -> Response:
        return self.transport.send("GET", path)

    def post(self, path: str, content: object) -> Response:
        return self.transport.send("POST", path, content=content)

    def put(self, path: str, content: object) -> Response:
        return self.transport.send("PUT", path, content=content)

    def usage(self, request: object, project_id: str = PROJECT) -> Any:
        return _good(self.post(f"/v1/projects/{project_id}/report-usage", request))

    def info(self) -> Any:
        return _good(self.get("/v1/info"))

    def capacity(self, request: object) -> Any:
        return _good(self.post("/v1/report-capacity", request))


def speaker(
    database: Database, services: Services, configuration: Mapping[str, Any] | Configuration | None = None
) -> Speaker:
    """Somebody who speaks to a LIQUID over a cloud."""
    settings = (
        configuration
        if isinstance(configuration, Configuration)
        else msgspec.convert(configuration or {}, Configuration)
    )
    liquid = open_liquid(database, services, settings, lambda _caller, _rule, _project: True)
    application = believing(liquid_api(liquid, 1_000_000_000))
    return Speaker(WsgiTransport(application, {"x-auth-token": "admin"}), liquid)


def _good(response: Response) -> Any:
    assert response.status == 200, (response.status, response.body.decode())
    return json.loads(response.body)
