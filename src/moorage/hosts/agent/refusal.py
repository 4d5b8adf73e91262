"""Why an agent does not start, or ends."""

from __future__ import annotations

from collections.abc import Sequence


class AgentRefuses(Exception):
    """The agent cannot do its work until the operator puts something right; each problem is a complete sentence."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)
