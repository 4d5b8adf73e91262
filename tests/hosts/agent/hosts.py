"""A host with its files and its agent, which can be started again at any time."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from textwrap import dedent
from types import TracebackType
from typing import Self

from moorage.client.placement import PlacementClient
from moorage.client.transport import Transport
from moorage.hosts.agent.agent import Agent, Parts
from moorage.hosts.agent.files import Files
from moorage.hosts.agent.round import Report
from moorage.hosts.drivers.driver import Driver, NativeProviders
from moorage.hosts.drivers.static.driver import StaticDriver
from moorage.hosts.provider_config.reading import read_directory
from moorage.hosts.provider_tree import Provider, ProviderTree
from moorage.placement.model.inventory import Inventory
from tests.hosts.provider_config.examples import EXAMPLE_OF_THE_DOCUMENT

EXAMPLE = EXAMPLE_OF_THE_DOCUMENT

ONE_NODE = """
    nodes:
      - name: node-1
        inventories: {VCPU: 8, MEMORY_MB: 16384}
        traits: [HW_CPU_X86_AVX2]
"""

WITH_DEVICES = """
    nodes:
      - name: node-1
        inventories: {VCPU: 8}
        children:
          - name: node-1_numa0
            children:
              - name: node-1_gpu
                inventories: {PGPU: 1}
          - name: node-1_numa1
"""

# Somebody else's provider.
STRANGER = "7a1a1d4e-1d43-4f0e-9c5b-3f0d3a2b1c00"


class Given:
    """A driver that checks nothing."""

    name = "given"

    def __init__(self, *nodes: Provider) -> None:
        self._providers = NativeProviders(ProviderTree(nodes), frozenset(node.uuid for node in nodes))

    def read(self) -> NativeProviders:
        return self._providers


class AgentOfHost:
    """Describes a host by the driver static, writes its files, and runs its agent round by round."""

    def __init__(self, host: str, directory: Path, transport: Transport) -> None:
        self.host = host
        self.transport = transport
        self.client = PlacementClient(transport)
        self.nodes = directory / "nodes.yaml"
        self.files = directory / "provider_config"
        self.memory = directory / "memory.json"
        self.files.mkdir(parents=True)
        self._workers = ThreadPoolExecutor(8)
        self.has(ONE_NODE)
        self.start()

    def start(
        self, *, only: frozenset[str] = frozenset(), driver: Driver | None = None, as_if_upstream: bool = False
    ) -> None:
        """A new agent, which knows only what the last one left on the disk."""
        client = PlacementClient(self.transport)
        if as_if_upstream:
            client._is_moorage = False
        self.agent = Agent(
            Parts(
                host=self.host,
                driver=driver or StaticDriver(self.nodes),
                files=Files(lambda: read_directory(self.files)),
                client=client,
                memory_file=self.memory,
                workers=self._workers,
                pause=lambda _: None,
                only=only,
            )
        )

    def has(self, description: str) -> None:
        """Describe what the host natively has."""
        self.nodes.write_text(dedent(description))

    def write(self, name: str, content: str) -> None:
        """Write a provider configuration file."""
        (self.files / name).write_text(dedent(content))

    def remove(self, name: str) -> None:
        (self.files / name).unlink()

    def round(self) -> Report:
        return self.agent.round()

    def candidates(self, **query: str) -> list[str]:
        """The names of the hosts that would do."""
        found = self.client.allocation_candidates(list(query.items()))
        uuids = {uuid for each in found["allocation_requests"] for uuid in each["allocations"]}
        return sorted(provider.name for provider in self.client.providers() if provider.uuid in uuids)

    def names(self) -> set[str]:
        """Of all providers there are."""
        return {provider.name for provider in self.client.providers()}

    def inventories(self, name: str) -> Mapping[str, Inventory]:
        return self.client.inventories(self.uuid(name)).inventories

    def traits(self, name: str) -> frozenset[str]:
        return self.client.traits(self.uuid(name)).traits

    def uuid(self, name: str) -> str:
        provider = self.client.provider_named(name)
        assert provider is not None, f"there is no {name}"
        return provider.uuid

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._workers.shutdown(cancel_futures=True)
