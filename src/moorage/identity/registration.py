"""Making Moorage known to a Keystone: its accounts, its services and where they are.

What shall be there is a value; `register` brings it about and `as_commands` tells an operator how to. Both can be done
again: what is there stays, and nobody is led elsewhere unless that is asked for.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from moorage.client.identity import IdentityClient
from moorage.service.errors import OperatorError

INTERFACES = ("public", "internal")


@dataclass(frozen=True, slots=True)
class Account:
    """A user of the services' project."""

    name: str
    roles: Sequence[str]


@dataclass(frozen=True, slots=True)
class Service:
    """An entry of the catalog; `path` is where `moorage serve` has the service."""

    type: str
    name: str
    path: str
    description: str


SERVICES = {
    "placement": Service("placement", "placement", "/placement", "Placement, by Moorage"),
    "reservation": Service("reservation", "reservation", "/reservation/v1", "Reservations, by Moorage"),
    "liquid": Service("liquid-nova", "liquid-nova", "/liquid-nova", "Capacity and quota of compute, by Moorage"),
}
"""What can be registered, by the name that `moorage serve --services` has for it."""

CHECKS_TOKENS = Account("moorage", ("service",))
"""For `[keystone_authtoken]`: may ask whose a token is."""

ACTS_IN_THE_CLOUD = Account("moorage-operator", ("admin", "service"))
"""For `[placement_client]`: leases and capacity need flavors, aggregates and servers of all projects."""


@dataclass(frozen=True, slots=True)
class Registration:
    """What shall be there."""

    url: str
    region: str
    services: Sequence[Service]
    project: str = "service"
    domain_id: str = "default"

    @property
    def accounts(self) -> Sequence[Account]:
        """Those that the services need; Placement asks nobody but Keystone."""
        acts = any(service.type != "placement" for service in self.services)
        return (CHECKS_TOKENS, ACTS_IN_THE_CLOUD) if acts else (CHECKS_TOKENS,)

    def address(self, service: Service) -> str:
        """Where a service is."""
        return f"{self.url.rstrip('/')}{service.path}"


def register(
    identity: IdentityClient, wanted: Registration, password: str, *, replace: bool = False, reset: bool = False
) -> Iterator[str]:
    """Bring it about, and tell each thing that was done; what was right already is passed over in silence.

    `replace` leads an entry of the catalog that names another address to this one; `reset` gives accounts that are
    there the password.
    """
    project = identity.project(wanted.project, wanted.domain_id)
    if project is None:
        project = identity.create_project(wanted.project, wanted.domain_id)
        yield f"made the project {wanted.project}"
    for account in wanted.accounts:
        yield from _register_account(identity, wanted, account, project.id, password, reset=reset)
    if not identity.has_region(wanted.region):
        identity.create_region(wanted.region)
        yield f"made the region {wanted.region}"
    for service in wanted.services:
        yield from _register_service(identity, wanted, service, replace=replace)


def _register_account(
    identity: IdentityClient, wanted: Registration, account: Account, project_id: str, password: str, *, reset: bool
) -> Iterator[str]:
    user = identity.user(account.name, wanted.domain_id)
    if user is None:
        user = identity.create_user(account.name, wanted.domain_id, password)
        yield f"made the user {account.name}"
    elif reset:
        identity.set_password(user.id, password)
        yield f"changed the password of the user {account.name}"
    for name in account.roles:
        role = identity.role(name)
        if role is None:
            raise OperatorError(f"Keystone has no role {name}; make it with: openstack role create {name}")
        if not identity.has_role(project_id, user.id, role.id):
            identity.grant_role(project_id, user.id, role.id)
            yield f"gave the user {account.name} the role {name} in the project {wanted.project}"


def _register_service(
    identity: IdentityClient, wanted: Registration, service: Service, *, replace: bool
) -> Iterator[str]:
    found = identity.service(service.type)
    if found is None:
        found = identity.create_service(service.type, service.name, service.description)
        yield f"made the service {service.name} of the type {service.type}"
    address = wanted.address(service)
    for interface in INTERFACES:
        there = identity.endpoints(found.id, interface, wanted.region)
        if not there:
            identity.create_endpoint(found.id, interface, wanted.region, address)
            yield f"made the {interface} endpoint {address}"
        elif all(endpoint.url != address for endpoint in there):
            if not replace:
                raise OperatorError(
                    f"The {interface} endpoint of {service.type} in {wanted.region} is {there[0].url}, not {address}."
                    " To lead everybody to the new one, say --replace."
                )
            identity.move_endpoint(there[0].id, address)
            yield f"moved the {interface} endpoint of {service.type} from {there[0].url} to {address}"


def as_commands(wanted: Registration) -> Iterator[str]:
    """What to type instead."""
    domain = ("--domain", wanted.domain_id)
    yield _command("project", "create", "--or-show", *domain, wanted.project)
    for account in wanted.accounts:
        yield _command("user", "create", "--or-show", *domain, "--password-prompt", account.name)
        for role in account.roles:
            yield _command("role", "add", "--project", wanted.project, "--user", account.name, role)
    for service in wanted.services:
        about = ("--name", service.name, "--description", service.description)
        yield _command("service", "create", *about, service.type)
        for interface in INTERFACES:
            where = (service.type, interface, wanted.address(service))
            yield _command("endpoint", "create", "--region", wanted.region, *where)


def _command(*words: str) -> str:
    return shlex.join(("openstack", *words))
