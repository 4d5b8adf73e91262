"""Bodies of requests: all fields that the protocol has, and no others."""

from __future__ import annotations

from typing import Any

from moorage.capacity.model import overcommit
from moorage.web.schema import Definition, Schema

# Amounts are unsigned and have 64 bits.
_AMOUNT: Definition = {"type": "integer", "minimum": 0, "maximum": 2**64 - 1}
_TEXT: Definition = {"type": "string"}
_ZONE: Definition = {"type": "string", "minLength": 1, "maxLength": 255}
_ZONES: Definition = {"type": "array", "items": _ZONE, "uniqueItems": True, "maxItems": 1000}
_STATUS: Definition = {"enum": [None, "planned", "pending", "guaranteed", "confirmed", "superseded", "expired"]}


def _fields(required: dict[str, Any], optional: dict[str, Any] | None = None) -> Definition:
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


def _by_name(value: Definition) -> Definition:
    return {"type": "object", "additionalProperties": value}


def _or_null(value: Definition) -> Definition:
    """What Go programs send for a map without entries."""
    return {**value, "type": [value["type"], "null"]}


_PROJECT = _fields({"uuid": _TEXT, "name": _TEXT, "domain": _fields({"uuid": _TEXT, "name": _TEXT})})

_DEMAND_IN_ZONE = _fields({}, {"usage": _AMOUNT, "unusedCommitments": _AMOUNT, "pendingCommitments": _AMOUNT})
_DEMAND = _fields(
    {"perAZ": _or_null(_by_name(_DEMAND_IN_ZONE))},
    # So many times what is there may be sold; 0 is what programs send that know of none.
    {"overcommitFactor": {"type": ["number", "null"], "minimum": 0, "maximum": overcommit.MOST}},
)

CAPACITY = Schema(_fields({"allAZs": _ZONES}, {"demandByResource": _or_null(_by_name(_DEMAND))}))

# serializedState is whatever an earlier report gave, which is nothing.
USAGE = Schema(_fields({"allAZs": _ZONES}, {"projectMetadata": _or_null(_PROJECT), "serializedState": {}}))

_QUOTA_IN_ZONE = _fields({"quota": _AMOUNT})
_QUOTA = _fields({"quota": _AMOUNT}, {"perAZ": _or_null(_by_name(_QUOTA_IN_ZONE))})

QUOTA = Schema(_fields({"resources": _by_name(_QUOTA)}, {"projectMetadata": _or_null(_PROJECT)}))

_COMMITMENT = _fields(
    {"uuid": _TEXT, "oldStatus": _STATUS, "newStatus": _STATUS, "amount": _AMOUNT, "expiresAt": _TEXT},
    {"confirmBy": _or_null(_TEXT), "oldExpiresAt": _or_null(_TEXT)},
)
_RESOURCE_CHANGES = _fields(
    {
        "totalConfirmedBefore": _AMOUNT,
        "totalConfirmedAfter": _AMOUNT,
        "totalGuaranteedBefore": _AMOUNT,
        "totalGuaranteedAfter": _AMOUNT,
        "commitments": {"type": "array", "items": _COMMITMENT},
    }
)
_PROJECT_CHANGES = _fields({"byResource": _by_name(_RESOURCE_CHANGES)}, {"projectMetadata": _or_null(_PROJECT)})

COMMITMENTS = Schema(
    _fields(
        {"az": _ZONE, "infoVersion": {"type": "integer"}, "byProject": _by_name(_PROJECT_CHANGES)},
        {"dryRun": {"type": "boolean"}},
    )
)
