"""The settings of how leases are carried out; they stand in the same group as those of booking."""

from oslo_config import cfg

ENACTMENT_OPTIONS = (
    cfg.StrOpt(
        "free_pool",
        default="freepool",
        help="""
The name of the host aggregate of hosts that leases may use. It is made with the first host, and closed to servers
without a reservation. Change it only before the first host is registered.
""",
    ),
    cfg.StrOpt(
        "isolation",
        default="auto",
        choices=[
            ("auto", "by keys with a Moorage whose scheduler understands them, by traits with others"),
            ("prefix", "by keys of flavors and aggregates that begin with reservation:"),
            ("trait", "by traits of hosts, flavors and aggregates, which a Nova understands"),
        ],
        help="""
How servers without a reservation are kept off reserved hosts.

By keys, compute needs "reservation:" for both [scheduler] placement_req_required_member_prefix and
placement_req_default_forbidden_member_prefix, which is so by default where one process serves both. By traits, it needs
[scheduler] enable_isolated_aggregate_filtering. Do not change it while there are leases.
""",
    ),
    cfg.IntOpt(
        "workers",
        default=2,
        min=0,
        help="""
How many threads of each process carry out what leases have to do. With 0 a process only answers requests, and somewhere
`moorage reservation worker` must run.
""",
    ),
    cfg.FloatOpt(
        "poll_seconds",
        default=1.0,
        min=0.1,
        help="How often an idle worker looks whether something is due. A lease starts at most so much late.",
    ),
    cfg.IntOpt(
        "claim_seconds",
        default=60,
        min=5,
        help="""
For how long a worker has a lease for itself without giving a sign of life. What a worker that was killed leaves undone
is taken up by another so much later. It must be longer than [compute_client] timeout is expected to be needed.
""",
    ),
    cfg.IntOpt(
        "host_check_seconds",
        default=60,
        min=0,
        help="""
How often compute is asked which hosts work. Reservations on a host that does not are moved to others where there is
room. With 0 nobody looks.
""",
    ),
    cfg.IntOpt(
        "healing_minutes",
        default=60,
        min=0,
        help="""
Reservations on a host that does not work are moved if they begin within so many minutes; those that begin later may
still find it repaired. With 0 all of them are moved at once.
""",
    ),
)
