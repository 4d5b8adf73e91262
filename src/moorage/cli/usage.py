"""`moorage usage`: how full the cloud is, a provider, or what a project uses."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import typer

from moorage.cli import completion
from moorage.cli.cloud import AsCsv, AsJson, OsCloud, cloud_of, details_of
from moorage.cli.misuse import Misuse
from moorage.cli.names import project_of, provider_of, user_of
from moorage.cli.output import Output, bar


def usage(
    provider: Annotated[
        str | None,
        typer.Argument(
            metavar="PROVIDER",
            autocompletion=completion.providers,
            help="Name or UUID of a provider, with its tree; else all.",
        ),
    ] = None,
    *,
    project: Annotated[
        str | None, typer.Option(metavar="PROJECT", help="What this project uses instead, by its name or id.")
    ] = None,
    user: Annotated[
        str | None, typer.Option(metavar="USER", help="Of the project, what this user uses, by name or id.")
    ] = None,
    os_cloud: OsCloud = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """How much of everything is used: in the whole cloud, of a provider and its tree, or by a project."""
    output = Output(as_json, as_csv)
    if user is not None and project is None:
        raise Misuse("--user needs --project.")
    with cloud_of(os_cloud) as cloud:
        client = cloud.placement
        if project is not None:
            used_by = client.project_usages(project_of(cloud, project), user_of(cloud, user) if user else None)
            rows = [
                (kind, name, amount) for kind, amounts in sorted(used_by.items()) for name, amount in amounts.items()
            ]
            output.rows(("type", "class", "amount"), rows)
            return
        found = details_of(client, [provider_of(client, provider).root_uuid] if provider else ())
    capacity: Counter[str] = Counter()
    used: Counter[str] = Counter()
    for each in found:
        for name, inventory in (each.inventories or {}).items():
            capacity[name] += max(inventory.capacity, 0)
            used[name] += (each.usages or {}).get(name, 0)
    lines = [(name, used[name], capacity[name]) for name in sorted(capacity)]
    if output.for_people:
        output.rows(("class", "used", "capacity", "full"), [(*line, bar(line[1], line[2])) for line in lines])
    else:
        output.rows(("class", "used", "capacity"), lines)
