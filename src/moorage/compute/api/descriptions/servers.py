"""Servers, what can be done to them, their metadata and tags."""

from __future__ import annotations

from http import HTTPStatus

from moorage.compute.api.descriptions import server_answers
from moorage.compute.api.descriptions.common import LINKS
from moorage.compute.api.descriptions.server_filters import FILTERS
from moorage.compute.api.schemas.servers import ACTIONS
from moorage.web.description import Described, Operations, reference
from moorage.web.schema import Definition
from moorage.web.shapes import TEXTS, TEXTS_BY_NAME, listed, one_of, record

SCHEMAS = server_answers.SCHEMAS

_ONE = record({"server": reference("Server")})
_METADATA = record({"metadata": TEXTS_BY_NAME})
_META_ITEM = record({"meta": {**TEXTS_BY_NAME, "minProperties": 1, "maxProperties": 1}})
_TAGS = record({"tags": TEXTS})
_GONE: dict[HTTPStatus, Definition | None] = {HTTPStatus.NO_CONTENT: None}
_ACTION = one_of({name: schema.definition for name, schema in ACTIONS.items()})


def _list(summary: str, shown: str) -> Described:
    page = record({"servers": listed(reference(shown))}, {"servers_links": LINKS})
    return Described(summary=summary, query=FILTERS, answers={HTTPStatus.OK: page})


OPERATIONS: Operations = {
    ("GET", "/v2.1/servers"): _list("List servers", "ServerInBrief"),
    ("GET", "/v2.1/servers/detail"): _list("List servers with details", "ServerInList"),
    ("POST", "/v2.1/servers"): Described(
        summary="Make servers",
        answers={HTTPStatus.ACCEPTED: record({"server": reference("NewServer")})},
        refusals=(HTTPStatus.CONFLICT,),
    ),
    ("GET", "/v2.1/servers/{server_id}"): Described(summary="Show a server", answers={HTTPStatus.OK: _ONE}),
    ("PUT", "/v2.1/servers/{server_id}"): Described(
        summary="Change the name or the description of a server", answers={HTTPStatus.OK: _ONE}
    ),
    ("DELETE", "/v2.1/servers/{server_id}"): Described(summary="Delete a server", answers=_GONE),
    ("POST", "/v2.1/servers/{server_id}/action"): Described(
        summary="Rebuild or resize a server, confirm or revert a resize, delete it, or set its state",
        body=_ACTION,
        answers={HTTPStatus.ACCEPTED: _ONE, HTTPStatus.NO_CONTENT: None},
        # The server itself comes back from a rebuild alone.
        may_lack_content=True,
        refusals=(HTTPStatus.CONFLICT,),
    ),
    ("GET", "/v2.1/servers/{server_id}/metadata"): Described(
        summary="List the metadata of a server", answers={HTTPStatus.OK: _METADATA}
    ),
    ("POST", "/v2.1/servers/{server_id}/metadata"): Described(
        summary="Set some metadata of a server", answers={HTTPStatus.OK: _METADATA}
    ),
    ("PUT", "/v2.1/servers/{server_id}/metadata"): Described(
        summary="Replace the metadata of a server", answers={HTTPStatus.OK: _METADATA}
    ),
    ("GET", "/v2.1/servers/{server_id}/metadata/{key}"): Described(
        summary="Show an item of metadata", answers={HTTPStatus.OK: _META_ITEM}
    ),
    ("PUT", "/v2.1/servers/{server_id}/metadata/{key}"): Described(
        summary="Set an item of metadata, which the body names too", answers={HTTPStatus.OK: _META_ITEM}
    ),
    ("DELETE", "/v2.1/servers/{server_id}/metadata/{key}"): Described(
        summary="Remove an item of metadata", answers=_GONE
    ),
    ("GET", "/v2.1/servers/{server_id}/tags"): Described(
        summary="List the tags of a server", answers={HTTPStatus.OK: _TAGS}
    ),
    ("PUT", "/v2.1/servers/{server_id}/tags"): Described(
        summary="Replace the tags of a server", answers={HTTPStatus.OK: _TAGS}
    ),
    ("DELETE", "/v2.1/servers/{server_id}/tags"): Described(summary="Remove the tags of a server", answers=_GONE),
    ("GET", "/v2.1/servers/{server_id}/tags/{tag}"): Described(summary="Ask whether a server has a tag", answers=_GONE),
    ("PUT", "/v2.1/servers/{server_id}/tags/{tag}"): Described(
        summary="Give a server a tag", answers={HTTPStatus.CREATED: None, HTTPStatus.NO_CONTENT: None}
    ),
    ("DELETE", "/v2.1/servers/{server_id}/tags/{tag}"): Described(summary="Take a tag from a server", answers=_GONE),
}
