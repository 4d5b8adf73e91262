"""Whether a reservation service is a Moorage: asked once, and never guessed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import pytest

from moorage.client.errors import BadRequest, ClientError, NotFound, OnlyMoorage, Unauthorized
from moorage.client.reservation import ReservationClient
from moorage.client.transport import Response

WORDED = {"error_code": 0, "error_message": "So it is.", "error_name": 0}
LIMITS = {"limits": {"project_id": "p", "max_leases": 0}}


class Service:
    """Answers GET /limits in one way and all else in another, and counts."""

    def __init__(self, status: int, body: object, other: tuple[int, object] = (200, {})) -> None:
        self.limits = Response(status, {}, msgspec.json.encode(body) if body is not None else b"<html>")
        self.other = Response(other[0], {}, msgspec.json.encode(other[1]))
        self.asked: list[str] = []

    def send(
        self,
        method: str,
        path: str,
        *,
        query: Sequence[tuple[str, str]] = (),
        content: object = None,  # noqa: ARG002 - the signature of a transport
        headers: Mapping[str, str] | None = None,  # noqa: ARG002 - the same
    ) -> Response:
        self.asked.append(f"{method} {path}{''.join(f'?{name}={value}' for name, value in query)}")
        return self.limits if path == "/limits" else self.other


@pytest.mark.parametrize(
    ("status", "body", "moorage"),
    [(200, LIMITS, True), (403, WORDED, True), (404, WORDED, False), (404, {"error": 404, **WORDED}, False)],
)
def test_it_is_asked_once(status: int, body: object, moorage: bool) -> None:
    service = Service(status, body)
    client = ReservationClient(service)
    assert (client.is_moorage(), client.is_moorage()) == (moorage, moorage)
    assert service.asked == ["GET /limits"]


@pytest.mark.parametrize(
    ("status", "body", "error"),
    [
        (401, WORDED, Unauthorized),
        # From a proxy or a firewall in front of it, which do not speak of leases.
        (403, None, Unauthorized),
        (404, None, NotFound),
        (503, WORDED, ClientError),
        (200, {"versions": []}, ClientError),
    ],
)
def test_what_leaves_it_open_is_an_error_and_nothing_is_sent(
    status: int, body: object, error: type[ClientError]
) -> None:
    service = Service(status, body)
    client = ReservationClient(service)
    with pytest.raises(error):
        client.try_lease({"name": "a"})
    assert service.asked == ["GET /limits"]


def test_a_moorage_has_dry_runs() -> None:
    service = Service(200, LIMITS, (200, {"fits": True}))
    assert ReservationClient(service).try_lease({"name": "a"}) == {"fits": True}
    assert service.asked == ["GET /limits", "POST /leases?dry_run=true"]


def test_what_only_a_moorage_has_a_path_for_is_asked_for_at_once() -> None:
    service = Service(200, LIMITS, (200, {"slots": []}))
    assert ReservationClient(service).slots_for({"vcpus": 1}) == []
    assert service.asked == ["GET /slots?vcpus=1"]


def test_a_path_that_is_not_there_tells_that_it_is_none() -> None:
    service = Service(404, WORDED, (404, WORDED))
    with pytest.raises(OnlyMoorage, match=r"^Only a Moorage finds free times; this reservation service is none\.$"):
        ReservationClient(service).slots_for({})


def test_what_a_moorage_does_not_find_stays_what_it_is() -> None:
    service = Service(200, LIMITS, (404, WORDED))
    with pytest.raises(NotFound, match="So it is"):
        ReservationClient(service).usage({})
    service = Service(200, LIMITS, (400, WORDED))
    with pytest.raises(BadRequest):
        ReservationClient(service).usage({})
    assert service.asked == ["GET /usage"]
