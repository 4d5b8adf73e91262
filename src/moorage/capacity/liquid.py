"""What the handlers of the API work with: the cloud's services, the settings, what is remembered between them."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from moorage.capacity.declarations import Declarations
from moorage.capacity.model.configuration import Configuration
from moorage.capacity.reading.group_members import GroupMembers
from moorage.capacity.reading.os_types import OsTypes
from moorage.capacity.reading.services import Services
from moorage.db.database import Database
from moorage.web.caller import Allows


@dataclass(frozen=True, slots=True)
class Liquid:
    """The service for one cloud."""

    database: Database
    services: Services
    configuration: Configuration
    declarations: Declarations
    group_members: GroupMembers
    os_types: OsTypes
    allows: Allows
    # So many reports are made at once; others wait.
    turns: threading.BoundedSemaphore
    # Whether everybody may read the metrics.
    has_open_metrics: bool = False


def open_liquid(
    database: Database,
    services: Services,
    configuration: Configuration,
    allows: Allows,
    *,
    most_at_once: int = 5,
    has_open_metrics: bool = False,
) -> Liquid:
    """The service over these."""
    return Liquid(
        database=database,
        services=services,
        configuration=configuration,
        declarations=Declarations(database, services.compute, configuration),
        group_members=GroupMembers(services.compute),
        os_types=OsTypes(services),
        allows=allows,
        turns=threading.BoundedSemaphore(most_at_once),
        has_open_metrics=has_open_metrics,
    )
