"""A large import: an upstream database of any size, its Placement beside ours, and answers compared.

The import itself compares every answer of ours with the source; what upstream's service answers is compared for a
sample, because upstream takes its time.

python -m tests.transfer --providers 10000 --allocations 50000
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path
from random import Random

from moorage.db.database import Database
from moorage.service.application import placement_application
from moorage.service.settings import load_settings
from tests.client.upstream import running_upstream
from tests.transfer.every_answer import Service, candidate_questions, questions, unlike
from tests.transfer.ledgers import fill, make_upstream_schema, random_contents

MOORAGE = str(Path(sys.executable).with_name("moorage"))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.transfer", description=__doc__.splitlines()[0])
    parser.add_argument("--providers", type=int, default=10_000)
    parser.add_argument("--allocations", type=int, default=50_000, help="at least so many")
    parser.add_argument("--candidates", type=int, default=20, help="so many random queries for candidates")
    parser.add_argument("--questions", type=int, default=5_000, help="so many of all other questions, drawn at random")
    arguments = parser.parse_args()
    # A host is three providers, and a consumer holds at least two amounts.
    contents = random_contents(1, -(-arguments.providers // 3), arguments.allocations // 2)
    say(f"{len(contents.providers)} providers, {contents.number_of_allocations} allocations")
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        source, target = (f"sqlite:///{directory / file}" for file in ("placement.sqlite", "moorage.sqlite"))
        make_upstream_schema(source)
        fill(source, contents)
        begin = time.monotonic()
        subprocess.run([MOORAGE, "import", "placement", source, "--database", target], check=True)
        say(f"imported and verified in {time.monotonic() - begin:.0f} s")
        settings = load_settings({"api.auth_strategy": "noauth2"}, config_files=[])
        ours = Service(placement_application(settings, Database(target)))
        with running_upstream(directory) as endpoint:
            possible = list(questions(contents))
            drawn = Random(1).sample(possible, min(arguments.questions, len(possible)))
            asked = [*drawn, *candidate_questions(contents, arguments.candidates)]
            found = list(islice(unlike(Service(endpoint), ours, iter(asked)), 10))
        say(*found, f"{len(asked)} of {len(possible)} questions to both services: {len(found)} differences")
    return 1 if found else 0


def say(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
