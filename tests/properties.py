"""How hard property tests look: the same examples on every run or, when asked to, many times as many new ones.

MOORAGE_TEST_EFFORT=20 looks at twenty times as many examples, which are different on every run.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

EFFORT_VARIABLE = "MOORAGE_TEST_EFFORT"


def effort(examples: int, *, steps: int = 50) -> settings:
    """Settings for a property test; also a decorator."""
    factor = float(os.environ.get(EFFORT_VARIABLE, "1"))
    return settings(
        max_examples=max(1, round(examples * factor)),
        stateful_step_count=steps,
        derandomize=factor == 1,
        deadline=None,
        database=None,
        print_blob=False,
        # Fixtures here bring themselves into order between examples, and databases are slow compared with arithmetic.
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )
