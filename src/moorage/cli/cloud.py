"""What commands about a cloud have in common: which cloud, in which form to answer, and what providers have.

Works with every cloud that a clouds.yaml can name, upstream's services included.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from moorage.cli import completion
from moorage.service.errors import OperatorError

if TYPE_CHECKING:
    from moorage.client.operator import OperatorsCloud
    from moorage.client.placement import PlacementClient, ProviderDetails, ProviderSummary

OsCloud = Annotated[
    str | None,
    typer.Option(
        "--os-cloud", metavar="NAME", help="Cloud of clouds.yaml; else OS_… counts, else this machine's Moorage."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
AsCsv = Annotated[bool, typer.Option("--csv", help="Print CSV.")]
ProviderArgument = Annotated[
    str, typer.Argument(metavar="PROVIDER", autocompletion=completion.providers, help="Name or UUID of a provider.")
]

NOTHING_FOUND = 3
"""The exit code of a question that was answered with: nowhere."""


@contextmanager
def cloud_of(name: str | None) -> Iterator[OperatorsCloud]:
    """The services of a cloud; what they refuse becomes the one sentence that the command prints."""
    import logging

    from moorage.client.errors import ClientError
    from moorage.client.operator import operators_cloud

    # What it has to say is in the sentence that the command ends with.
    logging.getLogger("keystoneauth").setLevel(logging.ERROR)
    try:
        yield operators_cloud(name)
    except ClientError as error:
        raise OperatorError(str(error)) from error


def details_of(client: PlacementClient, in_tree: Sequence[str] = ()) -> tuple[ProviderDetails, ...]:
    """Providers with all they have: those of these trees, or all; one question where a Moorage is asked."""
    from moorage.client.placement import ProviderFilter

    include = ("inventories", "usages", "traits", "aggregates")
    which = [ProviderFilter(in_tree=uuid) for uuid in in_tree] or [ProviderFilter()]
    told = [client.read_providers_of_moorage(include, each) for each in which]
    if client.is_moorage():
        return tuple(found for each in told for found in each or ())
    from moorage.cli.progress import progress
    from moorage.client.at_once import ask_at_once

    summaries = [summary for each in which for summary in client.providers(each)]
    with progress("Asking", {"providers": len(summaries)}) as tell:

        def asked(summary: ProviderSummary) -> ProviderDetails:
            details = _details(client, summary)
            tell("providers", 1)
            return details

        return tuple(ask_at_once(asked, summaries).values())


def _details(client: PlacementClient, summary: ProviderSummary) -> ProviderDetails:
    from moorage.client.placement import ProviderDetails

    return ProviderDetails(
        uuid=summary.uuid,
        name=summary.name,
        generation=summary.generation,
        root_uuid=summary.root_uuid,
        parent_uuid=summary.parent_uuid,
        inventories=client.inventories(summary.uuid).inventories,
        usages=client.usages(summary.uuid),
        traits=client.traits(summary.uuid).traits,
        aggregates=client.aggregates(summary.uuid).aggregates,
    )
