"""What projects may use, and what they use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from moorage.client.calls import Calls, path_of
from moorage.client.compute.values import Limits
from moorage.client.errors import NotFound

# Those of a project that has none of its own are the defaults, whoever that is.
_NOBODY = "0" * 32


class QuotaCalls:
    """The part of the client that is about quotas."""

    _calls: Calls

    def limits(self, project_id: str) -> Limits:
        """What a project may use and what it uses."""
        return self._calls.read(_Limits, "/limits", [("tenant_id", project_id)]).limits

    def update_quota_set(self, project_id: str, quotas: Mapping[str, int]) -> None:
        """Change some of a project's quotas."""
        content = {"quota_set": dict(quotas)}
        self._calls.send("PUT", path_of("os-quota-sets", project_id), content=content)

    def default_quotas(self) -> Mapping[str, int]:
        """The quotas of a project that has none of its own, by Nova's names, such as cores; -1 is without bounds."""
        try:
            # Those of the class "default".
            return self._quotas("/os-quota-class-sets/default", "quota_class_set")
        except NotFound:
            # A Moorage has no classes.
            return self._quotas(path_of("os-quota-sets", _NOBODY, "defaults"), "quota_set")

    def _quotas(self, path: str, key: str) -> Mapping[str, int]:
        told: Mapping[str, Any] = self._calls.read(dict[str, dict[str, Any]], path)[key]
        return {name: value for name, value in told.items() if isinstance(value, int)}


# --- how the API words it


class _Limits(Struct, frozen=True):
    limits: Limits
