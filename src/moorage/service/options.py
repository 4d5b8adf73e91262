"""Every setting Moorage has, each with a help text that says what it does, when to change it and what happens if not.

This module only declares; `settings` reads values from files and the environment. The groups `[oslo_policy]`, `[cors]`,
`[oslo_middleware]` and `[keystone_authtoken]` belong to the libraries of those names and are listed here as they come.
"""

from collections.abc import Sequence

from oslo_config import cfg, types

from moorage.capacity.options import LIQUID_OPTIONS
from moorage.client.options import REACHED, client_options
from moorage.compute.options import SCHEDULER_OPTIONS
from moorage.compute.quota_options import QUOTA_OPTIONS
from moorage.hosts.agent.options import AGENT_OPTIONS
from moorage.hosts.options import COMPUTE_OPTIONS, DRIVER_OPTIONS, LIBVIRT_OPTIONS, STATIC_OPTIONS
from moorage.hosts.provider_config.options import PROVIDER_CONFIG_OPTIONS
from moorage.identity.options import IDENTITY_OPTIONS
from moorage.reservations.enactment.options import ENACTMENT_OPTIONS
from moorage.reservations.options import RESERVATION_OPTIONS

OptionGroup = tuple[str, Sequence[cfg.Opt]]

SERVICES = ("placement", "identity", "compute", "reservation", "liquid", "console")
"""What `moorage serve` can serve, by name."""

AUTH_STRATEGIES = (
    ("token", "the users that Moorage keeps itself, and the secret in a file only its owner can read"),
    ("noauth2", "whatever the caller claims to be; for tests on the loopback interface"),
    ("keystone", "tokens validated by an OpenStack Identity service"),
)

MISSING_CONSUMER_ID = "00000000-0000-0000-0000-000000000000"

DEFAULT_OPTIONS = (
    cfg.StrOpt(
        "state_path",
        sample_default="~/.local/share/moorage",
        help="""
Directory in which Moorage keeps what it makes itself: the SQLite database, the admin token and the clouds.yaml that
goes with it.

The default follows $XDG_DATA_HOME. Change it when the service runs under a system account, for example to
/var/lib/moorage. The directory is made at first start, readable by its owner only.
""",
    ),
    cfg.BoolOpt(
        "debug",
        default=False,
        help="""
Log details, and the news of libraries, beside the line for every request and what deserves attention.

Turn it on to follow a problem, and off again afterwards: it costs time and fills disks. Secrets are never logged.
""",
    ),
    cfg.StrOpt(
        "log_file",
        help="""
File to append the log to. Every worker process writes to it, one line at a time; when it is moved away by log rotation
the workers open a new one by themselves.

Without it the log goes to standard error, which is what systemd and containers expect.
""",
    ),
    cfg.StrOpt(
        "log_format",
        default="line",
        choices=(
            ("line", "a line of text for each event, for people"),
            ("json", "a JSON object for each event, for programs that collect logs"),
        ),
        help="""
What the log looks like.

Either way an event of a request has the request's ids, the service's own and the caller's; what a request leads to in
other services carries the same id, so that a story can be followed through all of them.
""",
    ),
)

DATABASE_OPTIONS = (
    cfg.StrOpt(
        "connection",
        default="sqlite:///$state_path/moorage.sqlite",
        secret=True,
        help="""
Where the ledger is kept, as an SQLAlchemy URL: sqlite:////var/lib/moorage/moorage.sqlite,
postgresql+psycopg://moorage:PASSWORD@db.example.org/moorage or mysql+pymysql://moorage:PASSWORD@db.example.org/moorage.

SQLite, the default, is enough for one machine. Choose PostgreSQL or MariaDB (Galera clusters included) when several
machines shall serve the same cloud. A dollar sign in a password is written twice, as in every oslo.config file.
""",
    ),
    cfg.IntOpt(
        "max_pool_size",
        default=8,
        min=1,
        help="""
How many requests each worker process works on at the same time, and how many connections to the database it keeps to
read with, again to write with, and again for single statements; further requests wait their turn.

Raise it when the database is far away and its processors are idle. Workers times three times this number, and one more
for each worker, must stay below what the database accepts (max_connections). SQLite has a single writer: there a larger
value does not help.
""",
    ),
    cfg.IntOpt(
        "max_retries",
        default=10,
        min=0,
        help="""
How often a transaction is tried again after a deadlock, a failed Galera certification or a lost connection, with
growing pauses, before the caller gets an error.

Once one caller has got the error because no connection could be made, all others try to connect only twice until the
database answers again, so that they do not queue for a server that is away.

The default rides out about ten seconds without a server, say a restart. Raise it for a fail-over that takes longer;
lower it when callers would rather have an early error than wait.
""",
    ),
)

