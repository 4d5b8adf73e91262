"""Bodies of requests: all fields that the protocol has, and no others."""

from __future__ import annotations

from moorage.capacity.model import overcommit
from moorage.web.schema import Definition, Schema
from moorage.web.shapes import TEXT, TRUTH, by_name, listed, or_null, record

# Amounts are unsigned and have 64 bits.
_AMOUNT: Definition = {"type": "integer", "minimum": 0, "maximum": 2**64 - 1}
_ZONE: Definition = {"type": "string", "minLength": 1, "maxLength": 255}
_ZONES: Definition = {**listed(_ZONE), "uniqueItems": True, "maxItems": 1000}
_STATUS: Definition = {"enum": [None, "planned", "pending", "guaranteed", "confirmed", "superseded", "expired"]}

_PROJECT = record({"uuid": TEXT, "name": TEXT, "domain": record({"uuid": TEXT, "name": TEXT})})

# Where null is allowed, programs in Go send it for a map without entries.
_DEMAND_IN_ZONE = record({}, {"usage": _AMOUNT, "unusedCommitments": _AMOUNT, "pendingCommitments": _AMOUNT})
_DEMAND = record(
    {"perAZ": or_null(by_name(_DEMAND_IN_ZONE))},
    # So many times what is there may be sold; 0 is what programs send that know of none.
    {"overcommitFactor": {"type": ["number", "null"], "minimum": 0, "maximum": overcommit.MOST}},
)

CAPACITY = Schema(record({"allAZs": _ZONES}, {"demandByResource": or_null(by_name(_DEMAND))}))

# serializedState is whatever an earlier report gave, which is nothing.
USAGE = Schema(record({"allAZs": _ZONES}, {"projectMetadata": or_null(_PROJECT), "serializedState": {}}))

_QUOTA_IN_ZONE = record({"quota": _AMOUNT})
_QUOTA = record({"quota": _AMOUNT}, {"perAZ": or_null(by_name(_QUOTA_IN_ZONE))})

QUOTA = Schema(record({"resources": by_name(_QUOTA)}, {"projectMetadata": or_null(_PROJECT)}))

_COMMITMENT = record(
    {"uuid": TEXT, "oldStatus": _STATUS, "newStatus": _STATUS, "amount": _AMOUNT, "expiresAt": TEXT},
    {"confirmBy": or_null(TEXT), "oldExpiresAt": or_null(TEXT)},
)
_RESOURCE_CHANGES = record(
    {
        "totalConfirmedBefore": _AMOUNT,
        "totalConfirmedAfter": _AMOUNT,
        "totalGuaranteedBefore": _AMOUNT,
        "totalGuaranteedAfter": _AMOUNT,
        "commitments": listed(_COMMITMENT),
    }
)
_PROJECT_CHANGES = record({"byResource": by_name(_RESOURCE_CHANGES)}, {"projectMetadata": or_null(_PROJECT)})

COMMITMENTS = Schema(
    record(
        {"az": _ZONE, "infoVersion": {"type": "integer"}, "byProject": by_name(_PROJECT_CHANGES)},
        {"dryRun": TRUTH},
    )
)
