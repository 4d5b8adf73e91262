"""What the API does with requests that are wrong: it says what is wrong, and changes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import create_engine

from moorage.db.database import Database
from tests.databases import wipe
from tests.placement.conftest import open_api
from tests.placement.corner import Corner, Request, encoded
from tests.placement.hostile import BAD_UUIDS, ODD_UUIDS, nearly_right_questions, nearly_right_requests, wild_requests
from tests.placement.rest import Reply
from tests.properties import effort


@pytest.fixture(scope="module")
def corner(database_url: str) -> Iterator[Corner]:
    wipe(database_url)
    database, engine = Database(database_url), create_engine(database_url)
    made = Corner(open_api(database), engine)
    made.furnish()
    yield made
    database.dispose()
    engine.dispose()


def check(corner: Corner, request: Request) -> Reply:
    """Send a request. It must not break the server and, if it is refused, be told why and have no effect."""
    reply = corner.send(request)
    changed = corner.look()
    assert reply.status < 500
    if reply.status >= 400:
        assert changed == {}
        check_error(request, reply)
    return reply


def check_error(request: Request, reply: Reply) -> None:
    if request.method.upper() == "HEAD" or request.headers.get("accept") not in (None, "", "*/*", "application/json"):
        return
    (error,) = reply.json["errors"]
    assert error["status"] == reply.status
    assert error["title"]
    assert error["detail"]
    assert error["request_id"] == reply.headers["x-openstack-request-id"]


# --- anything


def check_many(corner: Corner, requests: st.SearchStrategy[Request]) -> None:
    """Send many requests; fewer where every commit waits long for a disk."""

    @effort(150 if corner.back_end in ("sqlite", "postgresql") else 50)
    @given(requests)
    def check_one(request: Request) -> None:
        check(corner, request)

    check_one()


def test_a_body_with_one_thing_wrong_is_refused_without_effect(corner: Corner) -> None:
    check_many(corner, nearly_right_requests())


def test_a_strange_question_is_answered_or_refused(corner: Corner) -> None:
    check_many(corner, nearly_right_questions)


def test_anything_at_all_is_answered_or_refused_without_effect(corner: Corner) -> None:
    check_many(corner, wild_requests)


# --- every kind of mistake, by example

HUGE = (10**30, "<1e400>", "<5000 digits>", 2**63, 2**31)
NO_AMOUNTS = (0, -1, 1.5, "1", None, True, *HUGE)
NO_TEXTS: tuple[object, ...] = (None, 1, [], {}, True)
NO_NUMBERS: tuple[object, ...] = ("16", None, [], {}, True)
NO_RATIOS = (-1, -1e308, "1", None, 1e39, "<1e400>", "<5000 digits>", "<NaN>")
MALFORMED = (b"", b"{", b'{"name"}', b"{'name': 1}", b"\xff", b'{"name": "\xff"}', b"{} {}", b'{"name": NaN}')

PROVIDERS = "/resource_providers"
ROOT = "/resource_providers/<root>"
NEW_CONSUMER = "/allocations/<unknown>"


@dataclass(frozen=True)
class Refusal:
    request: Request
    # Where there are several, the wrong thing decides which of them is right.
    statuses: tuple[int, ...]


def refused(method: str, path: str, bodies: Iterable[object], *statuses: int) -> list[Refusal]:
    """The same request with different wrong bodies: JSON, or bytes as they are."""
    return [
        Refusal(Request(method, path, body if isinstance(body, bytes) else encoded(body)), statuses) for body in bodies
    ]


def refused_question(path: str, query_string: str, *statuses: int) -> Refusal:
    return Refusal(Request("GET", path, query_string=query_string), statuses)


def inventories(**fields: object) -> dict[str, object]:
    return {"inventories": {"VCPU": {"total": 16, **fields}}, "resource_provider_generation": "<generation>"}


def traits(*names: object) -> dict[str, object]:
    return {"traits": names, "resource_provider_generation": "<generation>"}


def aggregates(*uuids: str) -> dict[str, object]:
    return {"aggregates": uuids, "resource_provider_generation": "<generation>"}


def child_of(parent: object) -> dict[str, object]:
    return {"name": "<fresh>", "parent_provider_uuid": parent}


def claim(amount: object = 1, provider: str = "<root>", resource_class: str = "VCPU", **more: object) -> dict[str, Any]:
    return {
        "allocations": {provider: {"resources": {resource_class: amount}}},
        "consumer_generation": None,
        "consumer_type": "INSTANCE",
        "project_id": "project",
        "user_id": "user",
        **more,
    }


MISTAKES: dict[str, list[Refusal]] = {
    "malformed JSON": [
        *refused("POST", PROVIDERS, MALFORMED, 400),
        *refused("POST", PROVIDERS, [b"[" * 100_000], 400),
        *refused("POST", PROVIDERS, (b'{"name":' + b"[" * deep + b"]" * deep + b"}" for deep in (100, 900, 1000)), 400),
    ],
    "wrong type": [
        *refused("POST", PROVIDERS, (None, [], "x", 1, True), 400),
        *refused("POST", PROVIDERS, ({"name": name} for name in NO_TEXTS), 400),
        *refused("PUT", f"{ROOT}/inventories", (inventories(total=total) for total in NO_NUMBERS), 400),
        *refused(
            "PUT", f"{ROOT}/inventories", ({**inventories(), "inventories": {"": what}} for what in (None, 0)), 400
        ),
        *refused("PUT", f"{ROOT}/traits", (traits(1), traits(None), ["x"]), 400),
        *refused("PUT", NEW_CONSUMER, (claim(allocations=[]), claim(consumer_generation="1")), 400),
    ],
    "unknown field": [
        *refused("POST", PROVIDERS, [{"name": "<fresh>", "colour": "red"}], 400),
        *refused("PUT", f"{ROOT}/inventories", [inventories(colour="red")], 400),
        *refused("PUT", NEW_CONSUMER, [claim(colour="red")], 400),
        *refused("POST", "/resource_classes", [{"name": "CUSTOM_<fresh>", "colour": "red"}], 400),
        refused_question(PROVIDERS, "colour=red", 400),
        refused_question("/allocation_candidates", "resources=VCPU:1&colour=red", 400),
    ],
    "wrong number": [
        *refused("PUT", f"{ROOT}/inventories", (inventories(total=number) for number in NO_AMOUNTS), 400),
        *refused("PUT", f"{ROOT}/inventories", (inventories(reserved=number) for number in (-1, 17, *HUGE)), 400),
        *refused("PUT", f"{ROOT}/inventories", (inventories(min_unit=number) for number in NO_AMOUNTS), 400),
        *refused("PUT", f"{ROOT}/inventories", (inventories(max_unit=number) for number in NO_AMOUNTS), 400),
        *refused("PUT", f"{ROOT}/inventories", (inventories(step_size=number) for number in NO_AMOUNTS), 400),
        *refused("PUT", f"{ROOT}/inventories", (inventories(allocation_ratio=number) for number in NO_RATIOS), 400),
        *refused("PUT", NEW_CONSUMER, (claim(number) for number in (0, -1, 1.5, "1", None, True)), 400),
        *refused("PUT", NEW_CONSUMER, (claim(number) for number in HUGE), 400, 409),
        *(refused_question(PROVIDERS, f"resources=VCPU:{number}", 400) for number in (0, -1, 1.5, "9" * 5000)),
    ],
    "wrong generation": [
        *refused(
            "PUT",
            f"{ROOT}/inventories",
            ({**inventories(), "resource_provider_generation": number} for number in (-1, 0, *HUGE)),
            *(400, 409),
        ),
        *refused(
            "PUT",
            "/allocations/<consumer>",
            (claim(consumer_generation=number) for number in (-1, 0, None, *HUGE)),
            *(400, 409),
        ),
    ],
    "unknown name": [
        *refused("PUT", NEW_CONSUMER, [claim(resource_class="CUSTOM_NO"), claim(provider="<unknown>")], 400),
        *refused("PUT", NEW_CONSUMER, [claim(resource_class="<class>")], 409),
        *refused("POST", f"{ROOT}/inventories", [{"resource_class": "CUSTOM_NO", "total": 1}], 400),
        *refused("PUT", f"{ROOT}/traits", [traits("CUSTOM_NO"), traits("x")], 400),
        refused_question("/resource_classes/CUSTOM_NO", "", 404),
        refused_question("/traits/CUSTOM_NO", "", 404),
        refused_question("/resource_providers/<unknown>", "", 404),
        refused_question("/no/such/path", "", 404),
        refused_question("/allocation_candidates", "resources=CUSTOM_NO:1", 400),
        refused_question(PROVIDERS, "required=CUSTOM_NO", 400),
    ],
    "cycle": [
        *refused("PUT", ROOT, [child_of("<child>"), child_of("<root>"), child_of("<unknown>")], 400),
        *refused("POST", PROVIDERS, [{**child_of("<unknown>"), "uuid": "<unknown>"}, child_of("<unknown>")], 400),
    ],
    "too long a name": [
        *refused("POST", PROVIDERS, [{"name": "A" * 201}, {"name": "\U0001f6a2" * 201}], 400),
        *refused("POST", "/resource_classes", [{"name": "CUSTOM_" + "A" * 249}], 400),
        *refused("PUT", "/traits/CUSTOM_" + "A" * 249, [b""], 400),
        *refused("PUT", NEW_CONSUMER, [claim(project_id="A" * 256), claim(user_id="\U0001f6a2" * 256)], 400),
        *refused("PUT", NEW_CONSUMER, [claim(consumer_type="A" * 256)], 400),
        refused_question("/usages", "project_id=" + "A" * 256, 400),
    ],
    "NUL or lone surrogate": [
        *refused("POST", PROVIDERS, ({"name": name} for name in ("\0", "A\0", "\ud800", "\udc00\ud800")), 400),
        *refused(
            "PUT", NEW_CONSUMER, (claim(project_id="\0"), claim(user_id="\ud800"), claim(consumer_type="\0")), 400
        ),
        *refused("PUT", f"{ROOT}/traits", (traits("\0"), traits("\ud800")), 400),
        *refused("PUT", "/traits/CUSTOM_%00", [b""], 400, 404),
        refused_question("/resource_providers/%00", "", 404),
        *(refused_question(PROVIDERS, f"name={name}", 400) for name in ("%00", "%ff", "%ed%a0%80")),
    ],
    "bad UUID": [
        *refused("POST", PROVIDERS, ({"name": "<fresh>", "uuid": uuid} for uuid in BAD_UUIDS), 400),
        *refused("POST", PROVIDERS, (child_of(uuid) for uuid in BAD_UUIDS), 400),
        *refused("PUT", f"{ROOT}/aggregates", (aggregates(uuid) for uuid in BAD_UUIDS), 400),
        *refused("PUT", NEW_CONSUMER, (claim(provider=uuid) for uuid in BAD_UUIDS + ODD_UUIDS), 400),
        *refused("POST", "/allocations", ({uuid: claim()} for uuid in BAD_UUIDS + ODD_UUIDS), 400),
        *refused("PUT", "/allocations/x", [claim()], 400),
        *(refused_question(PROVIDERS, f"uuid={uuid}", 400) for uuid in ("", "x", "<root>x", "{<root>}")),
        *(refused_question(PROVIDERS, f"member_of={uuid}", 400) for uuid in ("", "x", "<root>x")),
        refused_question("/allocation_candidates", "resources=VCPU:1&in_tree=x", 400),
    ],
    "wrong header or method": [
        Refusal(Request("POST", PROVIDERS, b"{}", headers={"content-type": "text/plain"}), (415,)),
        Refusal(Request("POST", PROVIDERS, b"{}", headers={}), (400,)),
        Refusal(Request("POST", PROVIDERS, b"{}", headers={"content-length": "x"}), (400,)),
        Refusal(Request("GET", PROVIDERS, headers={"accept": "text/plain"}), (406,)),
        Refusal(Request("GET", PROVIDERS, headers={"x-roles": "reader"}), (403,)),
        Refusal(Request("GET", PROVIDERS, version="1.40"), (406,)),
        Refusal(Request("GET", PROVIDERS, version="one"), (400,)),
        Refusal(Request("GET", "/traits", version="1.5"), (404,)),
        *(Refusal(Request(method, PROVIDERS), (405,)) for method in ("PATCH", "TRACE", "PROPFIND")),
        Refusal(Request("BREW", PROVIDERS), (400, 405)),
    ],
    "in use": [
        *refused("POST", PROVIDERS, [{"name": "<taken>"}, {"name": "<fresh>", "uuid": "<root>"}], 409),
        *refused("PUT", f"{ROOT}/inventories", [{**inventories(), "inventories": {}}], 409),
        *refused("PUT", NEW_CONSUMER, [claim(7)], 409),
        *refused("DELETE", ROOT, [b""], 409),
        *refused("DELETE", f"{ROOT}/inventories", [b""], 409),
        *refused("DELETE", "/resource_classes/<class>", [b""], 409),
        *refused("DELETE", "/traits/<trait>", [b""], 409),
        *refused("DELETE", "/resource_classes/VCPU", [b""], 400),
        *refused("DELETE", "/traits/HW_CPU_X86_AVX", [b""], 400),
    ],
}


@pytest.mark.parametrize(
    "refusal",
    [
        pytest.param(refusal, id=f"{mistake} {number}")
        for mistake, refusals in MISTAKES.items()
        for number, refusal in enumerate(refusals, 1)
    ],
)
def test_every_mistake_is_refused(corner: Corner, refusal: Refusal) -> None:
    assert check(corner, refusal.request).status in refusal.statuses


@pytest.mark.parametrize("uuid", ODD_UUIDS)
def test_a_uuid_may_be_spelled_oddly_and_means_the_same(corner: Corner, uuid: str) -> None:
    reply = check(corner, Request("POST", PROVIDERS, encoded(child_of(uuid))))
    assert reply.json["parent_provider_uuid"] == corner.name("<root>")
