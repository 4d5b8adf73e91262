"""Leases in words: as rows, as facts, and what would become of an order; of a Moorage or of a Blazar."""

from __future__ import annotations

from typing import Any

import typer

from moorage.cli import times
from moorage.cli.output import Output

COLUMNS = ("id", "name", "status", "start", "end", "what")
"""What `row_of` has."""


def moment_of(text: str) -> str:
    """A time of the API's as people read it."""
    return times.sent(times.received(text))


def row_of(lease: dict[str, Any]) -> tuple[str, ...]:
    """A lease in a list."""
    what = "; ".join(described(reservation) for reservation in lease["reservations"])
    start, end = moment_of(lease["start_date"]), moment_of(lease["end_date"])
    return lease["id"], lease["name"], lease["status"], start, end, what


def described(reservation: dict[str, Any]) -> str:
    """What a reservation is of, in a few words; a Blazar may have kinds that nobody here has heard of."""
    match reservation["resource_type"]:
        case "physical:host":
            least, most = reservation["min"], reservation["max"]
            return f"{least} hosts" if least == most else f"{least} to {most} hosts"
        case "virtual:instance" | "flavor:instance":
            size = ", ".join(
                f"{reservation[name]} {unit}"
                for name, unit in (("vcpus", "VCPUs"), ("memory_mb", "MiB"), ("disk_gb", "GiB"))
                if reservation.get(name) is not None
            )
            return f"{reservation.get('amount', 1)} x ({size or reservation.get('flavor_id', 'a flavor')})"
        case kind:
            return f"{reservation['amount']} x {kind}" if "amount" in reservation else str(kind)


def show_lease(lease: dict[str, Any], output: Output) -> None:
    """A lease with what it reserves and what happens when."""
    facts = _facts(lease)
    if not output.for_people:
        output.detailed(lease, ("field", "value"), list(facts.items()))
        return
    width = max(map(len, facts))
    for name, value in facts.items():
        typer.echo(f"{name:<{width}}  {value}")


def _facts(lease: dict[str, Any]) -> dict[str, str]:
    facts: dict[str, str] = {name: lease[name] for name in ("id", "name", "status")}
    if lease.get("status_reason"):
        facts["because"] = lease["status_reason"]
    facts["project"] = lease["project_id"]
    facts |= {"start": moment_of(lease["start_date"]), "end": moment_of(lease["end_date"])}
    for number, reservation in enumerate(lease["reservations"], start=1):
        flags = [name for name in ("missing_resources", "resources_changed") if reservation.get(name)]
        told = f"{described(reservation)}, {reservation['status']}{''.join(f', {flag}' for flag in flags)}"
        facts[f"reservation {number}"] = f"{reservation['id']}: {told}"
    for event in lease["events"]:
        facts[event["event_type"]] = f"{moment_of(event['time'])}, {event['status']}"
    return facts


def show_verdict(verdict: dict[str, Any], output: Output) -> None:
    """Whether an order fits and, if not, why not and what would."""
    places = ", ".join(f"{place['slots']} on {place['host']}" for place in verdict["hosts"])
    alternatives = [_alternative(one) for one in verdict["alternatives"]]
    if not output.for_people:
        facts = {
            "fits": "yes" if verdict["fits"] else "no",
            "hosts": places,
            "reason": verdict["reason"],
            "shortages": "; ".join(map(_shortage, verdict["shortages"])),
            "alternatives": "; ".join(alternatives),
        }
        output.detailed(verdict, ("field", "value"), list(facts.items()))
        return
    if verdict["fits"]:
        typer.echo(f"It fits{f': {places}' if places else ''}.")
        return
    typer.echo(f"It does not fit. {verdict['reason']}")
    for one in verdict["shortages"]:
        typer.echo(f"  {_shortage(one)}")
    for words in alternatives:
        typer.echo(f"What fits: {words}.")


def _shortage(one: dict[str, Any]) -> str:
    until = (
        f", held by {one['held_by_leases']} leases until {moment_of(one['held_until'])}" if one["held_until"] else ""
    )
    return f"{one['host']}: short of {one['resource']}{until}"


def _alternative(one: dict[str, Any]) -> str:
    match one["kind"]:
        case "shorter":
            return f"an end at {moment_of(one['end_date'])}"
        case "fewer":
            return f"{one['amount']} at that time"
        case "later":
            return f"all of it from {moment_of(one['start_date'])} on"
    return "the same without affinity"
