"""Logs that programs read, and ids that lead through all services."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import cast

import pytest

from moorage.client.at_once import ask_at_once
from moorage.client.calls import Calls
from moorage.client.transport import Response, Transport
from moorage.service.log import JsonFormatter, logging_configuration
from moorage.service.settings import load_settings
from moorage.web.request_ids import RequestIds, ids_of, request_ids

CALLERS = "req-00000000-0000-4000-8000-000000000000"


class Listener:
    """A service that remembers the ids it was asked with."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def send(self, _method: str, _path: str, /, *, headers: Mapping[str, str], **_rest: object) -> Response:
        self.heard.append(headers["x-openstack-request-id"])
        return Response(200, {}, b"{}")

    @property
    def calls(self) -> Calls:
        return Calls(cast("Transport", self))


def as_json(record: logging.LogRecord) -> dict[str, object]:
    event: dict[str, object] = json.loads(JsonFormatter().format(record))
    return event


def test_an_event_is_an_object_with_the_ids_of_its_request() -> None:
    record = logging.LogRecord("moorage.x", logging.WARNING, "", 0, "%s is\nfull", ("host",), None)
    token = request_ids.set(RequestIds("req-own", CALLERS))
    try:
        event = as_json(record)
    finally:
        request_ids.reset(token)
    assert event["message"] == "host is\nfull"
    assert (event["level"], event["request_id"], event["global_request_id"]) == ("WARNING", "req-own", CALLERS)
    assert "\n" not in JsonFormatter().format(record)
    assert "request_id" not in as_json(record)


def test_an_exception_is_part_of_the_event() -> None:
    error = ValueError("oh")
    record = logging.LogRecord("x", logging.ERROR, "", 0, "failed", (), (ValueError, error, None))
    assert "ValueError: oh" in str(as_json(record)["exception"])


@pytest.mark.parametrize("wanted", ["line", "json"])
def test_the_settings_choose_the_form(wanted: str) -> None:
    configuration = logging_configuration(load_settings({"log_format": wanted}, config_files=[]))
    assert configuration["handlers"]["main"]["formatter"] == wanted


@pytest.mark.parametrize(("given", "passed_on"), [(CALLERS, CALLERS), ("nonsense", "req-own"), ("", "req-own")])
def test_what_a_request_leads_to_carries_its_id(given: str, passed_on: str) -> None:
    listener = Listener()
    token = request_ids.set(ids_of("req-own", given))
    try:
        ask_at_once(lambda path: listener.calls.send("GET", path), ["/a", "/b"])
    finally:
        request_ids.reset(token)
    assert listener.heard == [passed_on, passed_on]


def test_who_is_asked_by_nobody_makes_an_id() -> None:
    listener = Listener()
    listener.calls.send("GET", "/a")
    listener.calls.send("GET", "/a")
    assert len(set(listener.heard)) == 2
