"""The settings of reservations.

This module only declares, like `moorage.service.options`, which lists this group with all others. Names and meanings
are Blazar's where Blazar has them.
"""

from oslo_config import cfg

RESERVATION_OPTIONS = (
    cfg.IntOpt(
        "minutes_before_end_lease",
        default=60,
        min=0,
        help="""
How many minutes before the end of a lease the event before_end_lease happens, if the lease names no time for it; at the
start of leases that are shorter. With 0 there is none. Blazar has it in [manager].
""",
    ),
    cfg.IntOpt(
        "max_lease_duration",
        default=0,
        min=0,
        help="""
The longest time, in seconds, that a lease of an ordinary user may take; 0 for no limit. Administrators are free of it,
as of the other limits here. A project may have a limit of its own, see the reservation API.
""",
    ),
    cfg.IntOpt(
        "max_leases",
        default=0,
        min=0,
        help="How many leases that have not ended a project may have at a time; 0 for no limit.",
    ),
    cfg.IntOpt(
        "max_instance_hours",
        default=0,
        min=0,
        help="""
How many hours of instances (or of whole hosts) a project may have booked at a time: for each of its leases that have
not ended, the instances times the hours still to come, all added up. 0 for no limit.
""",
    ),
    cfg.IntOpt(
        "max_days_ahead",
        default=0,
        min=0,
        help="How many days from now a lease may end at the latest; 0 for no limit.",
    ),
    cfg.FloatOpt(
        "inventory_seconds",
        default=5.0,
        min=0.0,
        help="""
How old what Placement said may be when somebody only looks: availability, slots, dry runs. A booking asks anew.
""",
    ),
)
