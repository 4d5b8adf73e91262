"""The service catalog: which services there are, and where.

It is not kept anywhere: services are those that are served, and addresses are made from the one under which the caller
reached this service, or from a setting. Ids are derived from what they name, so that they are the same everywhere.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass

INTERFACES = ("public", "internal", "admin")

_NAMESPACE = uuid.UUID("5f0d3c68-5a2c-4f0b-9a57-3f9a1f0f7c11")


@dataclass(frozen=True, slots=True)
class Service:
    """A kind of API, and its path below the address of the cloud."""

    type: str
    name: str
    path: str

    @property
    def id(self) -> str:
        """The same wherever the service runs."""
        return _id("service", self.type)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a service is, for some kind of caller."""

    service: Service
    interface: str
    region: str
    url: str

    @property
    def id(self) -> str:
        """The same whatever the address."""
        return _id("endpoint", self.service.type, self.interface, self.region)


# What each part that can be served (`[api] services`) offers.
_OFFERED = {
    "identity": (Service("identity", "keystone", "/identity"),),
    "placement": (Service("placement", "placement", "/placement"),),
    "compute": (Service("compute", "nova", "/compute/v2.1"), Service("image", "glance", "/image")),
    "reservation": (Service("reservation", "blazar", "/reservation/v1"),),
    "liquid": (Service("liquid-nova", "liquid-nova", "/liquid-nova"),),
}
# Where this service itself is mounted.
_OWN_PATH = "/identity"


@dataclass(frozen=True, slots=True)
class Catalog:
    """What is offered, in one region."""

    services: tuple[Service, ...]
    region: str
    # The address of the cloud, if it is not the one that callers use.
    public_endpoint: str | None = None

    def endpoints(self, base_url: str) -> list[Endpoint]:
        """Every endpoint, for somebody who reached this service under an address."""
        root = (self.public_endpoint or base_url.removesuffix(_OWN_PATH)).rstrip("/")
        return [
            Endpoint(service, interface, self.region, f"{root}{service.path}")
            for service in self.services
            for interface in INTERFACES
        ]


def offered_by(served: Iterable[str]) -> tuple[Service, ...]:
    """The services of the parts that are served, by type."""
    found = [service for name in served for service in _OFFERED.get(name, ())]
    return tuple(sorted(found, key=lambda service: service.type))


def _id(*parts: str) -> str:
    return uuid.uuid5(_NAMESPACE, "/".join(parts)).hex
