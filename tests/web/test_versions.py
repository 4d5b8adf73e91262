"""Which microversion the headers of a request ask for."""

from __future__ import annotations

from http import HTTPStatus

import pytest

from moorage.web.errors import HttpError
from moorage.web.versions import Versions

COMPUTE = Versions("compute", (2, 1), (2, 96), own_header="x-openstack-nova-api-version")


def requested(**headers: str) -> tuple[int, int]:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return COMPUTE.requested(sent.get)


@pytest.mark.parametrize(
    ("headers", "version"),
    [
        ({}, (2, 1)),
        ({"openstack_api_version": "compute 2.87"}, (2, 87)),
        ({"openstack_api_version": "Compute \t2.87 "}, (2, 87)),
        ({"openstack_api_version": "compute latest"}, (2, 96)),
        ({"openstack_api_version": "placement 1.39"}, (2, 1)),
        ({"openstack_api_version": "placement 1.39, compute 2.10"}, (2, 10)),
        ({"openstack_api_version": "compute 2.10, compute 2.11"}, (2, 11)),
        ({"x_openstack_nova_api_version": "2.53"}, (2, 53)),
        ({"x_openstack_nova_api_version": "2.53", "openstack_api_version": "compute 2.60"}, (2, 60)),
    ],
)
def test_the_last_word_on_the_service_counts(headers: dict[str, str], version: tuple[int, int]) -> None:
    assert requested(**headers) == version


@pytest.mark.parametrize("text", ["2", "2.", ".1", "two.one", "2.1.1", "-2.1", "2.99999999999"])
def test_what_is_no_version_is_a_bad_request(text: str) -> None:
    with pytest.raises(HttpError) as refused:
        requested(openstack_api_version=f"compute {text}")
    assert refused.value.status is HTTPStatus.BAD_REQUEST
    assert text in refused.value.message


@pytest.mark.parametrize("text", ["2.0", "2.97", "3.1", "1.50"])
def test_what_is_not_offered_is_not_acceptable_and_says_what_is(text: str) -> None:
    with pytest.raises(HttpError) as refused:
        requested(openstack_api_version=f"compute {text}")
    assert refused.value.status is HTTPStatus.NOT_ACCEPTABLE
    assert all(told in refused.value.message for told in (text, "2.1", "2.96"))


def test_an_answer_tells_its_version_in_both_headers_and_that_it_depends_on_them() -> None:
    assert COMPUTE.headers((2, 87)) == {
        "openstack-api-version": "compute 2.87",
        "x-openstack-nova-api-version": "2.87",
        "vary": "openstack-api-version, x-openstack-nova-api-version",
    }
