"""The `moorage` command: what it is called with, and how it fails.

Each subcommand has a module; each imports what it needs only when it runs, so that help and completion are quick.
"""

import os
import sys
from typing import Annotated

import typer

from moorage import __version__
from moorage.cli import (
    agent,
    aggregate,
    allocation,
    audit,
    availability,
    candidates,
    capacity,
    db,
    exporting,
    fit,
    images,
    importing,
    inventory,
    lease,
    openstack,
    provider,
    provider_config,
    provider_config_host,
    reservation,
    serve,
    servers,
    status,
    trait,
    usage,
)
from moorage.service.errors import OperatorError

app = typer.Typer(
    name="moorage",
    help="The resource ledger of a cloud: what every host has, what is used, what is promised to whom and when.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    # Drawing help with boxes would take longer than all the rest of it.
    rich_markup_mode=None,
)
app.command("serve")(serve.serve)
app.command("status")(status.status)
app.command("agent")(agent.agent)
app.command("audit")(audit.audit)
app.command("candidates")(candidates.candidates)
app.command("fit")(fit.fit)
app.command("usage")(usage.usage)
app.add_typer(provider.app, name="provider")
app.add_typer(inventory.app, name="inventory")
app.add_typer(trait.app, name="trait")
app.add_typer(aggregate.app, name="aggregate")
app.add_typer(allocation.app, name="allocation")
app.add_typer(servers.app, name="server")
app.add_typer(servers.flavors, name="flavor")
app.add_typer(images.app, name="image")
app.add_typer(db.app, name="db")
app.add_typer(importing.app, name="import")
app.add_typer(exporting.app, name="export")
app.add_typer(capacity.app, name="capacity")
app.add_typer(reservation.app, name="reservation")
app.add_typer(lease.app, name="lease")
app.command("availability")(availability.availability)
app.command("slots")(availability.slots)
app.add_typer(openstack.app, name="openstack")
app.add_typer(provider_config.app, name="provider-config")
provider_config.app.command("show")(provider_config_host.show)
provider_config.app.command("diff")(provider_config_host.diff)


def _show_version(wanted: bool) -> None:  # noqa: FBT001 - typer calls it with the flag's value
    if wanted:
        typer.echo(f"moorage {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command; end with one sentence on standard error when it cannot do its work."""
    try:
        app()
    except OperatorError as error:
        sys.exit(f"moorage: {error}")
    except Exception as error:
        if os.environ.get("MOORAGE_TRACEBACK"):
            raise
        sys.exit(f"moorage: unexpected {type(error).__name__}: {error} (set MOORAGE_TRACEBACK=1 to see where).")
