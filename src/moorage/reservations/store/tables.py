"""The tables of leases, of the hosts they may use, and of what is to be done about both when."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, DateTime, ForeignKey, Index, Integer, String, Table, Text
from sqlalchemy import UniqueConstraint as Unique
from sqlalchemy.dialects.mysql import MEDIUMTEXT

from moorage.db.schema import TABLE_OPTIONS, Identifier, metadata, timestamps
from moorage.reservations.model.lease import LONGEST_NAME

_LongText = Text().with_variant(MEDIUMTEXT(), "mysql", "mariadb")

leases = Table(
    "leases",
    metadata,
    Column("id", Identifier, primary_key=True, autoincrement=True),
    Column("uuid", String(36), nullable=False, unique=True),
    Column("name", String(LONGEST_NAME), nullable=False),
    Column("project_id", String(255), nullable=False),
    Column("user_id", String(255), nullable=False),
    Column("start_date", DateTime, nullable=False),
    Column("end_date", DateTime, nullable=False),
    Column("status", String(16), nullable=False),
    Column("status_reason", Text, nullable=False),
    Column("degraded", Boolean, nullable=False),
    # Counted by the booking lock: see store/booking_lock.py.
    Column("revision", BigInteger, nullable=False, index=True),
    Column("deleted_at", DateTime),
    *timestamps(),
    Index(None, "project_id", "deleted_at"),
    Index(None, "status", "end_date"),
    sqlite_autoincrement=True,  # the order in which leases were made: first come, first served
    **TABLE_OPTIONS,
)

reservations = Table(
    "reservations",
    metadata,
    Column("id", Identifier, primary_key=True, autoincrement=True),
    Column("uuid", String(36), nullable=False, unique=True),
    Column("lease_id", Identifier, ForeignKey("leases.id"), nullable=False, index=True),
    Column("resource_type", String(66), nullable=False),
    Column("status", String(16), nullable=False, index=True),
    Column("missing_resources", Boolean, nullable=False),
    Column("resources_changed", Boolean, nullable=False),
    # JSON of an `InstanceRequest` or a `HostRequest`.
    Column("request", _LongText, nullable=False),
    *timestamps(),
    **TABLE_OPTIONS,
)

reservation_hosts = Table(
    "reservation_hosts",
    metadata,
    Column("id", Identifier, primary_key=True, autoincrement=True),
    Column("provider_uuid", String(36), nullable=False, index=True),
    Column("name", String(255), nullable=False),
    # The name again, or NULL for a host that was deleted: so that a name may come again, but not twice at a time.
    Column("current_name", String(255), unique=True),
    Column("service_name", String(255), nullable=False),
    Column("availability_zone", String(255), nullable=False),
    # JSON of a `Hypervisor`.
    Column("hypervisor", _LongText, nullable=False),
    Column("reservable", Boolean, nullable=False),
    Column("disabled_reason", Text, nullable=False),
    Column("revision", BigInteger, nullable=False, index=True),
    Column("deleted_at", DateTime),
    *timestamps(),
    sqlite_autoincrement=True,  # clients keep the numbers: none is used twice
    **TABLE_OPTIONS,
)

reservation_host_capabilities = Table(
    "reservation_host_capabilities",
    metadata,
    Column("host_id", Identifier, ForeignKey("reservation_hosts.id"), primary_key=True, autoincrement=False),
    Column("name", String(64), primary_key=True),
    Column("value", Text, nullable=False),
    **TABLE_OPTIONS,
)

reservation_host_maintenance = Table(
    "reservation_host_maintenance",
    metadata,
    Column("id", Identifier, primary_key=True, autoincrement=True),
    Column("uuid", String(36), nullable=False, unique=True),
    Column("host_id", Identifier, ForeignKey("reservation_hosts.id"), nullable=False, index=True),
    Column("start_date", DateTime, nullable=False),
    Column("end_date", DateTime, nullable=False),
    Column("reason", Text, nullable=False),
    **TABLE_OPTIONS,
)

# Names of capabilities that were ever used, and whether ordinary users may see them.
reservation_properties = Table(
    "reservation_properties",
    metadata,
    Column("id", Identifier, primary_key=True, autoincrement=True),
    Column("uuid", String(36), nullable=False, unique=True),
    Column("name", String(64), nullable=False, unique=True),
    Column("private", Boolean, nullable=False),
    *timestamps(),
    **TABLE_OPTIONS,
)

# How many slots a reservation has on a host. They stay when it is over; they count until its status is deleted.
reservation_slots = Table(
    "reservation_slots",
    metadata,
    Column("reservation_id", Identifier, ForeignKey("reservations.id"), primary_key=True, autoincrement=False),
    Column("host_id", Identifier, ForeignKey("reservation_hosts.id"), primary_key=True, autoincrement=False),
    Column("amount", Integer, nullable=False),
    Index(None, "host_id"),
    **TABLE_OPTIONS,
)

lease_events = Table(
    "lease_events",
    metadata,
    Column("id", Identifier, primary_key=True, autoincrement=True),
    Column("uuid", String(36), nullable=False, unique=True),
    Column("lease_id", Identifier, ForeignKey("leases.id")),
    Column("host_id", Identifier, ForeignKey("reservation_hosts.id")),
    Column("event_type", String(32), nullable=False),
    Column("time", DateTime, nullable=False),
    Column("status", String(16), nullable=False),
    # What workers look for: an UNDONE event from this time on, and one IN_PROGRESS whose owner has lost it.
    Column("next_attempt_at", DateTime, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("owner", String(255)),
    Column("owned_until", DateTime),
    Column("last_error", Text),
    *timestamps(),
    Unique("lease_id", "event_type"),
    Unique("host_id", "event_type"),
    Index(None, "status", "next_attempt_at"),
    **TABLE_OPTIONS,
)

# What of a reservation was carried out in Placement and compute, and what it is called there.
enactment_steps = Table(
    "enactment_steps",
    metadata,
    Column("reservation_id", Identifier, ForeignKey("reservations.id"), primary_key=True, autoincrement=False),
    Column("step", String(64), primary_key=True),
    Column("subject", String(255), primary_key=True),
    Column("reference", String(255), nullable=False),
    Column("done_at", DateTime, nullable=False),
    **TABLE_OPTIONS,
)

# Who is at work on what, and until when nobody else may be: a lease or a host, by its number, or the periodic tasks.
enactment_claims = Table(
    "enactment_claims",
    metadata,
    Column("kind", String(32), primary_key=True),
    Column("number", Identifier, primary_key=True, autoincrement=False),
    Column("owner", String(255), nullable=False),
    Column("owned_until", DateTime, nullable=False),
    **TABLE_OPTIONS,
)

# What the room has to remember about the cloud as a whole, such as its free pool.
reservation_facts = Table(
    "reservation_facts",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("value", Text, nullable=False),
    **TABLE_OPTIONS,
)

# One row. Whoever writes what the calendar counts adds 1 to it first, and so waits until nobody else is at it; the
# number is the revision of what is written. Revisions come one after the other: whoever sees one sees all before it.
booking_turns = Table(
    "booking_turns",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("turns", BigInteger, nullable=False),
    **TABLE_OPTIONS,
)

# Only what differs from the defaults of the settings has a row.
reservation_limits = Table(
    "reservation_limits",
    metadata,
    Column("project_id", String(255), primary_key=True),
    Column("name", String(64), primary_key=True),
    Column("value", BigInteger, nullable=False),
    **TABLE_OPTIONS,
)
