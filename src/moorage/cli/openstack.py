"""`moorage openstack …`: Moorage as a part of an OpenStack cloud."""

from pathlib import Path
from typing import Annotated

import typer

from moorage.cli.cloud import AsCsv, AsJson
from moorage.cli.misuse import Misuse
from moorage.cli.output import Output
from moorage.service.errors import OperatorError

app = typer.Typer(no_args_is_help=True, help="Make Moorage a part of an OpenStack cloud.")


@app.callback()
def _group() -> None:
    """Keep `register` a subcommand, although it is the only one."""


@app.command("register")
def register(  # noqa: PLR0913 - as many as there are flags
    *,
    url: Annotated[
        str, typer.Option(help="Where the cloud reaches this Moorage, such as https://moorage.example.org.")
    ],
    services: Annotated[
        str, typer.Option(metavar="NAME,…", help="What to register, separated by commas.")
    ] = "placement,reservation,liquid",
    region: Annotated[
        str | None, typer.Option(help="The region of the endpoints; by default the operator's, or RegionOne.")
    ] = None,
    project: Annotated[str, typer.Option(help="The project of the accounts; made if it is missing.")] = "service",
    domain: Annotated[str, typer.Option(help="The id of the domain of accounts and project.")] = "default",
    password_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File with the password for the accounts; else it is asked for.")
    ] = None,
    reset_password: Annotated[
        bool, typer.Option("--reset-password", help="Give the password also to accounts that are there.")
    ] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="Lead endpoints that name another address to this one, on all interfaces.")
    ] = False,
    show_commands: Annotated[
        bool,
        typer.Option(
            "--print", help="Do nothing, and print the commands of `openstack`, for a Keystone that has none of it."
        ),
    ] = False,
    os_cloud: Annotated[
        str | None, typer.Option(metavar="NAME", help="Cloud of clouds.yaml; else OS_… of the environment counts.")
    ] = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Have accounts, services and endpoints in Keystone, as an administrator of the cloud; what is there stays."""
    output = Output(as_json, as_csv)
    from moorage.client.errors import ClientError
    from moorage.client.operator import operators_identity, operators_region
    from moorage.identity import registration

    if not url.startswith(("http://", "https://")):
        raise Misuse(f"--url must begin with http:// or https://, and is {url!r}.")
    names = [name.strip() for name in services.split(",") if name.strip()]
    unknown = [name for name in names if name not in registration.SERVICES]
    if unknown or not names:
        raise Misuse(f"--services cannot be {services!r}; there are: {', '.join(registration.SERVICES)}.")
    wanted = registration.Registration(
        url=url,
        region=region or operators_region(os_cloud) or "RegionOne",
        services=[registration.SERVICES[name] for name in names],
        project=project,
        domain_id=domain,
    )
    if show_commands:
        with output.one_by_one("command") as done:
            for command in registration.as_commands(wanted):
                done(command, command)
        return
    identity = operators_identity(os_cloud)
    password = _password(password_file)
    steps = registration.register(identity, wanted, password, replace=replace, reset=reset_password)
    nothing = True
    try:
        with output.one_by_one("done") as done:
            for sentence in steps:
                done(sentence, sentence)
                nothing = False
    except ClientError as error:
        raise OperatorError(f"Keystone does not do as asked: {error}") from error
    if nothing and output.for_people:
        typer.echo("everything is there already")


def _password(file: Path | None) -> str:
    if file is None:
        given: str = typer.prompt("Password of the accounts", hide_input=True, confirmation_prompt=True, err=True)
        return given
    try:
        password = file.read_text().rstrip("\n")
    except OSError as error:
        raise OperatorError(f"The password cannot be read from {file}: {error.strerror}.") from error
    if not password:
        raise OperatorError(f"There is no password in {file}.")
    return password
