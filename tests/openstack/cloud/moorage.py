"""Moorage: Placement, reservations and capacity for this cloud, as docs/openstack.md tells operators to set it up."""

from __future__ import annotations

import json
import os
import subprocess
import urllib.request
from contextlib import suppress

from tests.openstack.cloud import keystone, mariadb
from tests.openstack.cloud.configuration import credential, text_of
from tests.openstack.cloud.programs import Programs, plain_environment
from tests.openstack.cloud.site import ADDRESS, MOORAGE, PASSWORD, Site

NAME = "moorage"
WORKERS = 2


def prepare(site: Site) -> None:
    """Make the settings and the database."""
    folder = site.settings / NAME
    folder.mkdir()
    checks = {"www_authenticate_uri": site.identity, **credential(site, "moorage")}
    liquid = folder / "liquid.json"
    liquid.write_text(
        json.dumps(
            {
                "hypervisor_selection": {"aggregate_name_pattern": "^zone-"},
                "with_subcapacities": True,
                "with_subresources": True,
            }
        )
    )
    (folder / "moorage.conf").write_text(
        text_of(
            {
                "DEFAULT": {"state_path": site.home / NAME},
                "api": {"auth_strategy": "keystone", "services": "placement,reservation,liquid"},
                "database": {"connection": site.database(NAME, charset="utf8mb4")},
                "keystone_authtoken": checks,
                "placement_client": credential(site, "moorage-operator"),
                "liquid": {"config_file": liquid},
            }
        )
    )
    mariadb.create_database(site, NAME, charset="utf8mb4")


def register(site: Site) -> str:
    """Make Moorage known to Keystone, and tell what was said about it."""
    (site.home / "password").write_text(PASSWORD)
    done = subprocess.run(
        [
            MOORAGE / "bin" / "moorage",
            "openstack",
            "register",
            "--url",
            site.url(NAME),
            "--password-file",
            site.home / "password",
        ],
        env={**environment(site), **keystone.environment(site)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def environment(site: Site) -> dict[str, str]:
    """What the `moorage` command has in the shell of whoever runs this cloud."""
    path = {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}
    return {**plain_environment(), **path, "MOORAGE_CONFIG": str(site.settings / NAME / "moorage.conf")}


def start(programs: Programs) -> None:
    """Serve."""
    site = programs.site
    serving = ["serve", "--host", ADDRESS, "--port", str(site.ports[NAME]), "--workers", str(WORKERS)]
    programs.start(NAME, [MOORAGE / "bin" / "moorage", *serving], environment(site))
    programs.await_that(NAME, lambda: _is_healthy(site))


def _is_healthy(site: Site) -> bool:
    with suppress(OSError), urllib.request.urlopen(f"{site.url(NAME)}/healthcheck", timeout=5) as answer:
        return bool(answer.status == 200)
    return False
