"""`moorage lease …`: capacity promised for a time, in any cloud whose reservation service is a Moorage or a Blazar."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from moorage.cli import completion, times
from moorage.cli.cloud import NOTHING_FOUND, AsCsv, AsJson, OsCloud
from moorage.cli.lease_shapes import (
    AffinityOption,
    AmountOption,
    DiskOption,
    FlavorOption,
    HostsOption,
    MemoryOption,
    PropertiesOption,
    Shape,
    VcpusOption,
    found_lease,
    known_to,
    reservation_service,
    reserving_cloud,
)
from moorage.cli.lease_wording import COLUMNS, moment_of, row_of, show_lease, show_verdict
from moorage.cli.misuse import Misuse
from moorage.cli.names import project_of
from moorage.cli.output import Output
from moorage.service.errors import OperatorError

if TYPE_CHECKING:
    from moorage.client.reservation import ReservationClient

app = typer.Typer(no_args_is_help=True, help="Book capacity for a time; see, change and end what is booked.")

DryRunOption = Annotated[
    bool,
    typer.Option(
        "--dry-run", help="Change nothing; say whether it fits and, if not (exit code 3), why not and what would."
    ),
]
LeaseArgument = Annotated[
    str, typer.Argument(metavar="LEASE", autocompletion=completion.leases, help="Name or id of a lease.")
]
_DATES = "2030-01-31 18:00 (UTC), 2030-01-31, now, tomorrow, or +2h"


@app.command("create")
def create(  # noqa: PLR0913 - each is an option
    name: Annotated[str, typer.Argument(metavar="NAME", help="How to call it.")],
    *,
    start: Annotated[str, typer.Option(metavar="DATE", help=f"When it starts: {_DATES}.")] = "now",
    end: Annotated[str | None, typer.Option(metavar="DATE", help="When it ends.")] = None,
    lasting: Annotated[
        str | None, typer.Option("--for", metavar="TIME", help="How long it takes, instead of an end: 90m, 2h, 3d, 1w.")
    ] = None,
    amount: AmountOption = None,
    vcpus: VcpusOption = None,
    memory_mb: MemoryOption = None,
    disk_gb: DiskOption = None,
    flavor: FlavorOption = None,
    hosts: HostsOption = None,
    affinity: AffinityOption = None,
    properties: PropertiesOption = None,
    notice: Annotated[
        str | None, typer.Option("--before-end", metavar="DATE", help="When the event before its end happens.")
    ] = None,
    wait: Annotated[bool, typer.Option("--wait", help="If there is no room, wait for it.")] = False,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run", help="Book nothing; say whether it fits and, if not (exit code 3), why not and what would."
        ),
    ] = False,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    os_cloud: OsCloud = None,
) -> None:
    """Book instances or whole hosts."""
    output = Output(as_json, as_csv)
    shape = Shape(
        amount=amount,
        vcpus=vcpus,
        memory_mb=memory_mb,
        disk_gb=disk_gb,
        flavor=flavor,
        hosts=hosts,
        affinity=affinity,
        properties=properties,
    )
    begin = times.date(start)
    order: dict[str, Any] = {
        "name": name,
        "start_date": times.sent(begin),
        "end_date": times.sent(_end(begin, end, lasting)),
        "reservations": [shape.order()],
        "events": [],
        "before_end_date": times.sent(times.date(notice)) if notice else None,
    }
    if wait:
        order["on_conflict"] = "wait"
    with reserving_cloud(os_cloud) as cloud:
        service, order["reservations"] = cloud.reservation, [known_to(cloud, each) for each in order["reservations"]]
        if dry_run:
            _end_with(service.try_lease(order), output)
        show_lease(service.create_lease(order), output)


@app.command("list")
def list_leases(
    *,
    status: Annotated[str | None, typer.Option(help="Only those in this status.")] = None,
    project: Annotated[
        str | None, typer.Option(metavar="PROJECT", help="Only those of this project, by name or id.")
    ] = None,
    deleted: Annotated[bool, typer.Option("--deleted", help="Also those that were deleted.")] = False,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    os_cloud: OsCloud = None,
) -> None:
    """The leases of your project; administrators see those of all."""
    output = Output(as_json, as_csv)
    with reserving_cloud(os_cloud) as cloud:
        project_id = project_of(cloud, project) if project else None
        listed = cloud.reservation.list_leases({"status": status, "project_id": project_id, "deleted": deleted})
    # A Blazar looks at no conditions.
    found = [
        lease
        for lease in listed
        if (status is None or lease["status"].upper() == status.upper()) and project_id in (None, lease["project_id"])
    ]
    output.detailed(found, COLUMNS, [row_of(lease) for lease in found])


@app.command("show")
def show(lease: LeaseArgument, *, as_json: AsJson = False, as_csv: AsCsv = False, os_cloud: OsCloud = None) -> None:
    """One lease, with what it reserves and what happens when."""
    output = Output(as_json, as_csv)
    with reservation_service(os_cloud) as service:
        show_lease(found_lease(service, lease), output)


@app.command("extend")
def extend(
    lease: LeaseArgument,
    *,
    by: Annotated[str | None, typer.Option(metavar="TIME", help="So much longer: 90m, 2h, 3d, 1w.")] = None,
    until: Annotated[str | None, typer.Option(metavar="DATE", help="Up to this time instead.")] = None,
    dry_run: DryRunOption = False,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    os_cloud: OsCloud = None,
) -> None:
    """Have a lease end later; its instances stay where they are."""
    output = Output(as_json, as_csv)
    moved = _moved(by, until, 1)
    with reservation_service(os_cloud) as service:
        found = found_lease(service, lease)
        end = moved(times.received(found["end_date"]))
        if end <= times.received(found["end_date"]):
            raise OperatorError(f"The lease ends at {moment_of(found['end_date'])}, which is not earlier.")
        _change(service, found["id"], {"end_date": times.sent(end)}, output, dry_run=dry_run)


@app.command("shorten")
def shorten(
    lease: LeaseArgument,
    *,
    by: Annotated[str | None, typer.Option(metavar="TIME", help="So much shorter: 90m, 2h, 3d, 1w.")] = None,
    until: Annotated[str | None, typer.Option(metavar="DATE", help="Up to this time instead; now ends it.")] = None,
    dry_run: DryRunOption = False,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    os_cloud: OsCloud = None,
) -> None:
    """Have a lease end earlier."""
    output = Output(as_json, as_csv)
    moved = _moved(by, until, -1)
    with reservation_service(os_cloud) as service:
        found = found_lease(service, lease)
        end = moved(times.received(found["end_date"]))
        if end >= times.received(found["end_date"]):
            raise OperatorError(f"The lease ends at {moment_of(found['end_date'])}, which is not later.")
        _change(service, found["id"], {"end_date": times.sent(end)}, output, dry_run=dry_run)


@app.command("move")
def move(
    lease: LeaseArgument,
    start: Annotated[str, typer.Argument(metavar="DATE", help=f"When it starts: {_DATES}.")],
    *,
    dry_run: DryRunOption = False,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    os_cloud: OsCloud = None,
) -> None:
    """Have a lease that has not started do so at another time, as long as before."""
    output = Output(as_json, as_csv)
    with reservation_service(os_cloud) as service:
        found = found_lease(service, lease)
        begin = times.date(start)
        end = times.later(begin, times.received(found["end_date"]) - times.received(found["start_date"]))
        wanted = {"start_date": times.sent(begin), "end_date": times.sent(end)}
        _change(service, found["id"], wanted, output, dry_run=dry_run)


@app.command("resize")
def resize(  # noqa: PLR0913 - each is an option
    lease: LeaseArgument,
    *,
    reservation: Annotated[str | None, typer.Option(metavar="ID", help="Which one, if it has several.")] = None,
    amount: AmountOption = None,
    vcpus: VcpusOption = None,
    memory_mb: MemoryOption = None,
    disk_gb: DiskOption = None,
    hosts: HostsOption = None,
    affinity: AffinityOption = None,
    properties: PropertiesOption = None,
    dry_run: DryRunOption = False,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    os_cloud: OsCloud = None,
) -> None:
    """Change what a lease reserves; of one that has started, the number of instances or hosts may grow."""
    output = Output(as_json, as_csv)
    shape = Shape(
        amount=amount,
        vcpus=vcpus,
        memory_mb=memory_mb,
        disk_gb=disk_gb,
        hosts=hosts,
        affinity=affinity,
        properties=properties,
    )
    if not shape.changes():
        raise Misuse("Say what is to be different, such as --amount 3.")
    with reservation_service(os_cloud) as service:
        found = found_lease(service, lease)
        ids = [reservation] if reservation else [one["id"] for one in found["reservations"]]
        if len(ids) != 1:
            raise Misuse(f"The lease has {len(ids)} reservations; name one with --reservation: {', '.join(ids)}.")
        wanted = {"reservations": [{"id": ids[0], **shape.changes()}]}
        _change(service, found["id"], wanted, output, dry_run=dry_run)


@app.command("rename")
def rename(
    lease: LeaseArgument,
    name: Annotated[str, typer.Argument(metavar="NAME", help="How to call it from now on.")],
    *,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    os_cloud: OsCloud = None,
) -> None:
    """Give a lease another name."""
    output = Output(as_json, as_csv)
    with reservation_service(os_cloud) as service:
        found = found_lease(service, lease)
        show_lease(service.change_lease(found["id"], {"name": name}), output)


@app.command("delete")
def delete(
    leases: Annotated[
        list[str], typer.Argument(metavar="LEASE…", autocompletion=completion.leases, help="Names or ids of leases.")
    ],
    *,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    os_cloud: OsCloud = None,
) -> None:
    """End leases, with the instances of those that have started."""
    output = Output(as_json, as_csv)
    with reservation_service(os_cloud) as service:
        found = {lease["id"]: lease for lease in [found_lease(service, each) for each in leases]}
        with output.one_by_one("id", "name") as done:
            for lease_id, lease in found.items():
                service.delete_lease(lease_id)
                done(f"Removed {lease['name']} ({lease_id}).", lease_id, lease["name"])


@app.command("calendar")
def calendar(*, os_cloud: OsCloud = None) -> None:
    """The leases as an iCalendar file, for calendar programs."""
    with reservation_service(os_cloud) as service:
        typer.echo(service.calendar({}), nl=False)


@app.command("usage")
def usage(
    *,
    start: Annotated[str | None, typer.Option(metavar="DATE", help="A report about a time, from here.")] = None,
    end: Annotated[str | None, typer.Option(metavar="DATE", help="Up to here.")] = None,
    project: Annotated[
        str | None, typer.Option(metavar="PROJECT", help="Of this project, by name or id, for administrators.")
    ] = None,
    all_projects: Annotated[bool, typer.Option("--all-projects", help="Of all, for administrators.")] = False,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    os_cloud: OsCloud = None,
) -> None:
    """What is booked and still to come, or was in a time, in hours of instances; and which leases nobody uses."""
    query: dict[str, object] = {
        "start": times.sent(times.date(start)) if start else None,
        "end": times.sent(times.date(end)) if end else None,
        "all_projects": all_projects,
    }
    output = Output(as_json, as_csv)
    with reserving_cloud(os_cloud) as cloud:
        query["project_id"] = project_of(cloud, project) if project else None
        report = cloud.reservation.usage(query)
    rows = [
        (
            *(row[name] for name in ("name", "project_id", "status")),
            *(moment_of(row[name]) for name in ("start_date", "end_date")),
            *(row[name] for name in ("slots", "servers")),
            "yes" if row["idle"] else "no",
            row["instance_hours"],
        )
        for row in report["details"]
    ]
    columns = ("name", "project", "status", "start", "end", "slots", "servers", "idle", "hours")
    output.detailed(report, columns, rows)
    if output.for_people:
        typer.echo(f"{report['leases']} leases, {report['instance_hours']} hours, {len(report['idle_leases'])} idle.")


def _change(
    service: ReservationClient, lease_id: str, wanted: dict[str, Any], output: Output, *, dry_run: bool
) -> None:
    """Change a lease, or say what would become of that."""
    if dry_run:
        _end_with(service.try_change(lease_id, wanted), output)
    show_lease(service.change_lease(lease_id, wanted), output)


def _end_with(verdict: dict[str, Any], output: Output) -> NoReturn:
    show_verdict(verdict, output)
    raise typer.Exit(0 if verdict["fits"] else NOTHING_FOUND)


def _end(begin: datetime, end: str | None, lasting: str | None) -> datetime:
    if (end is None) == (lasting is None):
        raise Misuse("Say when the lease ends: either --end DATE or --for TIME.")
    return times.date(end) if end is not None else times.later(begin, times.duration(lasting or ""))


def _moved(by: str | None, until: str | None, direction: int) -> Callable[[datetime], datetime]:
    """What becomes of an end."""
    if (by is None) == (until is None):
        raise Misuse("Say either --by TIME or --until DATE.")
    if until is not None:
        moment = times.date(until)
        return lambda _end: moment
    step = direction * times.duration(by or "")
    return lambda end: times.later(end, step)
