"""Asking a running service what its OpenAPI document says one may ask, and a little more; and judging the answers.

schemathesis makes the requests: allowed ones and ones that are not. An answer is wrong if it is an error of the
service, if its status, type or body is not in the document, if what is not allowed was done, or if a credential that
is missing or wrong was let through.

A test module loads the document when it is imported, and names what exists when the service runs:

    schema = described("placement")

    @schema.parametrize()
    @effort(10)
    def test_placement_answers_as_described(case: Case[Any], sample_service: RunningService, known: Known) -> None:
        ask(case, sample_service, "placement", known)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any
from zlib import crc32

import requests
from schemathesis import Case
from schemathesis.config import SchemathesisConfig
from schemathesis.core.parameters import ParameterLocation
from schemathesis.openapi import from_dict
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance
from schemathesis.specs.openapi.schemas import OpenApiSchema

from moorage.service.api_descriptions import DESCRIBED_APIS
from moorage.web.openapi import MAY_LACK_CONTENT, TOKEN
from tests.clients.running_service import RunningService

# The statuses of all answers to the test that runs.
ANSWERS: list[int] = []
# Connections that stay open from one request to the next; nobody shall look for proxies each time.
_SESSION = requests.Session()
_SESSION.trust_env = False
_CHECKS_OF_CONTENT = [content_type_conformance, response_schema_conformance]
# What is there, for the variable parts of paths, the parameters and the fields of bodies that have that name; and for
# the keys of the fields of bodies, where they are names.
KEYS_OF = "keys of "
Known = Mapping[str, Sequence[str]]

# One name in so many stays what was drawn, which is mostly the name of nothing.
_ASTRAY = 8
# What may be answered to a request that the schemas allow, because of what is there or is not.
_ACCEPTED = ["2xx", "300", "401", "403", "404", "409", "414"]
# What must be answered to a request that the schemas do not allow.
_REJECTED = ["400", "401", "403", "404", "405", "406", "409", "411", "413", "414", "415", "422"]


class WhenNeeded(Mapping[str, Sequence[str]]):
    """Things that are made when a request is first about them: few requests are about all kinds."""

    def __init__(self, makers: Mapping[str, Callable[[], Sequence[str]]]) -> None:
        self._makers = makers
        self._made: dict[str, Sequence[str]] = {}

    def __getitem__(self, name: str) -> Sequence[str]:
        if name not in self._made:
            self._made[name] = self._makers[name]()
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)


def described(name: str, *, refusable: Iterable[str] = ()) -> OpenApiSchema:
    """An API to be tried.

    `refusable` names the operations, by their operationId, that have rules of which a schema cannot tell: they may
    answer 400 also to what the schemas allow.
    """
    document = DESCRIBED_APIS[name].document()
    for path in document["paths"].values():
        for operation in path.values():
            # Only one version is described, so no other is asked for; see `ask`.
            operation["parameters"] = [item for item in operation["parameters"] if item["in"] != "header"]
    return from_dict(document, config=SchemathesisConfig.from_dict(_configuration(refusable)))


def _configuration(refusable: Iterable[str]) -> dict[str, Any]:
    lenient = {"positive_data_acceptance": {"expected-statuses": [*_ACCEPTED, "400"]}}
    return {
        # The credential is the administrator's; the check "ignored_auth" tries others. NUL is allowed in no text, which
        # schemas do not say each time.
        "generation": {"with-security-parameters": False, "allow-x00": False},
        "checks": {
            "positive_data_acceptance": {"expected-statuses": _ACCEPTED},
            "negative_data_rejection": {"expected-statuses": _REJECTED},
        },
        "operations": [{"include-operation-id": name, "checks": lenient} for name in refusable],
    }


def ask(case: Case[Any], service: RunningService, api: str, known: Known, **instead: Sequence[str]) -> None:
    """Send the request as administrator, and fail the test if the answer is not one that is documented.

    `instead` has what is there for this request, under names that mean something else in others.
    """
    _lead_somewhere(case, lambda name: instead.get(name) or known.get(name) or ())
    headers = {**headers_of(api), TOKEN: service.token}
    target: dict[str, Any] = {"base_url": f"{service.url}{DESCRIBED_APIS[api].mount}", "headers": headers}
    target["session"] = _SESSION
    answer = case.call(**target)
    ANSWERS.append(answer.status_code)
    excused = _CHECKS_OF_CONTENT if not answer.content and MAY_LACK_CONTENT in case.operation.definition.raw else None
    case.validate_response(answer, excluded_checks=excused, headers=headers, transport_kwargs=target)


def headers_of(api: str) -> dict[str, str]:
    """The header that asks for the version that is described, if the API has versions."""
    version = DESCRIBED_APIS[api].description().version_header
    return {} if version is None else dict([version])


def _lead_somewhere(case: Case[Any], there: Callable[[str], Sequence[str]]) -> None:
    """Let most requests be about something that is there: otherwise all that is ever looked at are names.

    What a name is led to depends on what was drawn for it, so that the same example always asks the same.
    """
    sound = [part for part in ParameterLocation if case.meta is None or not case.meta.is_negative_at(part)]
    for part in sound:
        container = case.get_container(part)
        # In place: what is there is as good as what was drawn, and shall not be judged anew.
        if isinstance(container, dict):
            container.update(_led("", container, there))
        if isinstance(container, list):
            container[:] = _led("", container, there)


def _led(name: str, drawn: Any, there: Callable[[str], Sequence[str]]) -> Any:
    """What was drawn for a name, or something that is there and has such a name."""
    if isinstance(drawn, dict):
        names = _led(f"{KEYS_OF}{name}", list(drawn), there)
        return {key: _led(key, value, there) for key, value in zip(names, drawn.values(), strict=True)}
    if isinstance(drawn, list):
        return [_led(name, item, there) for item in drawn]
    return chosen(drawn, there(name)) if isinstance(drawn, str | int) else drawn


def chosen(drawn: object, values: Sequence[str]) -> Any:
    """One of the values, the same for the same that was drawn; now and then, or where there is none, what was drawn."""
    return drawn if goes_astray(drawn) or not values else values[_number(drawn) // _ASTRAY % len(values)]


def goes_astray(drawn: object) -> bool:
    """Whether this is one of the few that stay what was drawn."""
    return _number(drawn) % _ASTRAY == 0


def _number(drawn: object) -> int:
    return crc32(repr(drawn).encode())
