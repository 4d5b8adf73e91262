"""What hosts have, from a Placement that tells it one provider at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import uuid4
from wsgiref.types import WSGIApplication

import os_traits

from moorage.client.in_process import WsgiTransport
from moorage.client.placement import PlacementClient, ProviderWrite
from moorage.client.transport import Response
from moorage.compute.hypervisors import NOTHING, Hypervisor, Stock, hypervisors, with_stocks
from moorage.placement.model.inventory import Inventory

ADMIN = {"x-auth-token": "admin"}


class WithoutExtensions:
    """A Placement that has none of Moorage's own paths, and remembers what it was asked for."""

    def __init__(self, application: WSGIApplication) -> None:
        self._transport = WsgiTransport(application, ADMIN)
        self.asked: list[str] = []

    def send(
        self,
        method: str,
        path: str,
        *,
        query: Sequence[tuple[str, str]] = (),
        content: object = None,
        headers: Mapping[str, str] | None = None,
    ) -> Response:
        if path.startswith("/moorage/"):
            return Response(404, {}, b"")
        self.asked.append(path)
        return self._transport.send(method, path, query=query, content=content, headers=headers)


def test_only_the_hosts_in_question_are_asked_for(application: WSGIApplication) -> None:
    root, part, other = (str(uuid4()) for _ in range(3))
    traits = frozenset({os_traits.COMPUTE_NODE})
    PlacementClient(WsgiTransport(application, ADMIN)).write_providers(
        [
            ProviderWrite(uuid=root, name=root, inventories={"VCPU": Inventory(8, 1)}, traits=traits),
            ProviderWrite(uuid=part, name=part, parent_uuid=root, inventories={"VCPU": Inventory(4)}),
            ProviderWrite(uuid=other, name=other, inventories={"VCPU": Inventory(2)}, traits=traits),
        ]
    )
    transport = WithoutExtensions(application)
    placement = PlacementClient(transport)

    listed = {host.uuid: host for host in hypervisors(placement)}
    assert {root, other} <= listed.keys()
    assert listed[root].stock("VCPU") == NOTHING
    assert not any("inventories" in path for path in transport.asked)

    [found] = with_stocks(placement, [listed[root]])
    assert found.stock("VCPU") == Stock(total=12, reserved=1)
    assert sorted(path for path in transport.asked if "inventories" in path) == sorted(
        f"/resource_providers/{uuid}/inventories" for uuid in (root, part)
    )


def test_nobody_is_asked_about_no_hosts(application: WSGIApplication) -> None:
    transport = WithoutExtensions(application)
    none: list[Hypervisor] = []
    assert with_stocks(PlacementClient(transport), none) == []
    assert transport.asked == []
