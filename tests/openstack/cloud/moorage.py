"""Moorage: Placement, reservations and capacity for this cloud, as docs/openstack.md tells operators to set it up."""

from __future__ import annotations

import json
import os
import subprocess
import urllib.request
from contextlib import suppress

from tests.docs.documents import blocks
from tests.openstack.cloud import keystone, mariadb
from tests.openstack.cloud.configuration import text_of
from tests.openstack.cloud.programs import Programs, plain_environment
from tests.openstack.cloud.site import ADDRESS, MOORAGE, PASSWORD, REPOSITORY, Site

NAME = "moorage"
WORKERS = 2


def prepare(site: Site) -> None:
    """Make the settings, which are those of the guide, and the database."""
    folder = site.settings / NAME
    folder.mkdir()
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
    (guide,) = blocks(REPOSITORY / "docs" / "openstack.md", "ini")
    documented = "\n".join(guide.lines)
    for name, here in documented_names(site).items():
        documented = documented.replace(name, here)
    here_alone = {"DEFAULT": {"state_path": site.home / NAME}, "liquid": {"config_file": liquid}}
    (folder / "moorage.conf").write_text(f"{documented}\n\n{text_of(here_alone)}")
    mariadb.create_database(site, NAME, charset="utf8mb4", server=mariadb.OURS)


def use_database(site: Site, name: str) -> None:
    """Have the settings name another database of the same server, from the next start on."""
    file = site.settings / NAME / "moorage.conf"
    lines = file.read_text().splitlines()
    url = site.database(name, charset="utf8mb4", server=mariadb.OURS)
    file.write_text("\n".join(f"connection = {url}" if line.startswith("connection = ") else line for line in lines))


def documented_names(site: Site) -> dict[str, str]:
    """What is called otherwise in the guide for operators than it is here."""
    return {
        "http://moorage.example.org:8778": site.url(NAME),
        "http://keystone.example.org": site.url(keystone.NAME),
        "moorage:PASSWORD@db.example.org": f"root:{PASSWORD}@{ADDRESS}:{site.ports[mariadb.OURS]}",
        "PASSWORD": PASSWORD,
    }


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
