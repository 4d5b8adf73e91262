"""What the console's own API works with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from moorage.capacity.reading.services import Services
from moorage.console.finding import Audit
from moorage.console.outlook import Outlook
from moorage.web.caller import Allows


@dataclass(frozen=True, slots=True)
class Console:
    """The console of one deployment."""

    # The services that are served beside it.
    services: tuple[str, ...]
    # The strategy by which callers are known, and whether there is a service here that takes passwords.
    authentication: str
    takes_passwords: bool
    # By service: what its policy says.
    policies: Mapping[str, Allows]
    allows: Allows
    # None where there is no compute service to ask.
    cloud: Services | None = None
    outlook: Outlook | None = None
    # By what they look at.
    audits: Mapping[str, Audit] = field(default_factory=dict)
