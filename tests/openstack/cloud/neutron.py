"""A stand-in for Neutron, as much as servers without networks need: every list is empty, and nothing can be made.

A module without imports from this project, since it runs in the environment of OpenStack.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable

LISTS = ("agents", "extensions", "floatingips", "networks", "ports", "security-groups", "segments", "subnets")
UNLIMITED = ("floatingip", "network", "port", "security_group", "security_group_rule", "subnet")


def application(
    environ: dict[str, str], start_response: Callable[[str, list[tuple[str, str]]], object]
) -> Iterable[bytes]:
    """Answer one request."""
    status, document = _answer(environ.get("PATH_INFO", "").rstrip("/"))
    body = json.dumps(document).encode()
    start_response(status, [("Content-Type", "application/json"), ("Content-Length", str(len(body)))])
    return [body]


def _answer(path: str) -> tuple[str, dict[str, object]]:
    if not path:
        link = {"rel": "self", "href": "/v2.0/"}
        return "200 OK", {"versions": [{"id": "v2.0", "status": "CURRENT", "links": [link]}]}
    if path == "/v2.0":
        return "200 OK", {"resources": []}
    if path.startswith("/v2.0/quotas/"):
        return "200 OK", {"quota": dict.fromkeys(UNLIMITED, -1)}
    named = re.fullmatch(r"/v2\.0/([a-z-]+)(?:\.json)?", path)
    if named and named[1] in LISTS:
        return "200 OK", {named[1].replace("-", "_"): []}
    return "404 Not Found", {"NeutronError": {"type": "HTTPNotFound", "message": f"There is no {path}.", "detail": ""}}
