"""The `moorage` command: what it is called with, and how it fails.

Each subcommand has a module, which is imported when its name is called; and each module imports what it needs only when
it runs. So help and completion are quick, and what one command needs slows down no other.
"""

import os
import sys
from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Annotated

import typer

from moorage import __version__
from moorage.cli.misuse import Misuse
from moorage.service.errors import OperatorError

if TYPE_CHECKING:
    app: typer.Typer

COMMANDS = {
    "serve": "serve:serve",
    "status": "status:status",
    "agent": "agent:app",
    "audit": "audit:audit",
    "candidates": "candidates:candidates",
    "fit": "fit:fit",
    "usage": "usage:usage",
    "availability": "availability:availability",
    "slots": "availability:slots",
    "provider": "provider:app",
    "inventory": "inventory:app",
    "trait": "trait:app",
    "class": "resource_class:app",
    "aggregate": "aggregate:app",
    "allocation": "allocation:app",
    "server": "servers:app",
    "flavor": "servers:flavors",
    "image": "images:app",
    "db": "db:app",
    "import": "importing:app",
    "export": "exporting:app",
    "capacity": "capacity:app",
    "reservation": "reservation:app",
    "lease": "lease:app",
    "openapi": "openapi:openapi",
    "openstack": "openstack:app",
    "provider-config": "provider_config:app",
}
"""Every command in the order of the help: its name, its module in this folder, and the function or the group there."""

WRITTEN_WRONGLY = 2
"""The exit code of a command that cannot be understood; for options that there are not, it is the same."""


def application(names: Iterable[str] = COMMANDS) -> typer.Typer:
    """The command with these subcommands, or with all that there are."""
    application = typer.Typer(
        name="moorage",
        help="The resource ledger of a cloud: what every host has, what is used, what is promised to whom and when.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        # Drawing help with boxes would take longer than all the rest of it.
        rich_markup_mode=None,
    )
    application.callback()(_options)
    for name in names:
        module, _, attribute = COMMANDS[name].partition(":")
        command = getattr(import_module(f"moorage.cli.{module}"), attribute)
        if isinstance(command, typer.Typer):
            application.add_typer(command, name=name)
        else:
            application.command(name)(command)
    return application


def __getattr__(name: str) -> typer.Typer:
    """`app`, the whole command, for those who do not come from the command line."""
    if name != "app":
        raise AttributeError(name)
    return application()


def _show_version(wanted: bool) -> None:  # noqa: FBT001 - typer calls it with the flag's value
    if wanted:
        typer.echo(f"moorage {__version__}")
        raise typer.Exit


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
        called = [name for name in sys.argv[1:2] if name in COMMANDS]
        application(called or COMMANDS)()
    except OperatorError as error:
        typer.echo(f"moorage: {error}", err=True)
        sys.exit(WRITTEN_WRONGLY if isinstance(error, Misuse) else 1)
    except Exception as error:
        if os.environ.get("MOORAGE_TRACEBACK"):
            raise
        sys.exit(f"moorage: unexpected {type(error).__name__}: {error} (set MOORAGE_TRACEBACK=1 to see where).")
