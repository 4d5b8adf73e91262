"""Configuration files as OpenStack's services read them, and what stands in the same way in many of them."""

from __future__ import annotations

from collections.abc import Mapping

from tests.openstack.cloud.site import PASSWORD, REGION, Site

Section = Mapping[str, object]


def text_of(sections: Mapping[str, Section]) -> str:
    """The text of a configuration file."""
    return "\n".join(_section(name, options) for name, options in sections.items())


def _section(name: str, options: Section) -> str:
    lines = (
        f"{option} = {str(value).lower() if isinstance(value, bool) else value}" for option, value in options.items()
    )
    return "\n".join([f"[{name}]", *lines, ""])


def credential(site: Site, user: str) -> Section:
    """How a service shows who it is, when it asks another one."""
    return {
        "auth_type": "password",
        "auth_url": site.identity,
        "username": user,
        "password": PASSWORD,
        "user_domain_id": "default",
        "project_name": "service",
        "project_domain_id": "default",
        "region_name": REGION,
    }


def token_checks(site: Site, user: str) -> Section:
    """How a service learns who calls it."""
    return {
        "www_authenticate_uri": site.identity,
        **credential(site, user),
        "service_token_roles": "service",
        "service_token_roles_required": True,
    }
