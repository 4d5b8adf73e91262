"""Values of the room as JSON, as Keystone shows them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from moorage.identity.catalog import Endpoint, Service
from moorage.identity.model import DOMAIN_ID, DOMAIN_NAME, ApplicationCredential, Project, Role, Token, User

Rendered = dict[str, Any]

DOMAIN: Rendered = {"id": DOMAIN_ID, "name": DOMAIN_NAME}


def moment(time: datetime) -> str:
    """2026-01-31T12:00:00.000000Z"""
    return f"{time.isoformat(timespec='microseconds')}Z"


def project(value: Project, base_url: str) -> Rendered:
    """A project."""
    return {
        "tags": [],
        **value.extra,
        "id": value.id,
        "name": value.name,
        "domain_id": DOMAIN_ID,
        "parent_id": DOMAIN_ID,
        "description": value.description,
        "enabled": value.enabled,
        "is_domain": False,
        "options": {},
        "links": {"self": f"{base_url}/v3/projects/{value.id}"},
    }


def user(value: User, base_url: str) -> Rendered:
    """A user."""
    shown: Rendered = {
        **value.extra,
        "id": value.id,
        "name": value.name,
        "domain_id": DOMAIN_ID,
        "description": value.description,
        "enabled": value.enabled,
        "password_expires_at": None,
        "options": {},
        "links": {"self": f"{base_url}/v3/users/{value.id}"},
    }
    if value.default_project_id is not None:
        shown["default_project_id"] = value.default_project_id
    return shown


def role(value: Role, base_url: str) -> Rendered:
    """A role."""
    return {
        **value.extra,
        "id": value.id,
        "name": value.name,
        "domain_id": None,
        "description": value.description or None,
        "options": {},
        "links": {"self": f"{base_url}/v3/roles/{value.id}"},
    }


def domain(base_url: str) -> Rendered:
    """The one domain."""
    return {
        **DOMAIN,
        "description": "The one domain there is.",
        "enabled": True,
        "tags": [],
        "options": {},
        "links": {"self": f"{base_url}/v3/domains/{DOMAIN_ID}"},
    }


def application_credential(value: ApplicationCredential, base_url: str) -> Rendered:
    """An application credential; its secret is shown only once, by whoever makes it."""
    return {
        "id": value.id,
        "name": value.name,
        "description": value.description or None,
        "project_id": value.project_id,
        "user_id": value.user_id,
        "roles": [{"id": role.id, "name": role.name, "domain_id": None} for role in value.roles],
        "unrestricted": value.unrestricted,
        "expires_at": moment(value.expires_at) if value.expires_at else None,
        "access_rules": [],
        "links": {"self": f"{base_url}/v3/users/{value.user_id}/application_credentials/{value.id}"},
    }


def token(value: Token, endpoints: Iterable[Endpoint] | None) -> Rendered:
    """A token, with the catalog unless it is for nothing or nobody wants to see it."""
    shown: Rendered = {
        "methods": list(value.methods),
        "user": {"id": value.user.id, "name": value.user.name, "domain": DOMAIN, "password_expires_at": None},
        "audit_ids": list(value.audit_ids),
        "issued_at": moment(value.issued_at),
        "expires_at": moment(value.expires_at),
    }
    if value.project is not None:
        shown["project"] = {"id": value.project.id, "name": value.project.name, "domain": DOMAIN}
        shown["is_domain"] = False
    if value.is_system:
        shown["system"] = {"all": True}
    if value.roles:
        shown["roles"] = [{"id": role.id, "name": role.name} for role in value.roles]
        if endpoints is not None:
            shown["catalog"] = catalog(endpoints)
    if value.credential is not None:
        shown["application_credential"] = {
            "id": value.credential.id,
            "name": value.credential.name,
            "restricted": not value.credential.unrestricted,
        }
    return shown


def catalog(endpoints: Iterable[Endpoint]) -> list[Rendered]:
    """Services with their endpoints."""
    by_service: defaultdict[Service, list[Rendered]] = defaultdict(list)
    for one in endpoints:
        shown = {"id": one.id, "interface": one.interface, "region": one.region, "region_id": one.region}
        by_service[one.service].append({**shown, "url": one.url})
    return [
        {"id": service.id, "type": service.type, "name": service.name, "endpoints": shown}
        for service, shown in by_service.items()
    ]


def service(value: Service, base_url: str) -> Rendered:
    """A service."""
    return {
        "id": value.id,
        "type": value.type,
        "name": value.name,
        "enabled": True,
        "links": {"self": f"{base_url}/v3/services/{value.id}"},
    }


def endpoint(value: Endpoint, base_url: str) -> Rendered:
    """An endpoint."""
    return {
        "id": value.id,
        "service_id": value.service.id,
        "interface": value.interface,
        "region": value.region,
        "region_id": value.region,
        "url": value.url,
        "enabled": True,
        "links": {"self": f"{base_url}/v3/endpoints/{value.id}"},
    }


def region(name: str, base_url: str) -> Rendered:
    """The one region."""
    return {
        "id": name,
        "description": "",
        "parent_region_id": None,
        "links": {"self": f"{base_url}/v3/regions/{name}"},
    }
