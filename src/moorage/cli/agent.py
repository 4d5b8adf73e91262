"""`moorage agent`: the flags; the work is done by `moorage.hosts.agent`."""

from pathlib import Path
from typing import Annotated

import typer


def agent(
    *,
    once: Annotated[
        bool, typer.Option("--once", help="Do one round and leave; the exit code is 0 if all could be done.")
    ] = False,
    host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Look after this node of the host alone; may be repeated."),
    ] = None,
    config: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Configuration file instead of /etc/moorage/moorage.conf; may be repeated."),
    ] = None,
) -> None:
    """Keep what Placement has of this host true: what it natively has, and what provider configuration files add."""
    import logging.config

    from moorage.cli.agent_errors import told_to_the_operator
    from moorage.hosts.agent.running import run, run_once
    from moorage.service.log import logging_configuration
    from moorage.service.settings import load_settings

    settings = load_settings(config_files=[str(file) for file in config] if config else None)
    logging.config.dictConfig(logging_configuration(settings))
    with told_to_the_operator():
        if once:
            raise typer.Exit(1 if run_once(settings, host or ()).undone else 0)
        run(settings, host or ())
