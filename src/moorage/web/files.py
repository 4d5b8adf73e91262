"""Files as a WSGI application: kept in memory, sent with headers that keep a browser from running others.

Whoever has a file asks each time whether it has changed, so that an upgrade of the service is an upgrade of its files.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

# Scripts, styles and answers come from where the page came from, or not at all.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

_ALWAYS = [
    ("content-security-policy", CONTENT_SECURITY_POLICY),
    ("cross-origin-opener-policy", "same-origin"),
    ("referrer-policy", "no-referrer"),
    ("x-content-type-options", "nosniff"),
]


@dataclass(frozen=True, slots=True)
class File:
    """What is sent for a path."""

    type: str
    content: bytes
    compressed: bytes
    tag: str


def file_of(media_type: str, content: bytes) -> File:
    """A file with this content."""
    tag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
    return File(media_type, content, gzip.compress(content, mtime=0), tag)


def file_application(find: Callable[[str], File | None]) -> WSGIApplication:
    """What is found for a path, which begins without a slash and is empty for the root.

    The root without a slash leads to the one with it, where links begin.
    """

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        if environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
            return _plain(start_response, "405 Method Not Allowed", [("allow", "GET, HEAD")])
        if not path:
            # Relative: what stands before it, behind a proxy, is the browser's to know.
            name = environ.get("SCRIPT_NAME", "").rpartition("/")[2]
            return _plain(start_response, "308 Permanent Redirect", [("location", f"{name}/")])
        file = find(path.removeprefix("/"))
        if file is None:
            return _plain(start_response, "404 Not Found", [])
        headers = [*_ALWAYS, ("cache-control", "no-cache"), ("etag", file.tag), ("vary", "accept-encoding")]
        if environ.get("HTTP_IF_NONE_MATCH") == file.tag:
            start_response("304 Not Modified", headers)
            return []
        body = file.content
        if "gzip" in environ.get("HTTP_ACCEPT_ENCODING", ""):
            body = file.compressed
            headers.append(("content-encoding", "gzip"))
        start_response("200 OK", [*headers, ("content-type", file.type), ("content-length", str(len(body)))])
        return [] if environ["REQUEST_METHOD"] == "HEAD" else [body]

    return answer


def _plain(start_response: StartResponse, status: str, headers: list[tuple[str, str]]) -> Iterable[bytes]:
    body = f"{status[4:]}\n".encode()
    kind = [("content-type", "text/plain; charset=utf-8"), ("content-length", str(len(body)))]
    start_response(status, [*_ALWAYS, *headers, *kind])
    return [body]
