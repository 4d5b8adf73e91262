"""`moorage availability` and `moorage slots`: what is free when, drawn as a chart, and when a request would fit."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any

import typer

from moorage.cli import times
from moorage.cli.cloud import NOTHING_FOUND, AsCsv, AsJson, OsCloud
from moorage.cli.gantt import Axis, Span, bar, chart, curve
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
    known_to,
    reserving_cloud,
)
from moorage.cli.lease_wording import moment_of
from moorage.cli.output import Output

if TYPE_CHECKING:
    from moorage.client.reservation import ReservationClient

_LABELS = 26
_NARROWEST = 24


def availability(  # noqa: PLR0913 - each is an option
    *,
    start: Annotated[str, typer.Option(metavar="DATE", help="From when: 2030-01-31, now, +2h.")] = "now",
    end: Annotated[str | None, typer.Option(metavar="DATE", help="Up to when; by default 7 days later.")] = None,
    vcpus: VcpusOption = None,
    memory_mb: MemoryOption = None,
    disk_gb: DiskOption = None,
    flavor: FlavorOption = None,
    hosts: HostsOption = None,
    properties: PropertiesOption = None,
    by_host: Annotated[
        bool, typer.Option("--by-host", help="Also a bar for each host that is reserved, for administrators.")
    ] = False,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    os_cloud: OsCloud = None,
) -> None:
    """How many more instances, or whole hosts, are free over time; and your leases below, as bars."""
    shape = Shape(vcpus=vcpus, memory_mb=memory_mb, disk_gb=disk_gb, flavor=flavor, hosts=hosts, properties=properties)
    output, begin = Output(as_json, as_csv), times.date(start)
    until = times.date(end) if end else times.later(begin, timedelta(days=7))
    wanted = _query(shape)
    with reserving_cloud(os_cloud) as cloud:
        service = cloud.reservation
        found = service.availability({**known_to(cloud, wanted), "start": times.sent(begin), "end": times.sent(until)})
        if not output.for_people:
            columns = ("start_date", "end_date", "free")
            output.rows(columns, [[one[name] for name in columns] for one in found])
            return
        stretches = [_span(one, one["free"]) for one in found]
        axis = Axis(stretches[0].start, until, _columns())
        most = max(one.amount for one in stretches)
        rows = [(f"free, {min(one.amount for one in stretches)} to {most}", curve(axis, stretches, most))]
        rows += _leases(service, axis)
        if by_host:
            rows += _hosts(service, axis)
    for line in chart(axis, rows):
        typer.echo(line)


def slots(  # noqa: PLR0913 - each is an option
    *,
    lasting: Annotated[str, typer.Option("--for", metavar="TIME", help="How long it takes: 90m, 2h, 3d, 1w.")],
    start: Annotated[str, typer.Option(metavar="DATE", help="Not before: 2030-01-31, now, +2h.")] = "now",
    horizon: Annotated[int, typer.Option(metavar="DAYS", min=1, max=366, help="How far ahead to look.")] = 30,
    limit: Annotated[int, typer.Option(min=1, max=100, help="How many times to show at most.")] = 10,
    amount: AmountOption = None,
    vcpus: VcpusOption = None,
    memory_mb: MemoryOption = None,
    disk_gb: DiskOption = None,
    flavor: FlavorOption = None,
    hosts: HostsOption = None,
    affinity: AffinityOption = None,
    properties: PropertiesOption = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    os_cloud: OsCloud = None,
) -> None:
    """The earliest times at which instances, or whole hosts, would fit; the exit code is 3 if there are none."""
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
    query = {
        **_query(shape),
        "duration": int(times.duration(lasting).total_seconds()) // 60,
        "start": times.sent(times.date(start)),
        "horizon": horizon,
        "limit": limit,
    }
    output = Output(as_json, as_csv)
    with reserving_cloud(os_cloud) as cloud:
        found = cloud.reservation.slots_for(known_to(cloud, query))
    keys = ("start_date", "end_date", "latest_start_date")
    output.detailed(found, ("start", "end", "latest start"), [[moment_of(one[key]) for key in keys] for one in found])
    raise typer.Exit(0 if found else NOTHING_FOUND)


def _query(shape: Shape) -> dict[str, Any]:
    return {name: value for name, value in shape.fields().items() if value is not None}


def _columns() -> int:
    return max(shutil.get_terminal_size((80, 24)).columns - _LABELS, _NARROWEST)


def _span(one: dict[str, Any], amount: int = 1) -> Span:
    return Span(times.received(one["start_date"]), times.received(one["end_date"]), amount)


def _leases(service: ReservationClient, axis: Axis) -> Iterator[tuple[str, str]]:
    """Those that the caller may see."""
    query = {"ends_after": _minute(axis.start), "starts_before": _minute(axis.end)}
    for lease in service.list_leases(query):
        yield lease["name"], bar(axis, [_span(lease)])


def _minute(moment: datetime) -> str:
    return times.sent(moment)


def _hosts(service: ReservationClient, axis: Axis) -> Iterator[tuple[str, str]]:
    names = {host.id: host.name for host in service.hosts()}
    for host in service.host_allocations():
        name = names.get(host["resource_id"], host["resource_id"])
        yield f"host {name}", bar(axis, [_span(one) for one in host["reservations"]])
