"""Why a server cannot be placed, or stay, whatever the hosts have: each with a sentence for whoever asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


class Refusal(Exception):
    """The request contradicts itself or what it refers to; the text says how."""


@dataclass(frozen=True, slots=True)
class ExtraSpecProblem:
    """An extra spec that cannot be read, and what would be allowed there."""

    key: str
    value: str
    allowed: str

    def __str__(self) -> str:
        return f'"{self.key}" = "{self.value}": {self.allowed}'


class MalformedExtraSpec(Refusal):
    """Extra specs that cannot be read: all of them at once."""

    def __init__(self, problems: Sequence[ExtraSpecProblem]) -> None:
        self.problems = tuple(problems)
        super().__init__(f"Extra specs that cannot be read: {'; '.join(map(str, self.problems))}.")


class MalformedImageTrait(Refusal):
    """A property of the image that speaks of traits in a way that images may not."""

    def __init__(self, image: str, key: str, value: str, reason: str) -> None:
        self.key = key
        super().__init__(f'The property "{key}" = "{value}" of the image "{image}" cannot be met: {reason}.')


class ContradictoryTraits(Refusal):
    """The image requires what the flavor forbids."""

    def __init__(self, flavor: str, image: str, traits: Iterable[str]) -> None:
        self.traits = tuple(sorted(traits))
        super().__init__(
            f'The image "{image}" requires what the flavor "{flavor}" forbids: '
            + ", ".join(f"trait:{trait}" for trait in self.traits)
            + ". Choose another flavor or another image."
        )


class UnservedGroup(Refusal):
    """A group of the flavor asks for traits, and for nothing that a provider could give."""

    def __init__(self, flavor: str, suffix: str) -> None:
        super().__init__(
            f'The flavor "{flavor}" has traits for the group "{suffix}" but no resources: '
            f"a provider is chosen for what it gives, so resources{suffix}:CLASS is needed too."
        )


class MissingGroupPolicy(Refusal):
    """Several groups, and nobody said whether one provider may serve two of them."""

    def __init__(self, flavor: str, suffixes: Iterable[str]) -> None:
        super().__init__(
            f'The flavor "{flavor}" has several groups of resources ({", ".join(suffixes)}) and no group_policy: '
            "set it to isolate for a provider of its own for each, or to none."
        )


class NothingRequested(Refusal):
    """Nothing at all is left of the resources."""

    def __init__(self, flavor: str) -> None:
        super().__init__(f'The flavor "{flavor}" asks for no resources at all, so there is nothing to place.')


class NothingUnnumbered(Refusal):
    """Conditions that only the un-numbered group can carry, and no resources in it."""

    def __init__(self, flavor: str, conditions: str) -> None:
        super().__init__(
            f'The flavor "{flavor}" has resources in numbered groups only, so nothing can be held to {conditions}. '
            "Give it at least one resource without a number."
        )


class UnknownMemberKey(Refusal):
    """A key that names aggregates, and no aggregate that has it."""

    def __init__(self, key: str, whose: str, *, for_project: str | None = None) -> None:
        self.key = key
        which = f"No host aggregate that is open to the project {for_project}" if for_project else "No host aggregate"
        super().__init__(f'{which} has the metadata key "{key}" that {whose} asks for.')


class UnknownAvailabilityZone(Refusal):
    """No aggregate is this availability zone."""

    def __init__(self, zone: str) -> None:
        super().__init__(f'There is no availability zone "{zone}".')


class NoAggregateForProject(Refusal):
    """Every project needs an aggregate of its own, and this one has none."""

    def __init__(self, project_id: str) -> None:
        super().__init__(f"No hosts are set aside for the project {project_id}, and it may use no others.")


class MissingTraits(Refusal):
    """What a server holds does not have the traits that its new image requires."""

    def __init__(self, image: str, missing: Iterable[str]) -> None:
        self.missing = tuple(sorted(missing))
        super().__init__(
            f'The image "{image}" requires traits that no provider of the server\'s allocation has: '
            f"{', '.join(self.missing)}. The server stays as it is; a new one may find a place elsewhere."
        )


class ForeignHost(Refusal):
    """The host of a server is not one that its new image may use."""

    def __init__(self, image: str, reason: str) -> None:
        super().__init__(
            f'The image "{image}" may not be used on the host of the server: {reason}. The server stays as it is.'
        )
