"""`moorage provider-config show` and `diff`: what files mean for this host, and what its agent would do."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from moorage.cli.cloud import AsCsv, AsJson
from moorage.cli.output import Output
from moorage.cli.settings import ConfigOption, settings_of

if TYPE_CHECKING:
    from oslo_config import cfg
    from rich.text import Text
    from rich.tree import Tree

    from moorage.hosts.agent.names import Names
    from moorage.hosts.agent.plan import Plan
    from moorage.hosts.merging import Merged, Sources
    from moorage.hosts.provider_tree import Provider

Directory = Annotated[
    Path | None, typer.Argument(metavar="DIR", help="Directory of the files instead of the configured one.")
]
Host = Annotated[
    list[str] | None, typer.Option("--host", metavar="NAME", help="This node of the host alone; may be repeated.")
]


def show(
    directory: Directory = None,
    *,
    host: Host = None,
    config: ConfigOption = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Show what this host has with its files merged in, and where each value comes from; Placement is not asked.

    The exit code is 1 if the agent would not start with these files.
    """
    from moorage.cli.agent_errors import told_to_the_operator
    from moorage.hosts.agent.examination import examine
    from moorage.hosts.agent.files import Files
    from moorage.hosts.agent.plan import disagreements, merge_alone
    from moorage.hosts.drivers.identity import host_name
    from moorage.hosts.drivers.registry import driver_from_settings
    from moorage.hosts.provider_config.options import provider_config_location, strict_permissions
    from moorage.hosts.provider_config.reading import read_directory

    output = Output(as_json, as_csv)
    settings = _settings(directory, config)
    with told_to_the_operator():
        records = Files(
            lambda: read_directory(provider_config_location(settings), strict_permissions=strict_permissions(settings))
        ).records()
        examined = examine(driver_from_settings(settings), host_name(settings), host or ())
        merged = merge_alone(examined, records)
    problems = disagreements(merged)
    remarks = [*examined.native.remarks, *([] if host else [absent.message for absent in merged.absent])]
    if output.for_people:
        _print_tree(merged)
    else:
        told = {
            "providers": [_as_json(provider, merged) for provider in merged.tree],
            "problems": problems,
            "remarks": remarks,
        }
        rows = [
            (provider.name, provider.uuid, value, source)
            for provider in merged.tree
            for value, source in _values(provider, _sources(merged, provider))
        ]
        output.detailed(told, ("provider", "uuid", "value", "source"), rows)
    if not output.as_json:
        for sentence in (*problems, *remarks):
            typer.echo(sentence, err=True)
    raise typer.Exit(1 if problems else 0)


def diff(
    directory: Directory = None,
    *,
    host: Host = None,
    config: ConfigOption = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Show what the agent would change in Placement now; nothing is written."""
    from moorage.cli.agent_errors import told_to_the_operator
    from moorage.hosts.agent.running import would_do

    output = Output(as_json, as_csv)
    with told_to_the_operator():
        plan, missing = would_do(_settings(directory, config), host or ())
    remarks = plan.remarks(whole_host=not host)
    lines = list(_lines(plan, missing))
    if not output.as_json:
        for sentence in remarks:
            typer.echo(sentence, err=True)
    if output.for_people:
        for line in lines or ["Nothing: Placement is in step."]:
            typer.echo(line)
    else:
        told = {**_plan_as_json(plan, missing), "remarks": remarks}
        output.detailed(told, ("change",), [(line,) for line in lines])


def _settings(directory: Path | None, config: list[Path] | None) -> cfg.ConfigOpts:
    from moorage.service.errors import OperatorError

    if directory is not None and not directory.is_dir():
        raise OperatorError(f"There is no directory {directory}; name the one that holds the files.")
    overrides = {} if directory is None else {"compute.provider_config_location": str(directory)}
    return settings_of(config, overrides)


# --- what the host has


def _print_tree(merged: Merged) -> None:
    from rich.console import Console
    from rich.tree import Tree

    console = Console(soft_wrap=True, highlight=False)
    for root in merged.tree.roots():
        top = Tree(_label(root))
        _grow(top, root, merged)
        console.print(top)


def _grow(branch: Tree, provider: Provider, merged: Merged) -> None:
    from rich.text import Text

    for value, source in _values(provider, _sources(merged, provider)):
        branch.add(Text.assemble(value, (f"  {source}", "dim")))
    for child in merged.tree.children(provider.uuid):
        _grow(branch.add(_label(child)), child, merged)


def _label(provider: Provider) -> Text:
    from rich.text import Text

    return Text.assemble((provider.name, "bold"), f" ({provider.uuid})")


def _values(provider: Provider, sources: Sources) -> Iterator[tuple[str, str]]:
    """What a provider has, a line for each thing, and where it comes from."""
    from moorage.hosts.agent.wording import amount

    for name, inventory in sorted(provider.inventories.items()):
        yield f"{name}: {amount(inventory)}", sources.inventories[name]
    for name in sorted(provider.traits):
        yield name, sources.traits[name]
    for uuid in sorted(provider.aggregates):
        yield f"aggregate {uuid}", sources.aggregates[uuid]


def _as_json(provider: Provider, merged: Merged) -> dict[str, Any]:
    sources = _sources(merged, provider)
    return {
        "uuid": provider.uuid,
        "name": provider.name,
        "parent_provider_uuid": provider.parent_uuid,
        "inventories": {
            name: {**asdict(inventory), "source": sources.inventories[name]}
            for name, inventory in sorted(provider.inventories.items())
        },
        "traits": {name: sources.traits[name] for name in sorted(provider.traits)},
        "aggregates": {uuid: sources.aggregates[uuid] for uuid in sorted(provider.aggregates)},
    }


def _sources(merged: Merged, provider: Provider) -> Sources:
    return merged.sources[provider.uuid]


# --- what would change


def _lines(plan: Plan, missing: Names) -> Iterator[str]:
    from moorage.hosts.agent.wording import described

    for kind, names in _kinds(missing.custom).items():
        yield from (f"create the {kind} {name}" for name in names)
    for step in plan.steps:
        yield from described(step, plan.observed.tree, plan.desired.tree)
    for kept in plan.kept:
        classes = ", ".join(sorted(kept.resource_classes))
        yield f"{kept.provider.name}: keep {classes}, which is in use; nobody else gets any"
    for each in plan.postponed:
        classes = ", ".join(sorted(each.move.resource_classes))
        takers = ", ".join(sorted(taker.name for taker in each.move.takers))
        yield f"{each.move.provider.name}: keep {classes} as it is, which is in use and should go over to {takers}"


def _plan_as_json(plan: Plan, missing: Names) -> dict[str, Any]:
    from moorage.hosts.agent.wording import described

    steps = [
        {
            "step": type(step).__name__,
            **json.loads(json.dumps(asdict(step), default=sorted)),
            "text": list(described(step, plan.observed.tree, plan.desired.tree)),
        }
        for step in plan.steps
    ]
    kept = [{"uuid": kept.provider.uuid, "resource_classes": sorted(kept.resource_classes)} for kept in plan.kept]
    postponed = [
        {
            "uuid": each.move.provider.uuid,
            "resource_classes": sorted(each.move.resource_classes),
            "to": sorted(taker.uuid for taker in each.move.takers),
        }
        for each in plan.postponed
    ]
    return {"names": _kinds(missing.custom), "steps": steps, "kept": kept, "postponed": postponed}


def _kinds(names: Names) -> dict[str, list[str]]:
    return {"resource class": sorted(names.resource_classes), "trait": sorted(names.traits)}
