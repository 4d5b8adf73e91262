"""What clients say about a project, a user or a role, sorted into what means something here and what is only kept."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from moorage.identity.errors import NotFound
from moorage.identity.model import DOMAIN_ID

# What this service says itself, whatever a client sent.
_OURS = frozenset({"id", "links", "domain_id", "parent_id", "is_domain", "options", "password_expires_at"})


def require_the_domain(content: Mapping[str, Any]) -> None:
    """Refuse another domain than the one there is."""
    domain_id = content.get("domain_id")
    if domain_id not in (None, DOMAIN_ID):
        raise NotFound("domain", domain_id)


def values_of(content: Mapping[str, Any], columns: Collection[str], kept: Mapping[str, Any]) -> dict[str, Any]:
    """Values by column, and under "extra" what else was sent, on top of what is kept already."""
    values = {name: content[name] for name in columns if name in content}
    if values.get("description", "") is None:
        values["description"] = ""
    extra = {name: value for name, value in content.items() if name not in columns and name not in _OURS}
    if extra:
        values["extra"] = {**kept, **extra}
    return values
