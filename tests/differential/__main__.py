"""Compare ours with upstream for as long as wanted.

A case is a question about a random cloud or, for every fifth cloud, a write to it.
"""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.differential.outcome import Outcome
from tests.differential.questions import ask_about_a_cloud
from tests.differential.services import Pair, both_services
from tests.differential.writes import write_to_a_cloud

QUESTIONS_PER_CLOUD = 40
WRITES_PER_CLOUD = 20
SECONDS_BETWEEN_LINES = 5


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.differential", description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=1000, help="how many to try in all")
    parser.add_argument("--seed", type=int, default=1, help="the first seed; every cloud has one of its own")
    parser.add_argument("--database", metavar="URL", help="ours runs on it; EVERYTHING in it is deleted")
    parser.add_argument("--keep-going", action="store_true", help="do not stop at the first difference")
    arguments = parser.parse_args()
    # Both warn of over-full providers, which the clouds are full of, and upstream of its own defects.
    for name in ("moorage", "placement", "oslo_db"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    with tempfile.TemporaryDirectory() as directory, both_services(Path(directory), arguments.database) as pair:
        tried, differences, known = 0, 0, Counter[str]()
        seed, spoken = arguments.seed, time.monotonic()
        while tried < arguments.cases and (arguments.keep_going or not differences):
            for outcome in cases(pair, seed):
                tried += 1
                if outcome.difference:
                    differences += 1
                    say(outcome.difference, "")
                elif outcome.deviation:
                    known[outcome.deviation.name] += 1
            seed += 1
            if time.monotonic() - spoken > SECONDS_BETWEEN_LINES:
                spoken = time.monotonic()
                say(f"{tried} cases, next seed {seed}, {differences} differences, {known.total()} known deviations")
        say(f"{tried} cases, {differences} differences; upstream's known deviations: {dict(known)}")
    return 1 if differences else 0


def cases(pair: Pair, seed: int) -> Iterator[Outcome]:
    if seed % 5 == 0:
        return write_to_a_cloud(pair, seed, WRITES_PER_CLOUD)
    return ask_about_a_cloud(pair, seed, QUESTIONS_PER_CLOUD)


def say(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
