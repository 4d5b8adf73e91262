"""Schemas of the signs of life of agents."""

from __future__ import annotations

from moorage.placement.api.schemas.common import object_of, whole_number
from moorage.placement.model.agent import MOST_NAME, MOST_REASON, MOST_VERSION, Outcome, State
from moorage.placement.model.inventory import MAX_AMOUNT
from moorage.web.schema import Definition, Schema

_ANY_STATE = f"({'|'.join(State)})"


def _or_null(definition: Definition) -> Definition:
    return {"anyOf": [definition, {"type": "null"}]}


NAME: Definition = {"type": "string", "minLength": 1, "maxLength": MOST_NAME}
# What an agent tells of itself.
SIGN: dict[str, Definition] = {
    "version": {"type": "string", "minLength": 1, "maxLength": MOST_VERSION},
    "interval": _or_null({"type": "number", "minimum": 1, "maximum": MAX_AMOUNT}),
    "outcome": {"type": "string", "enum": [outcome.value for outcome in Outcome]},
    "reason": _or_null({"type": "string", "minLength": 1, "maxLength": MOST_REASON}),
    "providers": _or_null(whole_number(0)),
}
TELL = Schema(object_of(SIGN, required=("version", "interval", "outcome")))
LIST = Schema(
    object_of(
        {
            "state": {"type": "string", "pattern": f"^{_ANY_STATE}(,{_ANY_STATE})*$"},
            "limit": {"type": "string", "pattern": "^[1-9][0-9]{0,8}$"},
        }
    )
)
