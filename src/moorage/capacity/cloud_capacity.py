"""The capacity report of the cloud, from reading to checking."""

from __future__ import annotations

import logging
import time

import msgspec

from moorage.capacity.errors import CapacityError
from moorage.capacity.figures import Figures, figures_of
from moorage.capacity.liquid import Liquid
from moorage.capacity.model.demand import CapacityRequest
from moorage.capacity.protocol.reports import CapacityReport, capacity_report
from moorage.capacity.protocol.validation import check_capacity_report
from moorage.capacity.reading.cloud import read_cloud
from moorage.capacity.report import CapacityAccount, report_capacity
from moorage.capacity.store import documents
from moorage.capacity.store.documents import FIGURES
from moorage.db.database import Database

LOG = logging.getLogger(__name__)

# Flavors that change while they are read make a report that nobody could understand; then the cloud is read again.
_ATTEMPTS = 3


class CloudKeepsChanging(CapacityError):
    """The flavors changed each time that the cloud was read."""


def report_cloud(liquid: Liquid, request: CapacityRequest) -> CapacityReport:
    """The capacity of the cloud as it is now."""
    started = time.monotonic()
    for _ in range(_ATTEMPTS):
        seen_at = liquid.declarations.now()
        cloud = read_cloud(liquid.services.compute, liquid.services.placement, liquid.configuration)
        info = liquid.declarations.publish(cloud.flavors, seen_at).info
        account = report_capacity(cloud, request, liquid.configuration)
        # Another worker may have read the cloud later, and other flavors.
        if {name for name, resource in info.resources.items() if resource.has_capacity} == set(
            account.report.resources
        ):
            break
    else:
        raise CloudKeepsChanging(
            f"The flavors of the cloud changed {_ATTEMPTS} times while it was read; ask again when they no longer do."
        )
    report = capacity_report(account.report, info.version)
    check_capacity_report(report, request.zones, info)
    _note(liquid, account, request, time.monotonic() - started, seen_at)
    return report


def last_figures(database: Database) -> Figures | None:
    """The figures of the last report that any worker made."""
    found = database.read(lambda connection: documents.find(connection, FIGURES))
    return msgspec.json.decode(found[FIGURES].content, type=Figures) if FIGURES in found else None


def _note(liquid: Liquid, account: CapacityAccount, request: CapacityRequest, seconds: float, seen_at: int) -> None:
    for failure in account.skipped:
        LOG.warning("Left out of the capacity report: %s", failure)
    if account.homeless:
        LOG.info("Without aggregate or zone, and so not in the capacity report: %s", ", ".join(account.homeless))
    figures = figures_of(account, request, seconds=seconds, made_at=seen_at / 1_000_000)
    content = msgspec.json.encode(figures).decode()
    liquid.database.tidy(lambda connection: documents.publish(connection, FIGURES, content, seen_at))