API_OPTIONS = (
    cfg.StrOpt(
        "auth_strategy",
        default="token",
        choices=AUTH_STRATEGIES,
        help="""
How a caller proves who it is.

token needs nothing but Moorage itself, which then also offers an Identity API. In an OpenStack cloud use keystone and
fill in [keystone_authtoken]. noauth2 checks nothing, makes an administrator of whoever sends the token "admin", and is
refused on any address but loopback.
""",
    ),
    cfg.ListOpt(
        "services",
        default=list(SERVICES),
        item_type=types.String(choices=SERVICES),
        help=f"""
Which services to offer. There are: {", ".join(SERVICES)}; by default all of them.

Narrow it when different machines shall serve different APIs. `moorage serve --services` sets it for one run. The
service catalog lists what is named here. identity is there with the auth strategy "token" alone.
""",
    ),
    cfg.IntOpt(
        "max_request_body_bytes",
        default=64 * 1024 * 1024,
        min=1024,
        help="""
The largest request body that is read; a larger one is answered with 413 before any of it is parsed.

64 MiB holds a reshape of several thousand providers in one request. Lower it where callers are not trusted.
""",
    ),
    cfg.IntOpt(
        "degraded_after_seconds",
        default=180,
        min=1,
        help="""
From how many seconds on /healthcheck says that the service is degraded: the copy of the cloud in a worker's memory is
so far behind the database, or catching up takes so long, or an event of a lease was due so long ago and no worker has
taken it. The answer is 200 all the same.

A worker with nothing to do is up to 90 seconds behind, and catches up before it answers: less than that would be a
false alarm. Raise it where workers that carry out leases are stopped for longer on purpose.
""",
    ),
    cfg.BoolOpt(
        "open_metrics",
        default=False,
        help="""
Whether everybody may read /metrics, what Prometheus is told about requests, claims, capacity and leases, without a
credential.

By default it takes a token like everything else, which Prometheus sends with `http_headers`. Turn it on where only
those can reach this service who may know how full the cloud is.
""",
    ),
)

TOKEN_OPTIONS = (
    cfg.StrOpt(
        "file",
        default="$state_path/admin-token",
        help="""
The file that holds the admin token of the auth strategy "token". It is made at first start with a random secret, and
refused if anybody but its owner can read it. To change the secret, delete the file and start again: a new one is made.
Beside it are the password of the user admin (admin-password), which is changed the same way, and a clouds.yaml.
""",
    ),
)

PLACEMENT_OPTIONS = (
    cfg.BoolOpt(
        "randomize_allocation_candidates",
        default=False,
        help="""
Whether a request for allocation candidates with a limit gets a random choice of them instead of always the first ones.

Leave it off to get the same answer for the same question, which also keeps hosts filled one after the other. Turn it on
when several schedulers compete and should not all be offered the same few hosts.
""",
    ),
    cfg.StrOpt(
        "incomplete_consumer_project_id",
        default=MISSING_CONSUMER_ID,
        help="""
The project that is recorded for a consumer whose allocations were written with a microversion below 1.8, which has no
project. Change it only to match the data of a ledger that you move here.
""",
    ),
    cfg.StrOpt(
        "incomplete_consumer_user_id",
        default=MISSING_CONSUMER_ID,
        help="""
The user that is recorded for a consumer whose allocations were written with a microversion below 1.8, which has no
user. Change it only to match the data of a ledger that you move here.
""",
    ),
    cfg.IntOpt(
        "allocation_conflict_retry_count",
        default=10,
        min=0,
        help="""
Understood so that an existing configuration can be kept, and without effect: writers to one resource provider queue
in the database instead of colliding there, so no write of allocations has to be tried again because another one on the
same provider came first. Deadlocks and lost connections are a matter of [database] max_retries.
""",
    ),
    cfg.IntOpt(
        "max_allocation_candidates",
        default=-1,
        min=-1,
        help="""
The largest number of allocation candidates that is generated for one request; -1 leaves it to the built-in bound of
100,000.

The search is lazy and stops at the limit of the request, so this option is not needed to keep wide provider trees from
exhausting memory. Set it to bound the answers to callers that send no limit.
""",
    ),
    cfg.StrOpt(
        "allocation_candidates_generation_strategy",
        default="depth-first",
        choices=[
            ("depth-first", "all candidates of one root provider, then those of the next"),
            ("breadth-first", "one candidate of each root provider in turn"),
        ],
        help="""
Which candidates a request without a limit gets when max_allocation_candidates cuts its answer off. A request with a
limit is always answered with candidates of many hosts, and without max_allocation_candidates nothing is left out.

With depth-first, the combinations of a single host with many similar children may use up all there is room for. Choose
breadth-first when hosts have several GPUs or network functions each, so that the answer still names many hosts.
""",
    ),
)

GROUPS: tuple[OptionGroup, ...] = (
    ("DEFAULT", DEFAULT_OPTIONS),
    ("database", DATABASE_OPTIONS),
    ("api", API_OPTIONS),
    ("token", TOKEN_OPTIONS),
    ("identity", IDENTITY_OPTIONS),
    ("placement", PLACEMENT_OPTIONS),
    *((service.group, client_options(service)) for service in REACHED),
    ("liquid", LIQUID_OPTIONS),
    ("scheduler", SCHEDULER_OPTIONS),
    ("quota", QUOTA_OPTIONS),
    ("reservation", (*RESERVATION_OPTIONS, *ENACTMENT_OPTIONS)),
    ("agent", (*DRIVER_OPTIONS, *AGENT_OPTIONS)),
    ("compute", (*PROVIDER_CONFIG_OPTIONS, *COMPUTE_OPTIONS)),
    ("libvirt", LIBVIRT_OPTIONS),
    ("static", STATIC_OPTIONS),
)


def library_options() -> list[OptionGroup]:
    """The options of the libraries that every service uses, and no command that only asks one."""
    from oslo_middleware.opts import list_opts_cors, list_opts_http_proxy_to_wsgi
    from oslo_policy.opts import list_opts as list_opts_policy

    return [*list_opts_policy(), *list_opts_cors(), *list_opts_http_proxy_to_wsgi()]


def keystone_options() -> list[OptionGroup]:
    """The options of keystonemiddleware, whose import takes longer than all the rest of a start together."""
    from keystonemiddleware.opts import list_auth_token_opts

    return list(list_auth_token_opts())


def list_options() -> list[OptionGroup]:
    """Every option there is, by group: for documentation and oslo.config's generator, which pyproject.toml tells."""
    return [*GROUPS, *library_options(), *keystone_options()]
