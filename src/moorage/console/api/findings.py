"""What does not agree in the cloud: servers with allocations, leases with what they made.

Each comparison is told by itself: one that cannot be made, since who has to be asked is away, hides no other.
"""

from __future__ import annotations

import logging

from moorage.client.errors import ClientError
from moorage.console.context import Console
from moorage.console.finding import Finding
from moorage.db.database import DatabaseUnavailable
from moorage.reservations.enactment.errors import NotYet, UnfitCloud
from moorage.web.answer import Answer, json_answer
from moorage.web.request import Request

LOG = logging.getLogger(__name__)

_EXPECTED = (ClientError, UnfitCloud, NotYet)


def index(_request: Request, console: Console) -> Answer:
    """GET /findings"""
    findings: dict[str, list[Finding]] = {}
    errors: dict[str, str] = {}
    for name, audit in console.audits.items():
        try:
            findings[name] = audit()
        except DatabaseUnavailable:
            raise
        except _EXPECTED as error:
            errors[name] = str(error)
        except Exception as error:
            LOG.exception("Comparing %s failed", name)
            errors[name] = f"It ended with {type(error).__name__}; the log says more."
    return json_answer({"findings": findings, "errors": errors})
