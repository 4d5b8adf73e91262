"""`moorage agent`: the flags, while `moorage.hosts.agent` does the work; and what agents tell about themselves."""

from __future__ import annotations

from typing import Annotated

import typer

from moorage.cli.cloud import AsCsv, AsJson, OsCloud, cloud_of
from moorage.cli.output import Output
from moorage.cli.settings import ConfigOption, settings_of
from moorage.placement.model.agent import State
from moorage.service.errors import OperatorError

app = typer.Typer(
    help="Keep what Placement has of this host true: what it natively has, and what provider configuration files add.",
)


@app.callback(invoke_without_command=True)
def agent(
    context: typer.Context,
    *,
    once: Annotated[
        bool, typer.Option("--once", help="Do one round and leave; the exit code is 0 if all could be done.")
    ] = False,
    host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Look after this node of the host alone; may be repeated."),
    ] = None,
    config: ConfigOption = None,
) -> None:
    """Keep what Placement has of this host true: what it natively has, and what provider configuration files add."""
    if context.invoked_subcommand is not None:
        if once or host or config:
            raise typer.BadParameter("These options are for the agent itself.")
        return

    import logging.config

    from moorage.cli.agent_errors import told_to_the_operator
    from moorage.hosts.agent.running import run, run_once
    from moorage.service.log import logging_configuration

    settings = settings_of(config)
    logging.config.dictConfig(logging_configuration(settings))
    with told_to_the_operator():
        if once:
            raise typer.Exit(1 if run_once(settings, host or ()).undone else 0)
        run(settings, host or ())


@app.command("list")
def list_(
    *,
    state: Annotated[
        list[State] | None,
        typer.Option(metavar="STATE", help=f"Those in this state ({', '.join(State)}); may be repeated."),
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="So many at most, the most urgent first.")] = None,
    os_cloud: OsCloud = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """The agents of a Moorage as they last told: how they are, since when, and why; the most urgent first."""
    from moorage.client.errors import NotFound

    output = Output(as_json, as_csv)
    with cloud_of(os_cloud) as cloud:
        try:
            found = cloud.placement.agents(state or (), limit)
        except NotFound as error:
            raise OperatorError("Only a Moorage knows of agents, and this Placement is none, or too old.") from error
    if output.for_people:
        rows = [
            (each.name, each.state, ago(each.age_seconds), each.version, each.providers, each.reason)
            for each in found.agents
        ]
        output.rows(("name", "state", "last sign", "version", "providers", "reason"), rows)
        told = ", ".join(f"{count} {name}" for name, count in found.counts.items() if count)
        typer.echo(f"In all: {told or 'none'}.")
        return
    columns = ("name", "state", "version", "interval", "outcome", "reason", "providers", "seen_at", "age_seconds")
    output.rows(columns, [[getattr(each, column) for column in columns] for each in found.agents])


@app.command("forget")
def forget(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The host that the agent was of.")],
    *,
    os_cloud: OsCloud = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Forget the sign of an agent that is no more, so that nobody misses it; its providers stay."""
    output = Output(as_json, as_csv)
    with cloud_of(os_cloud) as cloud:
        cloud.placement.forget_agent(name)
    output.done(f"Forgot the agent {name}.", {"name": name})


def ago(seconds: int) -> str:
    """How long ago, in the largest unit of which there are two."""
    for unit, size in (("days", 86_400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds // size} {unit} ago"
    return f"{seconds} {'second' if seconds == 1 else 'seconds'} ago"
