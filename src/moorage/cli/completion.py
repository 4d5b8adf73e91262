"""Names that the shell completes, as the cloud of the command knows them.

Whoever presses the key waits: where the cloud takes longer than a moment, or nobody can be asked, nothing is offered
and nothing is said.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from moorage.client.operator import OperatorsCloud

_SECONDS = 0.5


def providers(context: typer.Context, incomplete: str) -> list[str]:
    """Names of providers."""
    return _offered(context, incomplete, lambda cloud: (each.name for each in cloud.placement.providers()))


def traits(context: typer.Context, incomplete: str) -> list[str]:
    """Names of traits."""
    return _offered(context, incomplete, lambda cloud: cloud.placement.all_traits())


def resource_classes(context: typer.Context, incomplete: str) -> list[str]:
    """Names of resource classes."""
    return _offered(context, incomplete, lambda cloud: cloud.placement.known_resource_classes())


def aggregates(context: typer.Context, incomplete: str) -> list[str]:
    """Names of host aggregates."""
    return _offered(context, incomplete, lambda cloud: (each.name for each in cloud.compute.aggregates()))


def servers(context: typer.Context, incomplete: str) -> list[str]:
    """Names of servers."""
    return _offered(context, incomplete, lambda cloud: (each.name for each in cloud.compute.servers()))


def flavors(context: typer.Context, incomplete: str) -> list[str]:
    """Names of flavors."""
    return _offered(context, incomplete, lambda cloud: (each.name for each in cloud.compute.flavors()))


def images(context: typer.Context, incomplete: str) -> list[str]:
    """Names of images."""
    return _offered(context, incomplete, lambda cloud: (each.name or "" for each in cloud.image.all_images()))


def leases(context: typer.Context, incomplete: str) -> list[str]:
    """Names of leases."""
    return _offered(context, incomplete, lambda cloud: (each["name"] for each in cloud.reservation.list_leases({})))


def _offered(context: typer.Context, incomplete: str, names: Callable[[OperatorsCloud], Iterable[str]]) -> list[str]:
    """What begins with what was typed; names with blanks would be several words to the shell."""
    found: list[str] = []

    def ask() -> None:
        from moorage.cli.cloud import cloud_of

        quietly = warnings.catch_warnings(action="ignore")
        with suppress(Exception), quietly, cloud_of(context.params.get("os_cloud")) as cloud:
            found.extend([*names(cloud)])

    # Nobody waits for the thread in the end, however long a service keeps it.
    asking = Thread(target=ask, name="completion", daemon=True)
    asking.start()
    asking.join(_SECONDS)
    return sorted({name for name in found if name.startswith(incomplete) and name.split() == [name]})
