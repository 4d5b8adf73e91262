"""Which APIs there are to be described, and where each of them is served when all are served together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module

from moorage.web.description import Description
from moorage.web.openapi import document
from moorage.web.schema import Definition


@dataclass(frozen=True, slots=True)
class DescribedApi:
    """One API: what it is called, where it is served, and the module whose DESCRIPTION tells the rest."""

    # As in the description, which a list of all of them need not wait for.
    title: str
    mount: str
    module: str

    def description(self) -> Description:
        """Read when it is asked for: nobody else shall wait for it."""
        found: Description = import_module(self.module).DESCRIPTION
        return found

    def document(self, root: str = "") -> Definition:
        """The OpenAPI document, for readers to whom all services are below this address."""
        return document(self.description(), f"{root}{self.mount}")


DESCRIBED_APIS: Mapping[str, DescribedApi] = {
    "placement": DescribedApi("Placement API", "/placement", "moorage.placement.api.description"),
    "compute": DescribedApi("Compute API", "/compute", "moorage.compute.api.description"),
    "image": DescribedApi("Image API", "/image", "moorage.compute.image_api.description"),
    "identity": DescribedApi("Identity API", "/identity", "moorage.identity.api.description"),
    "reservation": DescribedApi("Reservation API", "/reservation", "moorage.reservations.api.description"),
    "liquid-nova": DescribedApi("LIQUID API", "/liquid-nova", "moorage.capacity.api.description"),
    "console": DescribedApi("Console API", "/console/api", "moorage.console.api.description"),
}
