"""The files of the console as a WSGI application: read once, sent with headers that keep a browser from running others.

There is no build step; what is in `static/` is what browsers get. Browsers ask each time whether a file has changed,
so that an upgrade of the service is an upgrade of its console.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

TYPES = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}

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


def read_files() -> Mapping[str, File]:
    """Every file that browsers may have, by path; the empty path is the page itself."""
    found = {path: _file(path, item.read_bytes()) for path, item in _walk(resources.files(__package__) / "static")}
    return found | {"": found["index.html"]}


def _walk(folder: Traversable, prefix: str = "") -> Iterator[tuple[str, Traversable]]:
    for item in folder.iterdir():
        if item.is_dir():
            yield from _walk(item, f"{prefix}{item.name}/")
        elif item.name.rpartition(".")[2] in TYPES:
            yield f"{prefix}{item.name}", item


def _file(path: str, content: bytes) -> File:
    tag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
    return File(TYPES[path.rpartition(".")[2]], content, gzip.compress(content, mtime=0), tag)


def file_application(files: Mapping[str, File]) -> WSGIApplication:
    """The files under their paths; the root without a slash leads to the one with it, where links begin."""

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        if environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
            return _plain(start_response, "405 Method Not Allowed", [("allow", "GET, HEAD")])
        if not path:
            # Relative: what stands before it, behind a proxy, is the browser's to know.
            name = environ.get("SCRIPT_NAME", "").rpartition("/")[2]
            return _plain(start_response, "308 Permanent Redirect", [("location", f"{name}/")])
        file = files.get(path.removeprefix("/"))
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
