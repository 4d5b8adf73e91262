"""Somebody who runs the cloud, with the stock clients: makes servers and looks at what Nova and Placement say."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import Any
from uuid import uuid4

import openstack

from tests.clients.openstack_command import without_the_broken_plugin
from tests.openstack.cloud import keystone, moorage, nova
from tests.openstack.cloud.site import COMPUTES, MOORAGE, Site
from tests.openstack.waiting import eventually

Server = openstack.compute.v2.server.Server

SMALL = {"VCPU": 1, "MEMORY_MB": 512, "DISK_GB": 1}
MEDIUM = {"VCPU": 2, "MEMORY_MB": 1024, "DISK_GB": 2}
"""What servers of the flavors `small` and `medium` hold."""

SERVER_SECONDS = 180
COMMAND_SECONDS = 300


class Operator:
    """A user of the cloud, by default its administrator."""

    def __init__(self, site: Site, user: str = "admin", project: str = "admin") -> None:
        self.site = site
        self.user = user
        self.project = project

    @cached_property
    def cloud(self) -> openstack.connection.Connection:
        """The cloud, through openstacksdk."""
        return keystone.connect(self.site, self.user, self.project)

    @property
    def token(self) -> str:
        """What this user shows to services."""
        return str(self.cloud.auth_token)

    @property
    def project_id(self) -> str:
        """The project that the token is for."""
        return str(self.cloud.current_project_id)

    def log_in_again(self) -> None:
        """Forget the catalog, in which something has changed."""
        self.__dict__.pop("cloud", None)

    # --- commands

    def runs(self, command: str) -> subprocess.CompletedProcess[str]:
        """Type a command: `openstack`, `blazar`, `moorage`, or a `nova-manage` of the cloud's own."""
        words = shlex.split(command)
        if words[0] == "nova-manage":
            words = [str(nova.MANAGE), "--config-file", str(self.site.settings / nova.NAME / "nova.conf"), *words[1:]]
        done = subprocess.run(
            words, env=self.environment(), capture_output=True, text=True, check=False, timeout=COMMAND_SECONDS
        )
        return subprocess.CompletedProcess(
            done.args, done.returncode, done.stdout, without_the_broken_plugin(done.stderr)
        )

    def shows(self, command: str) -> Any:
        """What a command of `openstack` shows, of which the user asks JSON."""
        done = self.runs(f"openstack {command} -f json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def environment(self) -> dict[str, str]:
        """What is in the shell of this user."""
        return {
            **moorage.environment(self.site),
            **keystone.environment(self.site, self.user, self.project),
            "OS_COMPUTE_API_VERSION": "2.96",
            "OS_PLACEMENT_API_VERSION": "1.39",
            "PATH": f"{MOORAGE / 'bin'}{os.pathsep}{os.environ['PATH']}",
        }

    # --- servers

    def boots(self, flavor: str = "small", image: str = "plain", **more: Any) -> Server:
        """A new server, when it runs or has failed."""
        return self.settled(self.orders(flavor, image, **more))

    def orders(self, flavor: str = "small", image: str = "plain", **more: Any) -> Server:
        """A new server, which is not there yet."""
        found = self.cloud.compute.find_flavor(flavor, ignore_missing=False, get_extra_specs=False)
        return self.cloud.compute.create_server(
            **{"name": f"server-{uuid4().hex[:8]}", "networks": "none", **more},
            flavor_id=found.id,
            image_id=self.image_id(image),
        )

    def settled(self, server: Server, *statuses: str) -> Server:
        """A server, as soon as it has one of these states, or ACTIVE or ERROR, and no task."""
        wanted = statuses or ("ACTIVE", "ERROR")
        return self._when(server, lambda found: found.status in wanted and found.task_state is None)

    def arrived(self, server: Server, host: str) -> Server:
        """A server, as soon as it runs on a host, or has failed."""
        return self._when(
            server, lambda found: found.task_state is None and (host_of(found) == host or found.status == "ERROR")
        )

    def _when(self, server: Server, is_so: Callable[[Server], bool]) -> Server:
        for _ in openstack.utils.iterate_timeout(SERVER_SECONDS, f"{server.name} does not get on", wait=0.5):
            # By its id, since asking with the server itself would change it.
            found = self.cloud.compute.get_server(server.id)
            if is_so(found):
                return found
        raise AssertionError

    @contextmanager
    def server(self, flavor: str = "small", image: str = "plain", **more: Any) -> Iterator[Server]:
        """A server for the time of a block."""
        server = self.boots(flavor, image, **more)
        try:
            yield server
        finally:
            self.deletes(server)

    def deletes(self, *servers: Server) -> None:
        """Delete servers, and wait until they are gone."""
        for server in servers:
            self.cloud.compute.delete_server(server, ignore_missing=True)
        for server in servers:
            self.cloud.compute.wait_for_delete(server, interval=1, wait=SERVER_SECONDS)

    @contextmanager
    def flavor(self, extra_specs: Mapping[str, str], **size: int) -> Iterator[str]:
        """A flavor for the time of a block, by name."""
        name = f"flavor-{uuid4().hex[:8]}"
        made = self.cloud.compute.create_flavor(name=name, **{"vcpus": 1, "ram": 512, "disk": 1, **size})
        # From 2.86 on Nova refuses extra specs that it does not know, such as quota:separate.
        path = f"/flavors/{made.id}/os-extra_specs"
        self.cloud.compute.post(path, json={"extra_specs": dict(extra_specs)}, microversion="2.85").raise_for_status()
        try:
            yield name
        finally:
            self.cloud.compute.delete_flavor(made)

    def image_id(self, name: str) -> str:
        """The id of the image of this name."""
        found: str = self.cloud.image.find_image(name, ignore_missing=False).id
        return found

    @contextmanager
    def image(self, **properties: str) -> Iterator[str]:
        """An image for the time of a block, by name."""
        name = f"image-{uuid4().hex[:8]}"
        images: Any = self.cloud.image
        made = images.create_image(
            name=name, disk_format="raw", container_format="bare", data=bytes(1024), wait=True, meta={}, **properties
        )
        try:
            yield name
        finally:
            images.delete_image(made)

    # --- Placement

    def asks_placement(self, path: str, method: str = "GET", **content: Any) -> Any:
        """Ask the Placement of the catalog something."""
        answer = self.cloud.placement.request(
            path, method, headers={"OpenStack-API-Version": "placement 1.39"}, raise_exc=True, **content
        )
        return answer.json() if answer.content else None

    def provider(self, name: str) -> str:
        """The UUID of the provider of this name."""
        (found,) = self.asks_placement(f"/resource_providers?name={name}")["resource_providers"]
        uuid: str = found["uuid"]
        return uuid

    def usages(self) -> dict[str, dict[str, int]]:
        """What is used on each host."""
        return {
            host: self.asks_placement(f"/resource_providers/{self.provider(host)}/usages")["usages"]
            for host in COMPUTES
        }

    def await_usages(self, before: Mapping[str, Mapping[str, int]]) -> None:
        """Wait until hosts are used as before; Nova shows a server as gone before it gives back what it held."""
        eventually(lambda: self.usages() == before, f"hosts are used as before: {before}", SERVER_SECONDS, 0.5)

    def holds(self, consumer: str) -> dict[str, dict[str, int]]:
        """What a consumer holds, by the names of providers."""
        held = self.asks_placement(f"/allocations/{consumer}")["allocations"]
        return {
            self.asks_placement(f"/resource_providers/{uuid}")["name"]: entry["resources"]
            for uuid, entry in held.items()
        }

    def consumers(self) -> set[str]:
        """Who holds anything on any host."""
        return {
            consumer
            for host in COMPUTES
            for consumer in self.asks_placement(f"/resource_providers/{self.provider(host)}/allocations")["allocations"]
        }

    def await_consumers(self, *wanted: str) -> None:
        """Wait until only these hold anything; Nova shows a resize as confirmed before it gives back what it held."""
        eventually(lambda: self.consumers() == set(wanted), f"only {wanted} hold anything", SERVER_SECONDS, 0.5)


def host_of(server: Server) -> str:
    """Where a server runs."""
    host: str = server.hypervisor_hostname
    return host
