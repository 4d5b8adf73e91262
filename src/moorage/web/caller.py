"""The caller of a request, as authentication found them and policy judges them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

# Where, in the environment of a WSGI request, a strategy of authentication leaves the caller.
CALLER = "moorage.caller"


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody with a valid credential."""

    user_id: str
    project_id: str | None
    roles: tuple[str, ...]
    # A token for the whole system ("all") or for a domain is not one for a project.
    system_scope: str | None = None
    domain_id: str | None = None

    def credentials(self) -> dict[str, Any]:
        """What oslo.policy looks at."""
        return {
            "user_id": self.user_id,
            "project_id": self.project_id,
            "roles": list(self.roles),
            "system_scope": self.system_scope,
            "domain_id": self.domain_id,
        }


# caller, rule, the project it is about (None for the caller's own): whether the policy allows it.
Allows = Callable[[Caller, str, str | None], bool]
