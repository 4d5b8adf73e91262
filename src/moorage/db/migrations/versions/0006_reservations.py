"""Leases, the hosts they may use, and what is to be done about both when.

New tables only: workers of the release before go on meanwhile.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.mysql import MEDIUMTEXT

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

Identifier = sa.BigInteger().with_variant(sa.Integer, "sqlite")
LongText = sa.Text().with_variant(MEDIUMTEXT(), "mysql", "mariadb")
MARIADB: dict[str, Any] = {
    f"{dialect}_{option}": value
    for dialect in ("mysql", "mariadb")
    for option, value in (("engine", "InnoDB"), ("charset", "utf8mb4"), ("collate", "utf8mb4_nopad_bin"))
}
INDEXES = (
    ("leases", ("project_id", "deleted_at")),
    ("leases", ("status", "end_date")),
    ("leases", ("revision",)),
    ("reservations", ("lease_id",)),
    ("reservations", ("status",)),
    ("reservation_hosts", ("provider_uuid",)),
    ("reservation_hosts", ("revision",)),
    ("reservation_host_maintenance", ("host_id",)),
    ("reservation_slots", ("host_id",)),
    ("lease_events", ("status", "next_attempt_at")),
)


def upgrade() -> None:
    """Create the tables and their indexes."""
    op.create_table(
        "leases",
        sa.Column("id", Identifier, autoincrement=True),
        sa.Column("uuid", sa.String(36), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("project_id", sa.String(255), nullable=False),
        sa.Column("user_id", sa.String(255), nullable=False),
        sa.Column("start_date", sa.DateTime, nullable=False),
        sa.Column("end_date", sa.DateTime, nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("status_reason", sa.Text, nullable=False),
        sa.Column("degraded", sa.Boolean, nullable=False),
        sa.Column("revision", sa.BigInteger, nullable=False),
        sa.Column("deleted_at", sa.DateTime),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("updated_at", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_leases"),
        sa.UniqueConstraint("uuid", name="uq_leases_uuid"),
        if_not_exists=True,
        sqlite_autoincrement=True,
        **MARIADB,
    )
    op.create_table(
        "reservations",
        sa.Column("id", Identifier, autoincrement=True),
        sa.Column("uuid", sa.String(36), nullable=False),
        sa.Column("lease_id", Identifier, nullable=False),
        sa.Column("resource_type", sa.String(66), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("missing_resources", sa.Boolean, nullable=False),
        sa.Column("resources_changed", sa.Boolean, nullable=False),
        sa.Column("request", LongText, nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("updated_at", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_reservations"),
        sa.UniqueConstraint("uuid", name="uq_reservations_uuid"),
        sa.ForeignKeyConstraint(["lease_id"], ["leases.id"], name="fk_reservations_lease_id"),
        if_not_exists=True,
        **MARIADB,
    )
    op.create_table(
        "reservation_hosts",
        sa.Column("id", Identifier, autoincrement=True),
        sa.Column("provider_uuid", sa.String(36), nullable=False),
        sa.Column("name", sa.String(255), nullable=False),
        sa.Column("current_name", sa.String(255)),
        sa.Column("service_name", sa.String(255), nullable=False),
        sa.Column("availability_zone", sa.String(255), nullable=False),
        sa.Column("hypervisor", LongText, nullable=False),
        sa.Column("reservable", sa.Boolean, nullable=False),
        sa.Column("disabled_reason", sa.Text, nullable=False),
        sa.Column("revision", sa.BigInteger, nullable=False),
        sa.Column("deleted_at", sa.DateTime),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("updated_at", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_reservation_hosts"),
        sa.UniqueConstraint("current_name", name="uq_reservation_hosts_current_name"),
        if_not_exists=True,
        sqlite_autoincrement=True,
        **MARIADB,
    )
    op.create_table(
        "reservation_host_capabilities",
        sa.Column("host_id", Identifier, autoincrement=False),
        sa.Column("name", sa.String(64)),
        sa.Column("value", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("host_id", "name", name="pk_reservation_host_capabilities"),
        sa.ForeignKeyConstraint(["host_id"], ["reservation_hosts.id"], name="fk_reservation_host_capabilities_host_id"),
        if_not_exists=True,
        **MARIADB,
    )
    op.create_table(
        "reservation_host_maintenance",
        sa.Column("id", Identifier, autoincrement=True),
        sa.Column("uuid", sa.String(36), nullable=False),
        sa.Column("host_id", Identifier, nullable=False),
        sa.Column("start_date", sa.DateTime, nullable=False),
        sa.Column("end_date", sa.DateTime, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_reservation_host_maintenance"),
        sa.UniqueConstraint("uuid", name="uq_reservation_host_maintenance_uuid"),
        sa.ForeignKeyConstraint(["host_id"], ["reservation_hosts.id"], name="fk_reservation_host_maintenance_host_id"),
        if_not_exists=True,
        **MARIADB,
    )
    op.create_table(
        "reservation_properties",
        sa.Column("id", Identifier, autoincrement=True),
        sa.Column("uuid", sa.String(36), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("private", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("updated_at", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_reservation_properties"),
        sa.UniqueConstraint("uuid", name="uq_reservation_properties_uuid"),
        sa.UniqueConstraint("name", name="uq_reservation_properties_name"),
        if_not_exists=True,
        **MARIADB,
    )
    op.create_table(
        "reservation_slots",
        sa.Column("reservation_id", Identifier, autoincrement=False),
        sa.Column("host_id", Identifier, autoincrement=False),
        sa.Column("amount", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("reservation_id", "host_id", name="pk_reservation_slots"),
        sa.ForeignKeyConstraint(["reservation_id"], ["reservations.id"], name="fk_reservation_slots_reservation_id"),
        sa.ForeignKeyConstraint(["host_id"], ["reservation_hosts.id"], name="fk_reservation_slots_host_id"),
        if_not_exists=True,
        **MARIADB,
    )
    op.create_table(
        "lease_events",
        sa.Column("id", Identifier, autoincrement=True),
        sa.Column("uuid", sa.String(36), nullable=False),
        sa.Column("lease_id", Identifier),
        sa.Column("host_id", Identifier),
        sa.Column("event_type", sa.String(32), nullable=False),
        sa.Column("time", sa.DateTime, nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("next_attempt_at", sa.DateTime, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("owner", sa.String(255)),
        sa.Column("owned_until", sa.DateTime),
        sa.Column("last_error", sa.Text),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("updated_at", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_lease_events"),
        sa.UniqueConstraint("uuid", name="uq_lease_events_uuid"),
        sa.UniqueConstraint("lease_id", "event_type", name="uq_lease_events_lease_id_event_type"),
        sa.UniqueConstraint("host_id", "event_type", name="uq_lease_events_host_id_event_type"),
        sa.ForeignKeyConstraint(["lease_id"], ["leases.id"], name="fk_lease_events_lease_id"),
        sa.ForeignKeyConstraint(["host_id"], ["reservation_hosts.id"], name="fk_lease_events_host_id"),
        if_not_exists=True,
        **MARIADB,
    )
    op.create_table(
        "enactment_steps",
        sa.Column("reservation_id", Identifier, autoincrement=False),
        sa.Column("step", sa.String(64)),
        sa.Column("subject", sa.String(255)),
        sa.Column("reference", sa.String(255), nullable=False),
        sa.Column("done_at", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("reservation_id", "step", "subject", name="pk_enactment_steps"),
        sa.ForeignKeyConstraint(["reservation_id"], ["reservations.id"], name="fk_enactment_steps_reservation_id"),
        if_not_exists=True,
        **MARIADB,
    )
    op.create_table(
        "reservation_facts",
        sa.Column("name", sa.String(64)),
        sa.Column("value", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_reservation_facts"),
        if_not_exists=True,
        **MARIADB,
    )
    op.create_table(
        "booking_turns",
        sa.Column("id", sa.Integer, autoincrement=False),
        sa.Column("turns", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_booking_turns"),
        if_not_exists=True,
        **MARIADB,
    )
    op.create_table(
        "reservation_limits",
        sa.Column("project_id", sa.String(255)),
        sa.Column("name", sa.String(64)),
        sa.Column("value", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("project_id", "name", name="pk_reservation_limits"),
        if_not_exists=True,
        **MARIADB,
    )
    for table, columns in INDEXES:
        op.create_index(f"ix_{table}_{'_'.join(columns)}", table, list(columns), if_not_exists=True)
