"""Images of Moorage, and volumes of a service that answers as Cinder does."""

from __future__ import annotations

import json
from collections.abc import Iterable
from uuid import uuid4
from wsgiref.types import StartResponse, WSGIEnvironment

from moorage.client.in_process import WsgiTransport
from moorage.client.volume import Volume, VolumeClient
from tests.client.conftest import Clients, transport_to
from tests.client.serving import serving


def new_image(cloud: Clients, **fields: object) -> str:
    made = cloud.image_transport.send("POST", "/images", content={"name": "hull", "vmware_ostype": "sles15", **fields})
    assert made.status == 201, made.body
    return str(made.json()["id"])


def test_an_image_is_found_with_its_properties(cloud: Clients) -> None:
    found = cloud.image.image(new_image(cloud))
    assert found is not None
    assert (found.name, found.properties["vmware_ostype"]) == ("hull", "sles15")
    assert cloud.image.image(str(uuid4())) is None


def test_many_images_are_found_also_hidden_ones(cloud: Clients) -> None:
    wanted = {new_image(cloud) for _ in range(60)} | {new_image(cloud, os_hidden=True)}
    found = cloud.image.images([*wanted, str(uuid4())])
    assert set(found) == wanted
    assert cloud.image.images([]) == {}


def cinder(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """Two volumes, in Cinder's words."""
    volumes: dict[str, dict[str, object]] = {
        "root": {"bootable": "true", "volume_image_metadata": {"vmware_ostype": "sles15"}},
        "data": {"bootable": "false"},
    }
    name = environ["PATH_INFO"].removeprefix("/volumes/")
    if name not in volumes:
        start_response("404 Not Found", [])
        return [b'{"itemNotFound": {"code": 404, "message": "Volume x could not be found."}}']
    start_response("200 OK", [])
    volume = {"id": name, "status": "in-use", "size": 10, "name": "", "attachments": [], **volumes[name]}
    return [json.dumps({"volume": volume}).encode()]


def test_volumes_are_found_with_the_properties_of_their_images() -> None:
    with serving(cinder) as address:
        for client in (VolumeClient(transport_to(address, "token")), VolumeClient(WsgiTransport(cinder))):
            assert client.volume("root") == Volume("root", "in-use", 10, "", {"vmware_ostype": "sles15"})
            assert client.volume("data") == Volume("data", "in-use", 10, "", {})
            assert client.volume("gone") is None
