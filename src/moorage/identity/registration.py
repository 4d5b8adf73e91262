"""Making Moorage known to a Keystone: its accounts, its services and where they are.

What shall be there is a value; `register` brings it about and `as_commands` tells an operator how to. Both can be done
again: what is there stays, and nobody is led elsewhere unless that is asked for.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from moorage.client.identity import Endpoint, IdentityClient
from moorage.service.errors import OperatorError

INTERFACES = ("public", "internal")
"""Those that are made; on others there may be endpoints that somebody else has made."""


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

    `replace` leads entries of the catalog that name another address to this one; `reset` gives accounts that are there
    the password. What is refused of one service does not hold up the others: the OperatorError comes last.
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
    refused: list[str] = []
    for service in wanted.services:
        try:
            yield from _register_service(identity, wanted, service, replace=replace)
        except OperatorError as refusal:
            refused.append(str(refusal))
    if refused:
        raise OperatorError("\n".join(refused))


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
    """One service and its endpoints, of which nothing is touched if any of it is refused."""
    known = identity.services(service.type)
    if len(known) > 1:
        ids = ", ".join(sorted(each.id for each in known))
        raise OperatorError(
            f"Keystone has {len(known)} services of the type {service.type} ({ids}), and clients take any of them."
            " Delete all but one: openstack service delete ID"
        )
    there = identity.endpoints(known[0].id, wanted.region) if known else []
    address = wanted.address(service)
    if known and not known[0].enabled:
        raise OperatorError(
            f"The service of the type {service.type} is disabled, so that nobody finds it. Enable it with:"
            f" openstack service set --enable {known[0].id}"
        )
    _refuse_endpoints(wanted, service, there, replace=replace)
    if known:
        service_id = known[0].id
    else:
        service_id = identity.create_service(service.type, service.name, service.description).id
        yield f"made the service {service.name} of the type {service.type}"
    for endpoint in there:
        if endpoint.url != address:
            identity.move_endpoint(endpoint.id, address)
            yield f"moved the {endpoint.interface} endpoint of {service.type} from {endpoint.url} to {address}"
    for interface in INTERFACES:
        if all(endpoint.interface != interface for endpoint in there):
            identity.create_endpoint(service_id, interface, wanted.region, address)
            yield f"made the {interface} endpoint {address}"


def _refuse_endpoints(wanted: Registration, service: Service, there: Sequence[Endpoint], *, replace: bool) -> None:
    """OperatorError if endpoints are disabled, or lead elsewhere and shall stay."""
    address = wanted.address(service)
    for endpoint in there:
        if not endpoint.enabled:
            raise OperatorError(
                f"The {endpoint.interface} endpoint {endpoint.url} of {service.type} in {wanted.region} is disabled."
                f" Enable it with: openstack endpoint set --enable {endpoint.id}"
                f" (or have it made anew: openstack endpoint delete {endpoint.id})"
            )
    elsewhere = [f"the {each.interface} endpoint is {each.url}" for each in there if each.url != address]
    if elsewhere and not replace:
        raise OperatorError(
            f"Of {service.type} in {wanted.region}, {', '.join(elsewhere)}, not {address}."
            " To lead everybody to the new one, say --replace."
        )


def as_commands(wanted: Registration) -> Iterator[str]:
    """What to type instead, where none of the region, the services and the endpoints is there yet."""
    domain = ("--domain", wanted.domain_id)
    yield _command("project", "create", "--or-show", *domain, wanted.project)
    for account in wanted.accounts:
        yield _command("user", "create", "--or-show", *domain, "--password-prompt", account.name)
        for role in account.roles:
            yield _command("role", "add", "--project", wanted.project, "--user", account.name, role)
    yield _command("region", "create", wanted.region)
    for service in wanted.services:
        about = ("--name", service.name, "--description", service.description)
        yield _command("service", "create", *about, service.type)
        for interface in INTERFACES:
            where = (service.type, interface, wanted.address(service))
            yield _command("endpoint", "create", "--region", wanted.region, *where)


def _command(*words: str) -> str:
    return shlex.join(("openstack", *words))
