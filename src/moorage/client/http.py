"""Requests over HTTP, through a keystoneauth session: any of its authentication plugins, any endpoint it can find.

Whatever goes wrong on the way becomes a sentence that names the address and the reason, and no secret: an address may
have a password in it.
"""

from __future__ import annotations

import re
import ssl
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from http import HTTPStatus
from http.client import HTTPException
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import msgspec
from keystoneauth1 import exceptions
from keystoneauth1.adapter import Adapter
from keystoneauth1.plugin import BaseAuthPlugin
from keystoneauth1.session import Session, TCPKeepAliveAdapter

from moorage import __version__
from moorage.client.errors import ClientError, NoEndpoint, Unauthorized, Unavailable
from moorage.client.transport import Response

if TYPE_CHECKING:
    import requests

# More threads than that wait for nobody, but a connection of theirs is closed after use.
_CONNECTIONS = 32
# Whoever asks twice changes nothing.
_HARMLESS = frozenset({"GET", "HEAD"})


def open_session(
    auth: BaseAuthPlugin | None,
    *,
    timeout: float = 60,
    verify: bool | str = True,
    cert: str | tuple[str, str] | None = None,
) -> Session:
    """A session with connections for many threads.

    `verify` is whether to check certificates, or the file with the authorities to trust; `cert` is the client's own
    certificate, alone or with its key.
    """
    session = Session(auth, timeout=timeout, verify=verify, cert=cert, app_name="moorage", app_version=__version__)
    for scheme in ("http://", "https://"):
        session.mount(scheme, TCPKeepAliveAdapter(pool_connections=_CONNECTIONS, pool_maxsize=_CONNECTIONS))
    return session


class HttpTransport:
    """Sends requests to the endpoint of an adapter. After a 401 keystoneauth gets a new token and tries once more.

    Where a login is under way, requests wait for it: a credential that is refused is sent once, and not once more.
    """

    def __init__(self, adapter: Adapter, login: Future[object] | None = None) -> None:
        self._adapter = adapter
        self._login = login

    def send(
        self,
        method: str,
        path: str,
        *,
        query: Sequence[tuple[str, str]] = (),
        content: object = None,
        headers: Mapping[str, str] | None = None,
    ) -> Response:
        """Send a request and take the answer whole; Unauthorized if the identity service does not know the caller."""
        body = None if content is None else msgspec.json.encode(content)
        sent = {**(headers or {}), **({"content-type": "application/json"} if body else {})}
        address = f"{path}?{urlencode(query)}" if query else path
        try:
            if self._login is not None:
                self._login.result()
            try:
                response = self._request(method, address, body, sent)
            except exceptions.ConnectFailure as error:
                # A service may close a connection that was idle at the very moment when it is used again.
                if method not in _HARMLESS or not _was_cut(error):
                    raise
                response = self._request(method, address, body, sent)
        except (exceptions.ClientException, OSError) as error:
            raise self._explained(error, path) from error
        lowered = {name.lower(): value for name, value in response.headers.items()}
        return Response(response.status_code, lowered, response.content)

    def is_offered(self) -> bool:
        """Whether anybody says where the service is; it may be away all the same."""
        if self._adapter.endpoint_override:
            return True
        try:
            if self._login is not None:
                self._login.result()
            return self._adapter.get_endpoint() is not None
        except (exceptions.ClientException, OSError) as error:
            raise self._explained(error, "") from error

    def _request(self, method: str, address: str, body: bytes | None, headers: dict[str, str]) -> requests.Response:
        # Bodies would fill the log, and it would say who the token's bearer is.
        return self._adapter.request(address, method, data=body, headers=headers, raise_exc=False, log=False)

    def _explained(self, error: Exception, path: str) -> ClientError:
        given = self._adapter.endpoint_override or "The endpoint"
        endpoint = (_address(error) or _without_secrets(given)).removesuffix(path)
        if isinstance(error, exceptions.HttpError):
            return _identity_refusal(error)
        if isinstance(error, exceptions.EndpointNotFound):
            return NoEndpoint(
                f"The service catalog names no endpoint of the type {self._adapter.service_type}"
                f" (interface {_listed(self._adapter.interface)}, region {self._adapter.region_name or 'any'})."
            )
        if isinstance(error, exceptions.ConnectTimeout):
            return Unavailable(f"{endpoint} gave no answer within {self._adapter.session.timeout:g} seconds.")
        # Where the identity service is away, its versions could not be found out, and the reason is behind that.
        if any(isinstance(cause, exceptions.ConnectionError | OSError) for cause in _chain(error)):
            return Unavailable(f"{endpoint} cannot be reached: {_reason(error)}.")
        return Unavailable(f"Nobody could be asked: {_without_secrets(str(error)).rstrip('.')}.")


def _identity_refusal(error: exceptions.HttpError) -> ClientError:
    """What the identity service says, which is the only one whose errors keystoneauth raises here."""
    address = _without_secrets(error.url or "the identity service")
    told = f"({error.http_status}): {' '.join(str(error.message).split()).rstrip('.')}."
    if error.http_status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        return Unauthorized(f"{address} refused the credential {told}", error.http_status)
    return Unavailable(f"{address} gave no token {told}")


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """An error and those that it came from, the outermost first."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _was_cut(error: BaseException) -> bool:
    """Whether there was a connection, which ended before any answer."""
    return any(isinstance(cause, ConnectionResetError | BrokenPipeError) for cause in _chain(error))


def _address(error: BaseException) -> str:
    """Where the request went that failed: the service itself, or the identity service before it."""
    for cause in _chain(error):
        url = getattr(getattr(cause, "request", None), "url", None)
        if url:
            return _without_secrets(url)
    return ""


def _reason(error: BaseException) -> str:
    """The reason without what the libraries put around it."""
    for cause in _chain(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            return f"its certificate is not accepted: {cause.verify_message}"
        if isinstance(cause, OSError) and cause.strerror:
            return cause.strerror
        if isinstance(cause, ConnectionError | TimeoutError):
            return str(cause)
        if isinstance(cause, HTTPException):
            return f"its answer breaks off, or is no HTTP ({type(cause).__name__})"
    return _without_secrets(str(error.__context__ or error)).rstrip(".")


def _without_secrets(text: str) -> str:
    """A text whose addresses have no user and password, and no query."""
    return re.sub(r"(\w+://)[^/@\s]*@", r"\1", re.sub(r"\?[^\s'\"]*", "", text))


def _listed(names: str | Sequence[str] | None) -> str:
    return names if isinstance(names, str) else " or ".join(names or ["any"])
