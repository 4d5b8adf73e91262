"""Whether a caller may do something: oslo.policy, with rules that a file can change."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from oslo_config import cfg
from oslo_policy import policy

from moorage.placement.api.errors import ApiError
from moorage.web.caller import CALLER, Caller

# A changed policy file counts after this many seconds at the latest.
_FRESH_SECONDS = 2.0
_MOST_DECISIONS = 10_000


class Guard:
    """Refuses what the policy does not allow."""

    def __init__(self, settings: cfg.ConfigOpts, rules: Sequence[policy.RuleDefault]) -> None:
        self._enforcer = policy.Enforcer(settings)
        # Both would log one warning per rule, at every start, about nothing an operator has to do.
        self._enforcer.suppress_default_change_warnings = True
        self._enforcer.suppress_deprecation_warnings = True
        self._enforcer.register_defaults(list(rules))
        self._enforcer.load_rules()
        # oslo.policy looks at its files for every question, which takes longer than most answers of the API.
        self._decisions: dict[tuple[str, Caller, str | None], bool] = {}
        self._fresh_until = 0.0

    def __call__(self, environ: Mapping[str, Any], rule: str, project_id: str | None) -> None:
        """Let the caller of a request pass, or refuse with 403.

        The target of a rule is the project in question: the one named, or else the caller's own.
        """
        if not self.allows(environ[CALLER], rule, project_id):
            raise ApiError(HTTPStatus.FORBIDDEN, f"Policy does not allow {rule} to be performed.")

    def allows(self, caller: Caller, rule: str, project_id: str | None) -> bool:
        """Whether the policy lets somebody do something in a project."""
        now = time.monotonic()
        if now >= self._fresh_until or len(self._decisions) >= _MOST_DECISIONS:
            self._decisions = {}
            self._fresh_until = now + _FRESH_SECONDS
        decisions, question = self._decisions, (rule, caller, project_id)
        if question not in decisions:
            decisions[question] = self._ask(rule, caller, project_id)
        return decisions[question]

    def _ask(self, rule: str, caller: Caller, project_id: str | None) -> bool:
        target = {"project_id": project_id or caller.project_id, "user_id": caller.user_id}
        try:
            return bool(self._enforcer.authorize(rule, target, caller.credentials(), do_raise=False))
        except policy.InvalidScope:
            return False
