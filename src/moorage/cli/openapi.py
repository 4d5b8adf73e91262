"""`moorage openapi`: the APIs, and the OpenAPI document of each; no service needs to run."""

import json
from typing import Annotated

import typer

from moorage.cli.cloud import AsCsv, AsJson
from moorage.cli.misuse import Misuse
from moorage.cli.output import Output


def openapi(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="The API whose document is wanted; without it, all are listed.")
    ] = None,
    *,
    url: Annotated[
        str | None, typer.Option(metavar="URL", help="Where the services are, for the document: http://127.0.0.1:8778.")
    ] = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """The APIs there are, or the OpenAPI document of one of them as JSON."""
    from moorage.service.api_descriptions import DESCRIBED_APIS

    output = Output(as_json, as_csv)
    if name is None:
        rows = [(name, api.title, api.mount) for name, api in DESCRIBED_APIS.items()]
        output.rows(("name", "title", "mount"), rows)
        return
    if output.as_csv:
        raise Misuse("A document is JSON; only the list of the APIs comes as CSV.")
    if name not in DESCRIBED_APIS:
        raise Misuse(f"There is no API {name}; the APIs are: {', '.join(DESCRIBED_APIS)}.")
    typer.echo(json.dumps(DESCRIBED_APIS[name].document((url or "").rstrip("/")), indent=2, ensure_ascii=False))
