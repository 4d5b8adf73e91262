"""Keystone: who there is, and where the services are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import openstack

from tests.openstack.cloud import gunicorn, mariadb
from tests.openstack.cloud.configuration import text_of
from tests.openstack.cloud.programs import Programs
from tests.openstack.cloud.site import OPENSTACK, PASSWORD, REGION, Site

NAME = "keystone"
MANAGE = OPENSTACK / "bin" / "keystone-manage"


def prepare(programs: Programs) -> None:
    """Make the database, the keys and the administrator."""
    site = programs.site
    folder = site.settings / NAME
    folder.mkdir()
    file = folder / "keystone.conf"
    file.write_text(
        text_of(
            {
                "DEFAULT": {"use_stderr": True},
                "database": {"connection": site.database(NAME)},
                "token": {"provider": "fernet"},
                "fernet_tokens": {"key_repository": site.home / "fernet"},
                "fernet_receipts": {"key_repository": site.home / "fernet"},
                "credential": {"key_repository": site.home / "credential-keys"},
                "identity": {"password_hash_rounds": 4},
                "cache": {"enabled": True, "backend": "dogpile.cache.memory"},
            }
        )
    )
    mariadb.create_database(site, NAME)
    for keys in ("fernet", "credential-keys"):
        (site.home / keys).mkdir(mode=0o700)

    def manage(*arguments: str) -> None:
        programs.run("keystone-manage", [MANAGE, "--config-file", file, *arguments])

    manage("db_sync")
    manage("fernet_setup", "--keystone-user", "root", "--keystone-group", "root")
    manage("credential_setup", "--keystone-user", "root", "--keystone-group", "root")
    addresses = (f"--bootstrap-{interface}-url" for interface in ("public", "internal", "admin"))
    manage(
        "bootstrap",
        *("--bootstrap-password", PASSWORD, "--bootstrap-region-id", REGION),
        *(word for option in addresses for word in (option, site.identity)),
    )


def start(programs: Programs) -> None:
    """Serve the Identity API."""
    site = programs.site
    where = {"OS_KEYSTONE_CONFIG_DIR": str(site.settings / NAME), "OS_KEYSTONE_CONFIG_FILES": "keystone.conf"}
    gunicorn.serve(programs, NAME, "keystone.wsgi.api:application", where)
    programs.await_port(NAME, site.ports[NAME])


def environment(site: Site, user: str = "admin", project: str = "admin") -> Mapping[str, str]:
    """What a user of the cloud has in the shell, so that clients know who it is."""
    return {
        "OS_AUTH_TYPE": "password",
        "OS_AUTH_URL": site.identity,
        "OS_USERNAME": user,
        "OS_PASSWORD": PASSWORD,
        "OS_PROJECT_NAME": project,
        "OS_USER_DOMAIN_ID": "default",
        "OS_PROJECT_DOMAIN_ID": "default",
        "OS_IDENTITY_API_VERSION": "3",
        "OS_REGION_NAME": REGION,
    }


def connect(site: Site, user: str = "admin", project: str = "admin") -> openstack.connection.Connection:
    """The cloud as a user sees it."""
    return openstack.connection.Connection(
        auth_type="password",
        auth={
            "auth_url": site.identity,
            "username": user,
            "password": PASSWORD,
            "project_name": project,
            "user_domain_id": "default",
            "project_domain_id": "default",
        },
        region_name=REGION,
        compute_api_version="2.96",
        placement_api_version="1.39",
    )


def furnish(site: Site) -> None:
    """The accounts and addresses of the other services of OpenStack, and some users."""
    identity: Any = connect(site).identity
    service = identity.create_project(name="service", domain_id="default")
    for name in ("nova", "glance"):
        add_user(site, name, {service.name: ["service"]})
    for type_, name, url in [
        ("compute", "nova", f"{site.url('nova')}/v2.1"),
        ("image", "glance", site.url("glance")),
        ("network", "neutron", site.url("neutron")),
    ]:
        registered = identity.create_service(type=type_, name=name)
        for interface in ("public", "internal"):
            identity.create_endpoint(service_id=registered.id, interface=interface, url=url, region_id=REGION)
    for project, user in (("astronomy", "tycho"), ("botany", "carl")):
        identity.create_project(name=project, domain_id="default")
        add_user(site, user, {project: ["member"]})
    add_user(site, "reader", {"astronomy": ["reader"]})


def add_user(site: Site, name: str, roles: Mapping[str, list[str]]) -> None:
    """A user with roles in projects."""
    identity: Any = connect(site).identity
    user = identity.create_user(name=name, password=PASSWORD, domain_id="default")
    for project_name, role_names in roles.items():
        project = identity.find_project(project_name, ignore_missing=False)
        for role_name in role_names:
            role = identity.find_role(role_name, ignore_missing=False)
            identity.assign_project_role_to_user(project.id, user.id, role.id)
