"""A cloud of a test's own in a Placement that also has others, and servers that are placed in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from uuid import uuid4

from moorage.client.placement import ConsumerAllocations, PlacementClient
from moorage.compute.model.aggregate import HostAggregate
from moorage.compute.placing.candidates import Candidate, read_candidates
from moorage.compute.placing.request import PlacementRequest, placement_request
from moorage.compute.placing.settings import PlacingSettings
from moorage.placement.model.inventory import Inventory
from tests.compute.placing.examples import HARBOUR, aggregate, flavor, image

SHARING = "MISC_SHARES_VIA_AGGREGATE"


@dataclass
class Cloud:
    """Providers and host aggregates, all known by their names.

    Every host has berths, a resource class of this cloud alone, and every server takes one: so no server goes to the
    hosts of other tests.
    """

    placement: PlacementClient
    settings: PlacingSettings = field(default_factory=PlacingSettings)
    uuids: dict[str, str] = field(default_factory=dict)
    host_aggregates: dict[str, HostAggregate] = field(default_factory=dict)
    berth: str = field(default_factory=lambda: f"CUSTOM_BERTH_{uuid4().hex.upper()}")

    # --- what is there

    def add_host(self, name: str, resources: Mapping[str, int], traits: Iterable[str] = ()) -> None:
        """A compute node, with a hundred berths."""
        self.placement.ensure_resource_classes([self.berth])
        self.add(name, {**resources, self.berth: 100}, {"COMPUTE_NODE", *traits})

    def add(
        self,
        name: str,
        resources: Mapping[str, int],
        traits: Iterable[str] = (),
        *,
        parent: str | None = None,
    ) -> None:
        """A provider: part of a host or, with the trait for it, one that shares."""
        client, uuid = self.placement, str(uuid4())
        client.ensure_traits(traits)
        made = client.create_provider(uuid, f"{name} {uuid}", self.uuids[parent] if parent else None)
        inventories = {resource: Inventory(total) for resource, total in resources.items()}
        generation = client.put_inventories(uuid, inventories, made.generation)
        client.put_traits(uuid, traits, generation)
        self.uuids[name] = uuid

    def group(self, name: str, metadata: Mapping[str, str], *members: str) -> None:
        """A host aggregate with these hosts, or storage that it shares, and no others; also in Placement."""
        former = self.host_aggregates.get(name)
        uuid = former.uuid if former else str(uuid4())
        self.host_aggregates[name] = replace(aggregate(name, metadata, members), uuid=uuid)
        for member in set(members).symmetric_difference(former.hosts if former else ()):
            known = self.placement.aggregates(self.uuids[member])
            wanted = known.aggregates | {uuid} if member in members else known.aggregates - {uuid}
            self.placement.put_aggregates(self.uuids[member], wanted, known.generation)

    # --- servers

    def request(
        self, specs: Mapping[str, str] | None = None, properties: Mapping[str, str] | None = None, **size: int
    ) -> PlacementRequest:
        """What Placement is asked for: a berth, and no disk unless the extra specs or `disk_gb` say so."""
        wanted = flavor({f"resources:{self.berth}": "1", **(specs or {})}, **({"disk_gb": 0} | size))
        aggregates = tuple(self.host_aggregates.values())
        return placement_request(wanted, image(properties), aggregates, self.settings, HARBOUR)

    def candidates(self, request: PlacementRequest) -> tuple[Candidate, ...]:
        return read_candidates(self.placement.allocation_candidates(request.pairs()))

    def hosts(
        self, specs: Mapping[str, str] | None = None, properties: Mapping[str, str] | None = None, **size: int
    ) -> set[str]:
        """The hosts that a server could go to."""
        found = self.candidates(self.request(specs, properties, **size))
        return {self.name_of(candidate.host) for candidate in found}

    def claim(self, candidate: Candidate) -> str:
        """Take a place; the UUID of the server that has it now."""
        server = str(uuid4())
        wanted = ConsumerAllocations(
            allocations=candidate.allocations, project_id=HARBOUR, user_id="me", consumer_type="INSTANCE"
        )
        self.placement.put_allocations(server, wanted)
        return server

    def held_traits(self, server: str) -> list[frozenset[str]]:
        """The traits of each provider that a server holds something of."""
        held = self.placement.allocations(server)
        assert held is not None
        return [self.placement.traits(uuid).traits for uuid in held.allocations]

    def name_of(self, uuid: str) -> str:
        return next(name for name, known in self.uuids.items() if known == uuid)
