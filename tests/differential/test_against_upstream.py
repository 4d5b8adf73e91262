"""Random clouds, questions and writes: ours and upstream must answer alike, and rightly.

A failure names its seed and what to send to see it again. `python -m tests.differential` goes on for longer.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.differential.questions import ask_about_a_cloud
from tests.differential.services import Pair, both_services
from tests.differential.writes import write_to_a_cloud

QUESTIONS_PER_CLOUD = 20
WRITES_PER_CLOUD = 10


@pytest.fixture(scope="session")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    with both_services(tmp_path_factory.mktemp("differential")) as services:
        yield services


@pytest.mark.parametrize("seed", range(16))
def test_questions_are_answered_as_upstream_answers_them(pair: Pair, seed: int) -> None:
    for outcome in ask_about_a_cloud(pair, seed, QUESTIONS_PER_CLOUD, largest=12):
        if outcome.difference:
            pytest.fail(outcome.difference, pytrace=False)


@pytest.mark.parametrize("seed", range(10))
def test_writes_have_the_effect_they_have_upstream(pair: Pair, seed: int) -> None:
    for outcome in write_to_a_cloud(pair, seed, WRITES_PER_CLOUD):
        if outcome.difference:
            pytest.fail(outcome.difference, pytrace=False)
