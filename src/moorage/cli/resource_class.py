"""`moorage class`: what can be counted."""

from __future__ import annotations

from typing import Annotated

import typer

from moorage.cli import completion
from moorage.cli.cloud import AsCsv, AsJson, OsCloud, cloud_of
from moorage.cli.custom_names import make_missing, remove_each
from moorage.cli.output import Output

app = typer.Typer(help="Resource classes: what can be counted.", no_args_is_help=True)

Names = Annotated[
    list[str],
    typer.Argument(metavar="CLASS…", autocompletion=completion.resource_classes, help="Names of resource classes."),
]


@app.command("list")
def list_(
    *,
    custom: Annotated[bool, typer.Option("--custom", help="Only those that somebody made up.")] = False,
    os_cloud: OsCloud = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """All resource classes that there are."""
    output = Output(as_json, as_csv)
    with cloud_of(os_cloud) as cloud:
        found = cloud.placement.known_resource_classes()
    output.rows(("class",), [(name,) for name in sorted(found) if name.startswith("CUSTOM_") or not custom])


@app.command("create")
def create(names: Names, *, os_cloud: OsCloud = None, as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    """Make custom resource classes, whose names begin with CUSTOM_; those that are there stay."""
    output = Output(as_json, as_csv)
    with cloud_of(os_cloud) as cloud:
        client = cloud.placement
        make_missing("class", names, client.known_resource_classes(), client.ensure_resource_class, output)


@app.command("delete")
def delete(names: Names, *, os_cloud: OsCloud = None, as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    """Remove custom resource classes that no provider offers anything of."""
    output = Output(as_json, as_csv)
    with cloud_of(os_cloud) as cloud:
        remove_each("class", names, cloud.placement.delete_resource_class, output)
