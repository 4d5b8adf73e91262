"""The message broker, over which the processes of Nova talk to each other."""

from __future__ import annotations

from tests.openstack.cloud.programs import Programs
from tests.openstack.cloud.site import ADDRESS, Site

NAME = "rabbitmq"
NAMES = "epmd"
"""Erlang's register of names. A node would start one for the whole machine, and leave it behind."""


def start(programs: Programs) -> None:
    """Start the broker, and the register that it needs."""
    site = programs.site
    home = site.home / "rabbitmq"
    home.mkdir(exist_ok=True)
    names = {"ERL_EPMD_PORT": str(site.ports["epmd"]), "ERL_EPMD_ADDRESS": ADDRESS}
    programs.start(NAMES, ["/usr/bin/epmd"], names)
    programs.await_port(NAMES, site.ports["epmd"])
    programs.start(
        NAME,
        ["/usr/lib/rabbitmq/bin/rabbitmq-server"],
        {
            **names,
            "HOME": str(home),
            "RABBITMQ_NODENAME": "moorage@localhost",
            "RABBITMQ_NODE_IP_ADDRESS": ADDRESS,
            "RABBITMQ_NODE_PORT": str(site.ports[NAME]),
            "RABBITMQ_DIST_PORT": str(site.ports["erlang"]),
            "RABBITMQ_MNESIA_BASE": str(home / "mnesia"),
            "RABBITMQ_LOG_BASE": str(site.logs / NAME),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(home / "plugins"),
            "RABBITMQ_CONF_ENV_FILE": "/dev/null",
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "+S 2:2 +sbwt none -kernel inet_dist_use_interface {127,0,0,1}",
        },
    )


def await_start(programs: Programs) -> None:
    """Wait until messages can be sent."""
    programs.await_port(NAME, programs.site.ports[NAME])


def transport_url(site: Site) -> str:
    """How the others reach it."""
    return f"rabbit://guest:guest@{ADDRESS}:{site.ports[NAME]}/"
