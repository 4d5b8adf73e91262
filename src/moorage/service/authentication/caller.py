"""The caller of a request, as the policy judges them, and the answers to those who are nobody."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import msgspec

from moorage.service.request_log import REQUEST_ID

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

# Where a strategy leaves the caller for whoever comes after it.
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


def unauthorized(environ: WSGIEnvironment, start_response: StartResponse, detail: str) -> Iterable[bytes]:
    """401: no credential, or none that is known."""
    challenge = ("www-authenticate", 'X-Auth-Token realm="moorage"')
    return _refusal(environ, start_response, HTTPStatus.UNAUTHORIZED, detail, challenge)


def unavailable(environ: WSGIEnvironment, start_response: StartResponse, detail: str) -> Iterable[bytes]:
    """503: nobody can be judged, for a reason that the operator has to mend."""
    return _refusal(environ, start_response, HTTPStatus.SERVICE_UNAVAILABLE, detail)


def _refusal(
    environ: WSGIEnvironment, start_response: StartResponse, status: HTTPStatus, detail: str, *headers: tuple[str, str]
) -> Iterable[bytes]:
    error: dict[str, Any] = {"status": status.value, "title": status.phrase, "detail": detail}
    if REQUEST_ID in environ:
        error["request_id"] = environ[REQUEST_ID]
    body = msgspec.json.encode({"errors": [error]})
    content = [("content-type", "application/json"), ("content-length", str(len(body)))]
    start_response(f"{status.value} {status.phrase}", [*content, *headers])
    return [body]
