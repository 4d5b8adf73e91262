"""Work made runnable: one step is one unit of some work, sent over a connection, giving the last answer.

Whatever is chosen at random is chosen by a generator with a known seed, so that both sides are asked the same.
"""

from __future__ import annotations

import random
import uuid
from collections.abc import Callable, Mapping, Sequence

from bench.client import Answer, Connection
from bench.insert import CONSUMER_TYPE, PROJECT, USER
from bench.load import ChangeAndGet, Claim, FindAndClaim, Get, LoadProvider, ReadOrClaim, Step
from bench.providers import Provider

RunStep = Callable[[Connection], Answer]


def runnable(step: Step, roots: Sequence[Provider], seed: int) -> RunStep:
    """A function that does one unit of the work each time it is called."""
    chance = random.Random(seed)  # noqa: S311 - spreads requests, hides nothing
    match step:
        case Get(path):
            return _getting(path, roots, chance)
        case ChangeAndGet(path):
            return _changing_and_getting(path, roots, chance)
        case Claim(amounts):
            return _claiming(amounts, roots, chance)
        case FindAndClaim(path):
            return _finding_and_claiming(path, chance)
        case ReadOrClaim():
            return _reading_or_claiming(step, roots, chance)
        case LoadProvider():
            return _loading(step)


def _getting(path: str, roots: Sequence[Provider], chance: random.Random) -> RunStep:
    if "{provider}" not in path:
        return lambda connection: connection.get(path)
    identifiers = [provider.uuid for provider in roots]
    return lambda connection: connection.get(path.replace("{provider}", chance.choice(identifiers)))


def _changing_and_getting(path: str, roots: Sequence[Provider], chance: random.Random) -> RunStep:
    identifiers = [provider.uuid for provider in roots]

    def run(connection: Connection) -> Answer:
        inventories = f"/resource_providers/{chance.choice(identifiers)}/inventories"
        answer = connection.get(inventories)
        if answer.succeeded:
            body = answer.json()
            for inventory in body["inventories"].values():
                inventory["total"] += 1
            answer = connection.send("PUT", inventories, body)
        return connection.get(path) if answer.succeeded else answer

    return run


def _claiming(amounts: Mapping[str, int], roots: Sequence[Provider], chance: random.Random) -> RunStep:
    identifiers = [provider.uuid for provider in roots if provider.inventories.keys() >= amounts.keys()]

    def run(connection: Connection) -> Answer:
        return _claim(connection, {chance.choice(identifiers): {"resources": amounts}})

    return run


def _finding_and_claiming(path: str, chance: random.Random) -> RunStep:
    def run(connection: Connection) -> Answer:
        found = connection.get(path)
        if not found.succeeded:
            return found
        return _claim(connection, chance.choice(found.json()["allocation_requests"])["allocations"])

    return run


def _reading_or_claiming(step: ReadOrClaim, roots: Sequence[Provider], chance: random.Random) -> RunStep:
    claim = _claiming(step.claim.amounts, roots, chance)
    reads = [_getting(read.path, roots, chance) for read in step.reads]

    def run(connection: Connection) -> Answer:
        chosen = claim if chance.random() < step.claim_share else chance.choice(reads)
        return chosen(connection)

    return run


def _loading(step: LoadProvider) -> RunStep:
    parts = {
        "inventories": step.shape.inventories,
        "aggregates": step.shape.aggregates[-1],
        "traits": step.shape.traits[-1],
    }

    def run(connection: Connection) -> Answer:
        identifier = str(uuid.uuid4())
        answer = connection.send("POST", "/resource_providers", {"name": identifier, "uuid": identifier})
        for generation, (part, content) in enumerate(parts.items()):
            if not answer.succeeded:
                break
            body = {part: content, "resource_provider_generation": generation}
            answer = connection.send("PUT", f"/resource_providers/{identifier}/{part}", body)
        return answer

    return run


def _claim(connection: Connection, allocations: Mapping[str, object]) -> Answer:
    body = {
        "allocations": allocations,
        "consumer_generation": None,
        "consumer_type": CONSUMER_TYPE,
        "project_id": PROJECT,
        "user_id": USER,
    }
    return connection.send("PUT", f"/allocations/{uuid.uuid4()}", body)
