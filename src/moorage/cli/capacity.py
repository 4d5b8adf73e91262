"""`moorage capacity`: how much there is of everything, how much more fits, and what would be if."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, astuple, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from moorage.cli import completion
from moorage.cli.cloud import AsCsv, AsJson, OsCloud, cloud_of
from moorage.cli.misuse import Misuse
from moorage.cli.output import Output, console
from moorage.cli.progress import working
from moorage.cli.settings import ConfigOption, named_files, settings_of
from moorage.service.errors import OperatorError

if TYPE_CHECKING:
    from rich.table import Table

    from moorage.capacity.comparison import Comparison
    from moorage.capacity.model.cloud import Cloud, Snapshot
    from moorage.capacity.model.configuration import Configuration
    from moorage.capacity.model.demand import CapacityRequest
    from moorage.capacity.report import CapacityAccount

app = typer.Typer(
    help="How much there is of everything, how much more fits, and what would be if.", no_args_is_help=True
)

SnapshotOption = Annotated[
    Path | None, typer.Option("--snapshot", metavar="FILE", help="A snapshot instead of the cloud as it is now.")
]
RequestOption = Annotated[
    Path | None,
    typer.Option(
        "--request",
        metavar="FILE",
        help="The body of a capacity request, with demand; else it follows from servers and leases.",
    ),
]


ServingCloud = Annotated[
    str | None,
    typer.Option(
        "--os-cloud", metavar="NAME", help="Ask the services of this cloud of clouds.yaml, and not those of --config."
    ),
]


@app.command()
def snapshot(*, request: RequestOption = None, config: ConfigOption = None, os_cloud: ServingCloud = None) -> None:
    """Write the cloud as it is now, with all that a capacity report is made from, to standard output."""
    from moorage.capacity.model.cloud import write_snapshot

    typer.echo(write_snapshot(_live(request, config, os_cloud)))


@app.command()
def simulate(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A snapshot of a cloud.")],
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
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """What would be reported if the cloud in a snapshot were another one: capacity, and what would find no place."""
    output = Output(as_json, as_csv)
    from moorage.capacity.comparison import compare
    from moorage.capacity.errors import CapacityError
    from moorage.capacity.model.configuration import Strategy

    given = _read(file)
    changed = replace(given, cloud=_changed(given, add or [], remove or [], flavor or []))
    if optimized:
        behavior = replace(given.configuration.binpack_behavior, strategy=Strategy.OPTIMIZED)
        changed = replace(changed, configuration=replace(given.configuration, binpack_behavior=behavior))
    try:
        with working("Packing"):
            found = compare(given, changed)
    except CapacityError as error:
        raise OperatorError(str(error)) from error
    if output.for_people:
        from moorage.cli.capacity_tables import difference_table, unplaced_table

        before = (f"Before: {sentence}" for sentence in found.left_out_before)
        _print(difference_table(found.differences), unplaced_table(found.unplaced), *found.left_out, *before)
        return
    columns = ("kind", "resource", "zone", "before", "after", "free_before", "free_after", "unplaced", "why")
    output.detailed(asdict(found), columns, list(_rows_of(found)))


@app.command()
def report(
    *,
    snapshot_file: SnapshotOption = None,
    request: RequestOption = None,
    config: ConfigOption = None,
    os_cloud: ServingCloud = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """The capacity of the cloud: what is used, committed, pending and free, for each zone and flavor."""
    from moorage.capacity.shares import left_out, pooled_shares, split_shares, unplaced

    output = Output(as_json, as_csv)
    if snapshot_file and (request or config or os_cloud):
        raise Misuse("A snapshot has demand and settings of its own: leave --request, --config and --os-cloud out.")
    given = _read(snapshot_file) if snapshot_file else _live(request, config, os_cloud)
    account = _account(given)
    pooled, split = list(pooled_shares(account, given.request)), list(split_shares(account, given.request))
    refused, absent = list(unplaced(account)), list(left_out(account))
    if output.for_people:
        from moorage.cli.capacity_tables import pooled_table, split_table, unplaced_table

        _print(pooled_table(pooled), split_table(split), unplaced_table(refused), *absent)
        return
    columns = ("name", "zone", "capacity", "used", "committed", "pending", "free")
    kinds = {
        kind: [(each.name, each.zone, each.capacity, *each.parts) for each in shares]
        for kind, shares in (("pooled", pooled), ("split", split))
    }
    told = {
        **{kind: [dict(zip(columns, row, strict=True)) for row in rows] for kind, rows in kinds.items()},
        "unplaced": [asdict(each) for each in refused],
        "left_out": absent,
    }
    output.detailed(told, ("kind", *columns), [(kind, *row) for kind, rows in kinds.items() for row in rows])


@app.command()
def fit(
    flavors: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FLAVOR…",
            autocompletion=completion.flavors,
            help="Names of flavors; without any, all of them.",
        ),
    ] = None,
    *,
    snapshot_file: SnapshotOption = None,
    os_cloud: OsCloud = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """How many more of these flavors fit, each by itself, where, and what limits it."""
    output = Output(as_json, as_csv)
    if snapshot_file and os_cloud:
        raise Misuse("Either a snapshot or a cloud: --snapshot or --os-cloud.")
    given = _read(snapshot_file) if snapshot_file else _room_of(os_cloud)
    from moorage.capacity.fit import UnknownFlavor, how_many_more, offered

    try:
        found = how_many_more(given, flavors or offered(given))
    except UnknownFlavor as error:
        raise OperatorError(str(error)) from error
    if output.for_people:
        from moorage.cli.capacity_tables import fit_table

        _print(fit_table(found))
        return
    rows = [(each.flavor.name, each.total, dict(each.by_zone), len(each.on), dict(each.limits)) for each in found]
    output.rows(("flavor", "fit", "where", "hypervisors", "limits"), rows)


def _rows_of(found: Comparison) -> Iterator[tuple[object, ...]]:
    """What is compared, what finds no place, and who does not count, each in columns of its own."""
    for difference in found.differences:
        yield "capacity", *astuple(difference), None, None
    nothing = (None,) * 4
    for each in found.unplaced:
        yield "unplaced", f"instances_{each.flavor}", each.zone, *nothing, each.count, f"{each.demand}: {each.reason}"
    for kind, sentences in (("left out", found.left_out), ("left out before", found.left_out_before)):
        for sentence in sentences:
            yield kind, None, None, *nothing, None, sentence


def _live(request_file: Path | None, config: list[Path] | None, os_cloud: str | None) -> Snapshot:
    request = _request(request_file) if request_file else None
    if os_cloud is None:
        from moorage.service.live_cloud import live_snapshot

        with _reading_the_cloud(), working("Reading the cloud"):
            return live_snapshot(settings_of(config), request)
    with cloud_of(os_cloud) as cloud, working("Reading the cloud"):
        from moorage.capacity.reading.snapshot import read_now

        leases = cloud.reservation if cloud.offers("reservation") else None
        return read_now(cloud.compute, cloud.placement, leases, _liquid_configuration(config), request)


def _liquid_configuration(config: list[Path] | None) -> Configuration:
    """What counts, and how: only the settings of the LIQUID service are read."""
    from moorage.service.liquid_configuration import liquid_configuration
    from moorage.service.settings import load_groups

    return liquid_configuration(load_groups("liquid", config_files=named_files(config)))


def _room_of(os_cloud: str | None) -> Snapshot:
    """What there is in a cloud that serves; asking its services takes less than becoming one of them."""
    with cloud_of(os_cloud) as cloud, working("Reading the cloud"):
        from moorage.capacity.model.cloud import Snapshot
        from moorage.capacity.model.demand import CapacityRequest
        from moorage.capacity.reading.cloud import read_room

        configuration = _liquid_configuration(None)
        room = read_room(cloud.compute, cloud.placement, configuration)
    return Snapshot(cloud=room, request=CapacityRequest(), configuration=configuration)


@contextmanager
def _reading_the_cloud() -> Iterator[None]:
    from sqlalchemy.exc import SQLAlchemyError

    from moorage.client.errors import ClientError
    from moorage.db.database import DatabaseUnavailable

    try:
        yield
    except (ClientError, SQLAlchemyError, DatabaseUnavailable) as error:
        raise OperatorError(f"The cloud cannot be read: {error}") from error


def _request(file: Path) -> CapacityRequest:
    import msgspec

    from moorage.capacity.api.schemas import CAPACITY
    from moorage.capacity.protocol.errors import InvalidRequest
    from moorage.capacity.protocol.requests import capacity_request
    from moorage.web.errors import HttpError

    try:
        content = msgspec.json.decode(file.read_bytes())
        CAPACITY.check(content)
        return capacity_request(content)
    except HttpError as error:
        raise OperatorError(f"{file} is no capacity request: {error.message}") from error
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError, InvalidRequest) as error:
        raise OperatorError(f"{file} is no capacity request: {error}") from error


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
        with working("Packing"):
            return report_capacity(snapshot.cloud, snapshot.request, snapshot.configuration)
    except CapacityError as error:
        raise OperatorError(str(error)) from error


def _changed(snapshot: Snapshot, add: list[str], remove: list[str], flavors: list[str]) -> Cloud:
    from moorage.capacity.what_if import UnknownHypervisor, with_copies, with_flavor, without

    cloud = snapshot.cloud
    try:
        for wanted in add:
            count, _, name = wanted.partition("x")
            if not re.fullmatch(r"[0-9]{1,5}", count) or not name:
                raise Misuse(f"--add {wanted}: say how many of which hypervisor, as in 10xcompute-1; 99999 at most.")
            cloud = with_copies(cloud, name, int(count))
        cloud = without(cloud, remove)
    except UnknownHypervisor as error:
        raise OperatorError(str(error)) from error
    for wanted in flavors:
        match = re.fullmatch(r"([^=]+)=([0-9]{1,9}),([0-9]{1,9}),([0-9]{1,9})", wanted)
        if match is None:
            raise Misuse(f"--flavor {wanted}: say name, vCPUs, MiB of RAM and GiB of disk, as in big=32,65536,100.")
        vcpus, ram_mib, disk_gib = map(int, match.groups()[1:])
        if not (vcpus or ram_mib or disk_gib):
            raise Misuse(f"--flavor {wanted}: a flavor without any size has no place anywhere; give it one.")
        selection = snapshot.configuration.flavor_selection
        cloud = with_flavor(cloud, match[1], vcpus, ram_mib, disk_gib, selection)
    return cloud


def _print(*shown: Table | str | None) -> None:
    """Tables, and sentences as they are; None is nothing."""
    screen = console()
    for each in shown:
        if isinstance(each, str):
            typer.echo(each)
        elif each is not None:
            screen.print(each)
