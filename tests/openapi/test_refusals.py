"""What all APIs have in common is described, too: strangers are refused, and so are parameters that there are not."""

from __future__ import annotations

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

import httpx
import pytest

from moorage.service.api_descriptions import DESCRIBED_APIS
from moorage.web.openapi import OTHER_PARAMETERS, TOKEN
from tests.clients.running_service import RunningService, running_service
from tests.openapi.conforming import described, headers_of

APIS = ("placement", "compute", "image", "identity", "reservation", "liquid-nova", "console")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    with running_service(tmp_path_factory.mktemp("empty")) as started:
        yield started


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("credential", [{}, {TOKEN: "somebody else's"}], ids=["none", "wrong"])
def test_strangers_are_refused_as_described(service: RunningService, api: str, credential: dict[str, str]) -> None:
    schema = described(api)
    with _client(service, api) as client:
        guarded = [operation for operation in _operations(api) if "security" in operation[2]]
        for method, path, _ in guarded:
            answer = client.request(method, path, headers={**headers_of(api), **credential})
            assert answer.status_code == HTTPStatus.UNAUTHORIZED, f"{method} {path}"
            schema[path][method].validate_response(answer)
    assert guarded


def test_parameters_that_there_are_not_are_refused_where_it_is_described(service: RunningService) -> None:
    for api in APIS:
        with _client(service, api) as client:
            strict = [operation for operation in _operations(api) if OTHER_PARAMETERS in operation[2]]
            for method, path, _ in strict:
                headers = {**headers_of(api), TOKEN: service.token}
                answer = client.request(method, path, params={"unheard-of": "1"}, headers=headers)
                assert answer.status_code == HTTPStatus.BAD_REQUEST, f"{method} {path}"
                assert "unheard-of" in answer.text


def _client(service: RunningService, api: str) -> httpx.Client:
    return httpx.Client(base_url=f"{service.url}{DESCRIBED_APIS[api].mount}")


def _operations(api: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in DESCRIBED_APIS[api].document()["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation
