"""The cloud as a whole: in which order its parts are made, started and stopped, and what is in it at first."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import openstack

from tests.openstack.cloud import glance, gunicorn, installation, keystone, mariadb, moorage, nova, rabbitmq
from tests.openstack.cloud.programs import NotStarted, Programs
from tests.openstack.cloud.site import COMPUTES, REPOSITORY, Site

ZONES = {"north": COMPUTES[:2], "south": COMPUTES[2:]}
"""Which hosts are in which availability zone."""

DATABASES = (mariadb.NAME, mariadb.OURS)
IMAGE_BYTES = 1024
READY_SECONDS = 120


def start(programs: Programs, say: Callable[[str], None]) -> None:
    """Make and start a cloud."""
    with ThreadPoolExecutor() as pool:
        # Which need nothing of OpenStack.
        foundations = pool.submit(_start_foundations, programs)
        installation.install_releases(say)
        foundations.result()
    say("preparing identities and databases ...")
    with ThreadPoolExecutor() as pool:
        prepared = [pool.submit(prepare, programs) for prepare in (_identities, glance.prepare, nova.prepare)]
        for each in prepared:
            each.result()
    rabbitmq.await_start(programs)
    say("starting Moorage, Glance and Nova ...")
    _start_services(programs)
    _furnish(programs.site)
    say("the cloud is there")


def resume(programs: Programs) -> None:
    """Start what does not run of a cloud that has been made."""
    _start_foundations(programs)
    rabbitmq.await_start(programs)
    keystone.start(programs)
    _start_services(programs)


def stop(programs: Programs) -> None:
    """Stop all of it; who uses others stops first."""
    programs.stop_all(last=[moorage.NAME, keystone.NAME, rabbitmq.NAME, rabbitmq.NAMES, *DATABASES])


def _start_foundations(programs: Programs) -> None:
    """The broker, and the databases as soon as they can be used."""
    rabbitmq.start(programs)
    for server in DATABASES:
        mariadb.start(programs, server)


def _identities(programs: Programs) -> None:
    keystone.prepare(programs)
    keystone.start(programs)
    keystone.furnish(programs.site)
    moorage.prepare(programs.site)
    moorage.register(programs.site)


def _start_services(programs: Programs) -> None:
    moorage.start(programs)
    gunicorn.serve(programs, "neutron", "tests.openstack.cloud.neutron:application", {"PYTHONPATH": str(REPOSITORY)})
    glance.start(programs)
    start_nova(programs)
    for name in ("neutron", glance.NAME):
        programs.await_port(name, programs.site.ports[name])


def start_nova(programs: Programs) -> None:
    """Start Nova, and wait until servers can be made."""
    begin = datetime.now(UTC)
    nova.start_control(programs)
    for compute in COMPUTES:
        nova.start_compute(programs, compute)
    programs.await_port(nova.NAME, programs.site.ports[nova.NAME])
    _await_hypervisors(programs, begin)


def _await_hypervisors(programs: Programs, since: datetime) -> None:
    cloud = keystone.connect(programs.site)
    deadline = time.monotonic() + READY_SECONDS
    while time.monotonic() < deadline:
        if {service.host for service in _services(cloud) if _has_reported(service, since)} >= set(COMPUTES):
            nova.manage(programs, "cell_v2", "discover_hosts")
            if {hypervisor.name for hypervisor in cloud.compute.hypervisors()} >= set(COMPUTES):
                return
        time.sleep(0.5)
    raise NotStarted(f"the compute services did not appear; see {programs.log(COMPUTES[0])}")


def _has_reported(service: openstack.compute.v2.service.Service, since: datetime) -> bool:
    """Whether a service is there; one that was stopped a moment ago counts as `up`, and so does a new one."""
    if service.state != "up" or service.updated_at is None:
        return False
    return datetime.fromisoformat(service.updated_at).replace(tzinfo=UTC) >= since


def _services(cloud: openstack.connection.Connection) -> list[openstack.compute.v2.service.Service]:
    return list(cloud.compute.services(binary="nova-compute"))


def _furnish(site: Site) -> None:
    """Zones, a flavor of the usual kind and an image for everybody."""
    cloud = keystone.connect(site)
    for zone, hosts in ZONES.items():
        aggregate = cloud.compute.create_aggregate(name=f"zone-{zone}", availability_zone=zone)
        for host in hosts:
            cloud.compute.add_host_to_aggregate(aggregate, host)
    cloud.compute.create_flavor(id="small", name="small", vcpus=1, ram=512, disk=1)
    cloud.compute.create_flavor(id="medium", name="medium", vcpus=2, ram=1024, disk=2)
    cloud.image.create_image(
        name="plain", disk_format="raw", container_format="bare", visibility="public", data=bytes(IMAGE_BYTES),
        wait=True, allow_duplicates=False,
    )  # fmt: skip
