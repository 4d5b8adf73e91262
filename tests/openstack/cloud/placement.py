"""Upstream's Placement, which this cloud has beside Moorage only while it moves from the one to the other."""

from __future__ import annotations

import httpx

from tests.openstack.cloud import gunicorn, mariadb
from tests.openstack.cloud.configuration import text_of, token_checks
from tests.openstack.cloud.programs import Programs
from tests.openstack.cloud.site import OPENSTACK

NAME = "placement"


def prepare(programs: Programs) -> None:
    """Make the configuration and an empty database."""
    site = programs.site
    folder = site.settings / NAME
    folder.mkdir()
    file = folder / "placement.conf"
    file.write_text(
        text_of(
            {
                "DEFAULT": {"use_stderr": True},
                "api": {"auth_strategy": "keystone"},
                "placement_database": {"connection": site.database(NAME)},
                "keystone_authtoken": token_checks(site, "nova"),
            }
        )
    )
    mariadb.create_database(site, NAME)
    programs.run("placement-manage", [OPENSTACK / "bin" / "placement-manage", "--config-file", file, "db", "sync"])


def start(programs: Programs) -> None:
    """Serve upstream's Placement API."""
    where = {"OS_PLACEMENT_CONFIG_DIR": str(programs.site.settings / NAME)}
    gunicorn.serve(programs, NAME, "placement.wsgi.api:application", where)
    programs.await_port(NAME, programs.site.ports[NAME])
    # The port is open before the application is there, which writes its standard names into the database.
    programs.await_that(NAME, lambda: httpx.get(programs.site.url(NAME), timeout=60).is_success)
