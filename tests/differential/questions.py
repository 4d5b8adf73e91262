"""Cases of questions: a random cloud, written to both services, and random questions about it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from tests.differential.clouds import Cloud, calls, random_cloud
from tests.differential.comparison import compare_answers, judge
from tests.differential.outcome import Outcome
from tests.differential.queries import Query, random_candidate_query, random_provider_query
from tests.differential.reference import number_of_combinations
from tests.differential.services import USUAL, Generation, Pair

# Upstream, too, makes all combinations, at about 10,000 per second.
MOST_COMBINATIONS = 3000
MOST_DRAWS = 30
SHARE_OF_PROVIDER_QUERIES = 0.15
SHARE_OF_USUAL_OPTIONS = 0.7
SECONDS_TO_SIMPLIFY = 60


def ask_about_a_cloud(pair: Pair, seed: int, questions: int, *, largest: int = 40) -> Iterator[Outcome]:
    """Ask questions about the cloud that grows from a seed, until a difference shows."""
    rng = Random(seed)
    cloud = random_cloud(rng, largest)
    generation = random_generation(Random(f"options of {seed}"))
    if difference := write(pair, cloud, generation):
        yield Outcome(f"seed {seed}: writing the cloud: {difference}")
        return
    for _ in range(questions):
        query = _worthwhile_query(rng, cloud)
        verdict = judge(pair, cloud, query, generation)
        if verdict.difference:
            yield Outcome(_report(pair, seed, Case(cloud, query, generation), verdict.difference), verdict.deviation)
            return
        yield Outcome(None, verdict.deviation)


def random_generation(rng: Random) -> Generation:
    """The usual options for most clouds, so that most answers are complete."""
    if rng.random() < SHARE_OF_USUAL_OPTIONS:
        return USUAL
    return Generation(
        rng.choice((-1, 1, 2, 5, 20, 1000)), rng.choice(("depth-first", "breadth-first")), rng.random() < 0.5
    )


def write(pair: Pair, cloud: Cloud, generation: Generation = USUAL) -> str | None:
    """Make both services know the cloud, and nothing else."""
    pair.reset(generation)
    for call in calls(cloud):
        upstream, ours = pair.send(call)
        if difference := compare_answers(upstream, ours, call.minor):
            return f"{call}\n{difference}\n  upstream: {upstream}\n  ours:     {ours}"
        if not 200 <= ours.status < 300:
            return f"{call}\n{ours}"
    return None


def _worthwhile_query(rng: Random, cloud: Cloud) -> Query:
    """A question that is affordable, and that usually has something to find: most made up at random have not."""
    if rng.random() < SHARE_OF_PROVIDER_QUERIES:
        return random_provider_query(rng, cloud)
    wanted = rng.choice((0, 1, 2, 4, 8, 16))
    groups = rng.choice((1, 1, 2, 2, 3))
    best: Query = random_provider_query(rng, cloud)
    most = -1
    for _ in range(MOST_DRAWS):
        query = random_candidate_query(rng, cloud)
        if len(query.groups) < groups:
            continue
        combinations = number_of_combinations(cloud, query)
        if most < combinations <= MOST_COMBINATIONS:
            best, most = query, combinations
        if most >= wanted:
            break
    return best


@dataclass(frozen=True)
class Case:
    """A question, and to whom it was put."""

    cloud: Cloud
    query: Query
    generation: Generation


def _report(pair: Pair, seed: int, case: Case, difference: str) -> str:
    cloud, query, verdict = _simplified(pair, case)
    lines = [f"seed {seed}: {verdict.difference or difference}", "", f"To see it again, with {case.generation}:"]
    return "\n".join([*lines, *map(str, calls(cloud)), str(query.call()), str(query.parameters())])


def _simplified(pair: Pair, case: Case) -> tuple[Cloud, Query, Outcome]:
    """A smaller cloud and a smaller question that still show a difference: parts are left away while one remains."""
    deadline = time.monotonic() + SECONDS_TO_SIMPLIFY
    cloud, query, generation = case.cloud, case.query, case.generation
    write(pair, cloud, generation)
    verdict = judge(pair, cloud, query, generation)
    progress = True
    while progress and time.monotonic() < deadline:
        progress = False
        for smaller_query in query.simpler():
            smaller_verdict = judge(pair, cloud, smaller_query, generation)
            if smaller_verdict.difference and smaller_query.parameters():
                query, verdict, progress = smaller_query, smaller_verdict, True
                break
        for smaller_cloud in () if progress else cloud.simpler():
            if time.monotonic() > deadline:
                break
            if write(pair, smaller_cloud, generation) is not None:
                continue
            if (smaller := judge(pair, smaller_cloud, query, generation)).difference:
                cloud, verdict, progress = smaller_cloud, smaller, True
                break
        write(pair, cloud, generation)
    return cloud, query, verdict
