"""`moorage serve`: the flags; the work is done by `moorage.service.serve`."""

from enum import StrEnum
from typing import Annotated

import typer

from moorage.cli.settings import ConfigOption


class AuthStrategy(StrEnum):
    """How callers prove who they are."""

    TOKEN = "token"  # noqa: S105 - the name of a strategy
    NOAUTH2 = "noauth2"
    KEYSTONE = "keystone"


def serve(
    *,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port to listen on.")] = 8778,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Worker processes; by default one for each processor, at most four.")
    ] = None,
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="Database to use; by default SQLite in the user's data directory.")
    ] = None,
    auth: Annotated[AuthStrategy | None, typer.Option(help="How callers prove who they are; by default token.")] = None,
    services: Annotated[
        str | None, typer.Option(metavar="NAME,…", help="Services to offer, separated by commas; by default all.")
    ] = None,
    config: ConfigOption = None,
    sample: Annotated[bool, typer.Option("--sample", help="Load a sample cloud if the ledger is empty.")] = False,
) -> None:
    """Serve the APIs until stopped, ready at first start: the database and an admin credential are made if missing."""
    import os
    import shutil
    import tempfile

    # All workers count in one place. The library wants to know where before it is loaded, so this comes first.
    counted = tempfile.mkdtemp(prefix="moorage-metrics-")
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = counted

    from moorage.service.serve import ServeOptions
    from moorage.service.serve import serve as run

    options = ServeOptions(
        host=host,
        port=port,
        workers=workers,
        database=database,
        auth=auth,
        services=[name.strip() for name in services.split(",")] if services else None,
        config_files=[str(file) for file in config or ()],
        sample=sample,
    )
    try:
        run(options, show=typer.echo)
    finally:
        shutil.rmtree(counted, ignore_errors=True)
