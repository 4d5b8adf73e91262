"""The body of a request for a token as values: what is shown, by method, and what the token shall be for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from moorage.identity.authentication import Credential, Password, ProjectName, Proof, Wanted, Who
from moorage.identity.errors import Invalid, NotAuthenticated
from moorage.identity.model import DOMAIN_ID, DOMAIN_NAME, SYSTEM, UNSCOPED

Content = dict[str, Any]


def proofs(auth: Content) -> dict[str, Proof]:
    """What is shown, in the order of the methods."""
    identity = auth["identity"]
    found: dict[str, Proof] = {}
    for method in identity["methods"]:
        read = _READERS.get(method)
        if read is None:
            raise NotAuthenticated("Attempted to authenticate with an unsupported method.")
        if method not in identity:
            raise Invalid(f"Expecting to find {method} in identity.")
        found[method] = read(identity[method])
    return found


def wanted_scope(auth: Content) -> Wanted:
    """What the token shall be for."""
    scope = auth.get("scope")
    if scope is None:
        return None
    if scope == "unscoped" or "unscoped" in scope:
        return UNSCOPED
    if "system" in scope:
        return SYSTEM
    if "project" not in scope:
        # Nobody has a role in a domain, so there is no token for one.
        raise NotAuthenticated
    project = scope["project"]
    if "id" in project:
        return ProjectName(project_id=project["id"])
    return ProjectName(name=project["name"]) if _is_ours(project["domain"]) else ProjectName()


def _password(content: Content) -> Password:
    user = content["user"]
    return Password(_who(user), user["password"])


def _credential(content: Content) -> Credential:
    if "id" in content:
        return Credential(content["secret"], credential_id=content["id"])
    return Credential(content["secret"], who=_who(content["user"]), name=content["name"])


def _token(content: Content) -> str:
    text: str = content["id"]
    return text


def _who(user: Content) -> Who:
    if "id" in user:
        return Who(user_id=user["id"])
    return Who(name=user["name"]) if _is_ours(user["domain"]) else Who()


def _is_ours(domain: Content) -> bool:
    """Whether it is the one domain. Its name is compared as Keystone's usual database does, without case."""
    if "id" in domain:
        return bool(domain["id"] == DOMAIN_ID)
    return bool(domain["name"].casefold() == DOMAIN_NAME.casefold())


_READERS: dict[str, Callable[[Content], Proof]] = {
    "password": _password,
    "token": _token,
    "application_credential": _credential,
}
