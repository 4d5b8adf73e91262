"""A Moorage whose compute service is another one, as beside a Nova: a process of its own, with that one's answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from keystoneauth1.adapter import Adapter
from keystoneauth1.token_endpoint import Token

from bench.service import free_port
from moorage.client.compute import ComputeClient
from moorage.client.http import HttpTransport, open_session
from moorage.client.image import ImageClient
from moorage.client.placement import PlacementClient
from moorage.client.transport import Transport
from moorage.db.upgrade import upgrade
from moorage.placement.model.inventory import Inventory
from moorage.service.application import all_application
from moorage.service.mounting import json_answer
from moorage.service.settings import database_url, load_settings
from tests.client.serving import serving
from tests.clients.running_service import RunningService, running_service

ADMIN = "admin"
SERVICES = "placement,reservation,liquid,console"
TRAIT = "HW_CPU_X86_AVX2"


@dataclass
class OtherCompute:
    """A compute and an image service that has nothing of Moorage's own, and may be away."""

    application: WSGIApplication
    is_away: bool = False

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if self.is_away:
            return json_answer(start_response, "503 Service Unavailable", {"error": {"message": "Not now."}})
        if environ["PATH_INFO"].startswith("/compute/v2.1/moorage"):
            return json_answer(start_response, "404 Not Found", {"itemNotFound": {"message": "No such path."}})
        return self.application(environ, start_response)


@dataclass(frozen=True)
class Beside:
    """The Moorage, and the cloud that it is beside: two hosts, one of them in a zone, with a server."""

    service: RunningService
    other: OtherCompute
    compute: ComputeClient
    flavor: str
    image: str
    server: str


@contextmanager
def moorage_beside_another(directory: Path) -> Iterator[Beside]:
    """Both of them, as long as a block lasts."""
    port = free_port()
    there, here = directory / "there", directory / "here"
    there.mkdir()
    here.mkdir()
    placement = f"http://127.0.0.1:{port}/placement"
    file = there / "moorage.conf"
    file.write_text(_reached("placement_client", placement))
    given = {"state_path": str(there), "api.auth_strategy": "noauth2", "api.services": ["compute"]}
    settings = load_settings(given, config_files=[str(file)])
    upgrade(database_url(settings))
    other = OtherCompute(all_application(settings))
    with serving(other) as address:
        compute, image = f"{address}/compute/v2.1", f"{address}/image/v2"
        configuration = _reached("compute_client", compute) + _reached("image_client", image)
        with running_service(
            here, "--auth", "noauth2", "--services", SERVICES, configuration=configuration, port=port
        ) as service:
            _fill_placement(PlacementClient(_way("placement", placement)))
            yield _filled(service, other, ComputeClient(_way("compute", compute)), ImageClient(_way("image", image)))


def _reached(group: str, endpoint: str) -> str:
    return (
        f"[{group}]\nauth_type = admin_token\nendpoint = {endpoint}\nendpoint_override = {endpoint}\ntoken = {ADMIN}\n"
    )


def _way(service_type: str, endpoint: str) -> Transport:
    session = open_session(Token(endpoint, ADMIN))
    return HttpTransport(Adapter(session, service_type=service_type, endpoint_override=endpoint))


def _fill_placement(placement: PlacementClient) -> None:
    for number, name in enumerate(("pier-1", "pier-2"), 1):
        uuid = f"7e57ab1e-0000-4000-8000-00000000000{number}"
        placement.create_provider(uuid, name)
        sizes = {"VCPU": Inventory(8), "MEMORY_MB": Inventory(16384), "DISK_GB": Inventory(100)}
        placement.put_inventories(uuid, sizes, 0)
        placement.put_traits(uuid, {"COMPUTE_NODE", *([TRAIT] if number == 1 else [])}, 1)


def _filled(service: RunningService, other: OtherCompute, compute: ComputeClient, image: ImageClient) -> Beside:
    compute.create_flavor("dinghy", "dinghy", vcpus=2, ram_mb=1024, disk_gb=10)
    compute.set_extra_specs("dinghy", {f"trait:{TRAIT}": "required"})
    zone = compute.create_aggregate("north-side", "north")
    compute.add_host(zone.id, "pier-1")
    made = image.create_image("plain", {})
    server = compute.create_server("gull", "dinghy", made.id, availability_zone="north")
    return Beside(service, other, compute, "dinghy", made.id, server)
