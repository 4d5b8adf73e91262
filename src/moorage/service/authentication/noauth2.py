"""The strategy `noauth2`: believes what it is told. For tests and trials on one's own machine.

The token is a user id, or `user:project`. The user `admin` has the role admin; an `X-Roles` header overrules that.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from moorage.service.authentication.refusals import unauthorized
from moorage.web.caller import CALLER, Caller

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


def believing(application: WSGIApplication) -> WSGIApplication:
    """The application, called by whoever the caller says they are."""

    def believe(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        token = environ.get("HTTP_X_AUTH_TOKEN")
        if not token:
            return unauthorized(environ, start_response, "Send X-Auth-Token: admin, or user:project.")
        user_id, _, project_id = token.partition(":")
        environ[CALLER] = Caller(
            user_id=user_id,
            project_id=_project(environ, project_id or user_id),
            roles=_roles(environ, user_id),
            system_scope=environ.get("HTTP_OPENSTACK_SYSTEM_SCOPE"),
        )
        return application(environ, start_response)

    return believe


def _project(environ: WSGIEnvironment, by_token: str) -> str | None:
    named: str | None = environ.get("HTTP_X_PROJECT_ID")
    if named is not None:
        return named
    return None if environ.get("HTTP_OPENSTACK_SYSTEM_SCOPE") else by_token


def _roles(environ: WSGIEnvironment, user_id: str) -> tuple[str, ...]:
    named: str | None = environ.get("HTTP_X_ROLES")
    if named is not None:
        return tuple(role.strip() for role in named.split(",") if role.strip())
    return ("admin",) if user_id == "admin" else ()
