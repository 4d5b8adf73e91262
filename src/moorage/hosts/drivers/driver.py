"""What every driver offers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from moorage.hosts.provider_tree import ProviderTree


@dataclass(frozen=True, slots=True)
class NativeProviders:
    """What a host natively has: its providers, and which of them are compute nodes (`$COMPUTE_NODE` means those)."""

    tree: ProviderTree
    # UUIDs; each is a root of the tree.
    nodes: frozenset[str]
    # What the operator should know about them; each is a sentence.
    remarks: tuple[str, ...] = ()


class DriverError(Exception):
    """The host cannot be examined now; the message is one sentence for the operator."""


class Driver(Protocol):
    """Finds out what a host has."""

    name: str

    def read(self) -> NativeProviders:
        """What the host has now; DriverError if that cannot be said."""
        ...
