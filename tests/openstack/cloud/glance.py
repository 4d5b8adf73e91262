"""Glance: images, kept as files in the folder of the cloud."""

from __future__ import annotations

import shutil

from tests.openstack.cloud import gunicorn, mariadb
from tests.openstack.cloud.configuration import text_of, token_checks
from tests.openstack.cloud.programs import Programs
from tests.openstack.cloud.site import OPENSTACK

NAME = "glance"


def prepare(programs: Programs) -> None:
    """Make the configuration and the database."""
    site = programs.site
    folder = site.settings / NAME
    folder.mkdir()
    paste = folder / "glance-api-paste.ini"
    shutil.copy(OPENSTACK / "etc" / "glance" / "glance-api-paste.ini", paste)
    file = folder / "glance-api.conf"
    images = site.home / "images"
    images.mkdir()
    file.write_text(
        text_of(
            {
                "DEFAULT": {"use_stderr": True, "enabled_backends": "fs:file", "enabled_import_methods": "[]"},
                "paste_deploy": {"flavor": "keystone", "config_file": paste},
                "database": {"connection": site.database(NAME)},
                "glance_store": {"default_backend": "fs"},
                "fs": {"filesystem_store_datadir": images},
                "os_glance_staging_store": {"filesystem_store_datadir": images / "staging"},
                "os_glance_tasks_store": {"filesystem_store_datadir": images / "tasks"},
                "oslo_concurrency": {"lock_path": site.home / "lock"},
                "keystone_authtoken": token_checks(site, NAME),
            }
        )
    )
    mariadb.create_database(site, NAME)
    programs.run("glance-manage", [OPENSTACK / "bin" / "glance-manage", "--config-file", file, "db_sync"])


def start(programs: Programs) -> None:
    """Serve the Image API."""
    where = {"OS_GLANCE_CONFIG_DIR": str(programs.site.settings / NAME)}
    gunicorn.serve(programs, NAME, "glance.wsgi.api:application", where)
