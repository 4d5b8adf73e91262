"""Who there is and what they may do: values in Keystone's terms, and the rules about roles and names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

DOMAIN_ID = "default"
DOMAIN_NAME = "Default"

# The names by which policies know roles; they are always there, and nobody renames or removes them.
STANDARD_ROLES = ("admin", "member", "reader", "service")

# The administrator who is made at first start, and whom the admin token stands for.
ADMIN_USER_ID = "admin"
ADMIN_PROJECT_ID = "admin"

# Whoever has a role also has those that it implies, and what these imply in turn.
IMPLIED_ROLES: Mapping[str, tuple[str, ...]] = {"admin": ("member",), "member": ("reader",)}

MAX_PASSWORD_LENGTH = 4096


@dataclass(frozen=True, slots=True)
class Project:
    """What resources belong to."""

    id: str
    name: str
    description: str = ""
    enabled: bool = True
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class User:
    """Somebody who can log in. The stored form of the password is not part of it."""

    id: str
    name: str
    description: str = ""
    enabled: bool = True
    default_project_id: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Role:
    """A name for what somebody may do."""

    id: str
    name: str
    description: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Grant:
    """A user has a role in a project, or in the whole system."""

    user_id: str
    role_id: str
    # None for the system.
    project_id: str | None


@dataclass(frozen=True, slots=True)
class ApplicationCredential:
    """A secret by which a program acts for a user in one project, with some of the user's roles."""

    id: str
    user_id: str
    project_id: str
    name: str
    description: str
    roles: tuple[Role, ...]
    # Whether its bearer may make and remove further ones.
    unrestricted: bool
    expires_at: datetime | None

    def is_expired(self, now: datetime) -> bool:
        """Whether its time is over."""
        return self.expires_at is not None and self.expires_at <= now


@dataclass(frozen=True, slots=True)
class Scope:
    """What a token is for: a project, the whole system, or nothing (it only says who somebody is)."""

    project_id: str | None = None
    is_system: bool = False


UNSCOPED = Scope()
SYSTEM = Scope(is_system=True)


@dataclass(frozen=True, slots=True)
class Token:
    """A token that is out and still good, with what it stands for at this moment."""

    digest: str
    user: User
    project: Project | None
    is_system: bool
    roles: tuple[Role, ...]
    methods: tuple[str, ...]
    audit_ids: tuple[str, ...]
    issued_at: datetime
    expires_at: datetime
    credential: ApplicationCredential | None = None

    @property
    def scope(self) -> Scope:
        """What it is for."""
        return Scope(self.project.id if self.project else None, self.is_system)


def implied_names(names: Iterable[str]) -> set[str]:
    """These roles and all that they imply."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += IMPLIED_ROLES.get(name, ())
    return found


def with_implied(granted: Iterable[Role], known: Iterable[Role]) -> tuple[Role, ...]:
    """The roles that were granted and those that they imply, by name."""
    names = implied_names(role.name for role in granted)
    return tuple(sorted((role for role in known if role.name in names), key=lambda role: role.name))
