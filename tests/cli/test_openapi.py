"""`moorage openapi`: the APIs there are, and their documents, without a service."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from moorage.cli.main import app
from moorage.service.api_descriptions import DESCRIBED_APIS
from moorage.service.errors import OperatorError

pytestmark = pytest.mark.usefixtures("installation")


def typed(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["openapi", *arguments], catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


def test_without_a_name_all_are_listed() -> None:
    rows = [line.split() for line in typed().splitlines()]
    for name, api in DESCRIBED_APIS.items():
        assert [name, *api.title.split(), api.mount] in rows


def test_the_list_comes_as_json_and_as_csv() -> None:
    assert [row["name"] for row in json.loads(typed("--json"))] == list(DESCRIBED_APIS)
    assert typed("--csv").splitlines()[0] == "name,title,mount"
    with pytest.raises(OperatorError, match="only the list"):
        typed("compute", "--csv")


def test_with_a_name_it_is_the_document() -> None:
    document = json.loads(typed("compute"))
    assert document == DESCRIBED_APIS["compute"].document()
    assert document["servers"] == [{"url": "/compute"}]


@pytest.mark.parametrize("url", ["https://cloud.example.org", "https://cloud.example.org/"])
def test_the_document_names_the_services_of_a_cloud(url: str) -> None:
    document = json.loads(typed("liquid-nova", "--url", url))
    assert document["servers"] == [{"url": "https://cloud.example.org/liquid-nova"}]


def test_a_name_that_no_api_has() -> None:
    with pytest.raises(OperatorError, match="There is no API barber; the APIs are: placement, compute, image, "):
        typed("barber")
