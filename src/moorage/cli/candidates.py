"""`moorage candidates`: where something would fit, with every parameter that the API has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated
from urllib.parse import parse_qsl

import typer

from moorage.cli import completion
from moorage.cli.cloud import AsCsv, AsJson, OsCloud, cloud_of
from moorage.cli.conditions import InTreeOption, MemberOption, RequiredOption, ResourcesOption, amounts_of, membership
from moorage.cli.explanation import ExplainOption, show_answer, show_explanation
from moorage.cli.misuse import Misuse
from moorage.cli.names import provider_of
from moorage.cli.output import Output

if TYPE_CHECKING:
    from moorage.client.operator import OperatorsCloud

_CONDITIONS = ("resources", "required", "member_of", "in_tree")


def candidates(  # noqa: PLR0913 - as many as there are flags
    query: Annotated[
        str | None,
        typer.Argument(metavar="QUERY", help="The request in the API's notation, in place of options or beside them."),
    ] = None,
    *,
    resources: ResourcesOption = None,
    required: RequiredOption = None,
    member_of: MemberOption = None,
    in_tree: InTreeOption = None,
    group: Annotated[
        list[str] | None,
        typer.Option(
            metavar="'NAME KEY=VALUE…'",
            help="A group that one provider serves, like 'NET resources=SRIOV_NET_VF:1 required=CUSTOM_A'; repeatable.",
        ),
    ] = None,
    group_policy: Annotated[
        str | None, typer.Option(metavar="none|isolate", help="Whether groups may share a provider.")
    ] = None,
    same_subtree: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME,NAME", help="Groups whose providers have an ancestor among them; repeatable."),
    ] = None,
    root_required: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TRAIT",
            autocompletion=completion.traits,
            help="A trait of the root; !TRAIT to forbid; may be repeated.",
        ),
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="At most so many candidates.")] = None,
    explain: ExplainOption = False,
    os_cloud: OsCloud = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Where something would fit; the exit code is 3 if nowhere."""
    output = Output(as_json, as_csv)
    with cloud_of(os_cloud) as cloud:
        pairs = list(parse_qsl(query or "", keep_blank_values=True))
        own = [*(("resources", text) for text in _joined(resources)), *(("required", text) for text in required or ())]
        own += [("member_of", text) for text in member_of or ()]
        own += [("in_tree", in_tree)] if in_tree else []
        pairs += [_condition(cloud, "", key, value) for key, value in own]
        for text in group or ():
            pairs += _group(cloud, text)
        pairs += [("same_subtree", ",".join(_suffix(name) for name in each.split(","))) for each in same_subtree or ()]
        pairs += [("root_required", ",".join(root_required))] if root_required else []
        pairs += [("group_policy", group_policy)] if group_policy else []
        pairs += [("limit", str(limit))] if limit else []
        if not any(name.startswith("resources") for name, _value in pairs):
            raise Misuse("Say what it needs, as in --resources VCPU:8.")
        (show_explanation if explain else show_answer)(cloud.placement, pairs, output)


def _joined(resources: list[str] | None) -> list[str]:
    return [",".join(resources)] if resources else []


def _group(cloud: OperatorsCloud, text: str) -> list[tuple[str, str]]:
    name, *conditions = text.split()
    suffix, pairs = _suffix(name), []
    for condition in conditions:
        key, is_there, value = condition.partition("=")
        if not is_there or key not in _CONDITIONS:
            raise Misuse(
                f"--group {text!r}: {condition!r} is none of {', '.join(f'{each}=…' for each in _CONDITIONS)}."
            )
        pairs.append(_condition(cloud, suffix, key, value))
    return pairs


def _suffix(name: str) -> str:
    """The API joins names of groups to the names of parameters: numbers as they are, others after an underscore."""
    return name if name.isdecimal() or name.startswith("_") else f"_{name}"


def _condition(cloud: OperatorsCloud, suffix: str, key: str, value: str) -> tuple[str, str]:
    """A parameter of a group, with UUIDs in place of names."""
    if key == "resources":
        value = ",".join(f"{name}:{amount}" for name, amount in amounts_of([value]).items())
    elif key == "member_of":
        value = membership(cloud, value)
    elif key == "in_tree":
        value = provider_of(cloud.placement, value).uuid
    return f"{key}{suffix}", value
