"""Whether a caller may do something: oslo.policy, with rules that a file can change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from oslo_config import cfg
from oslo_policy import policy

from moorage.placement.api.errors import ApiError
from moorage.service.authentication.caller import CALLER, Caller


class Guard:
    """Refuses what the policy does not allow."""

    def __init__(self, settings: cfg.ConfigOpts, rules: Sequence[policy.RuleDefault]) -> None:
        self._enforcer = policy.Enforcer(settings)
        # Both would log one warning per rule, at every start, about nothing an operator has to do.
        self._enforcer.suppress_default_change_warnings = True
        self._enforcer.suppress_deprecation_warnings = True
        self._enforcer.register_defaults(list(rules))
        self._enforcer.load_rules()

    def __call__(self, environ: Mapping[str, Any], rule: str, project_id: str | None) -> None:
        """Let the caller of a request pass, or refuse with 403.

        The target of a rule is the project in question: the one named, or else the caller's own.
        """
        caller: Caller = environ[CALLER]
        target = {"project_id": project_id or caller.project_id, "user_id": caller.user_id}
        try:
            allowed = self._enforcer.authorize(rule, target, caller.credentials(), do_raise=False)
        except policy.InvalidScope:
            allowed = False
        if not allowed:
            raise ApiError(HTTPStatus.FORBIDDEN, f"Policy does not allow {rule} to be performed.")
