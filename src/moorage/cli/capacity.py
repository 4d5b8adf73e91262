"""`moorage capacity`: how much there is of everything, how much more fits, and what would be if."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from moorage.service.errors import OperatorError

if TYPE_CHECKING:
    from moorage.capacity.model.cloud import Cloud, Snapshot
    from moorage.capacity.report import CapacityAccount

app = typer.Typer(
    help="How much there is of everything, how much more fits, and what would be if.", no_args_is_help=True
)

SnapshotFile = Annotated[Path, typer.Argument(metavar="FILE", help="A snapshot of a cloud.")]


@app.command()
def simulate(
    file: SnapshotFile,
    *,
    add: Annotated[
        list[str] | None,
        typer.Option(metavar="COUNTxHOST", help="With so many empty copies of this hypervisor; may be repeated."),
    ] = None,
    remove: Annotated[
        list[str] | None, typer.Option(metavar="HOST", help="Without this hypervisor; may be repeated.")
    ] = None,
    flavor: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VCPUS,MIB,GIB",
            help="With another split flavor of these vCPUs, RAM and disk; may be repeated.",
        ),
    ] = None,
    optimized: Annotated[
        bool, typer.Option("--optimized", help="Find places for what found none by packing nodes anew.")
    ] = False,
) -> None:
    """What would be reported if the cloud in a snapshot were another one: capacity before and after."""
    from dataclasses import replace

    from moorage.capacity.model.configuration import Strategy
    from moorage.capacity.tables import differences

    snapshot = _read(file)
    changed = replace(snapshot, cloud=_changed(snapshot.cloud, add or [], remove or [], flavor or []))
    if optimized:
        behavior = replace(snapshot.configuration.binpack_behavior, strategy=Strategy.OPTIMIZED)
        changed = replace(changed, configuration=replace(snapshot.configuration, binpack_behavior=behavior))
    _print(differences(_account(snapshot), _account(changed)))


@app.command()
def report(file: SnapshotFile) -> None:
    """The capacity of the cloud in a snapshot: what is used, committed, pending and free, for each zone and flavor."""
    from moorage.capacity.tables import pooled_table, split_table, unplaced_table

    snapshot = _read(file)
    account = _account(snapshot)
    _print(pooled_table(account), split_table(account), unplaced_table(account))


@app.command()
def fit(
    file: SnapshotFile,
    flavors: Annotated[list[str], typer.Argument(metavar="FLAVOR…", help="Names of flavors.")],
) -> None:
    """How many more of these flavors fit, each by itself, where, and what limits it."""
    from moorage.capacity.errors import CapacityError
    from moorage.capacity.fit import UnknownFlavor, how_many_more
    from moorage.capacity.tables import fit_table

    snapshot = _read(file)
    try:
        found = [how_many_more(snapshot, name) for name in flavors]
    except (CapacityError, UnknownFlavor) as error:
        raise OperatorError(str(error)) from error
    _print(fit_table(found))


def _read(file: Path) -> Snapshot:
    from moorage.capacity.model.cloud import SnapshotUnreadable, read_snapshot

    try:
        return read_snapshot(file.read_bytes())
    except (OSError, SnapshotUnreadable) as error:
        raise OperatorError(f"{file} cannot be read: {error}") from error


def _account(snapshot: Snapshot) -> CapacityAccount:
    from moorage.capacity.errors import CapacityError
    from moorage.capacity.report import report_capacity

    try:
        return report_capacity(snapshot.cloud, snapshot.request, snapshot.configuration)
    except CapacityError as error:
        raise OperatorError(str(error)) from error


def _changed(cloud: Cloud, add: list[str], remove: list[str], flavors: list[str]) -> Cloud:
    from moorage.capacity.what_if import UnknownHypervisor, with_copies, with_flavor, without

    try:
        for wanted in add:
            count, _, name = wanted.partition("x")
            if not count.isdecimal() or not name:
                raise OperatorError(f"--add {wanted}: say how many of which hypervisor, as in 10xcompute-1.")
            cloud = with_copies(cloud, name, int(count))
        cloud = without(cloud, remove)
    except UnknownHypervisor as error:
        raise OperatorError(str(error)) from error
    for wanted in flavors:
        match = re.fullmatch(r"([^=]+)=(\d+),(\d+),(\d+)", wanted)
        if match is None:
            raise OperatorError(
                f"--flavor {wanted}: say name, vCPUs, MiB of RAM and GiB of disk, as in big=32,65536,100."
            )
        cloud = with_flavor(cloud, match[1], *map(int, match.groups()[1:]))
    return cloud


def _print(*tables: object) -> None:
    from rich.console import Console

    console = Console()
    for table in tables:
        if table is not None:
            console.print(table)
