"""Runs the service: prepares the database and the credential, says how to use it, and hands over to granian.

Everything that can go wrong for reasons an operator can mend is found before a worker starts. The workers read their
settings anew from files and environment, so what the command line says is put into the environment first. They are
forked from this process, which has loaded the application's modules already, so they start quickly and share memory.
"""

import ctypes
import ipaddress
import multiprocessing
import os
import shlex
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from granian.constants import Interfaces
from granian.log import LogLevels
from granian.server.mp import MPServer
from oslo_config import cfg

from moorage.service.application import all_application, open_database, placement_application
from moorage.service.compute_service import open_compute
from moorage.service.credentials import (
    CLOUD_NAME,
    PasswordLogin,
    TokenLogin,
    clouds_file,
    ensure_token,
    write_clouds_file,
)
from moorage.service.errors import OperatorError
from moorage.service.identity_service import ensure_administrator, serves_identity
from moorage.service.inheritance import bequeath
from moorage.service.ledger_database import masked, plain_errors, upgrade_database
from moorage.service.liquid_configuration import liquid_configuration
from moorage.service.log import logging_configuration
from moorage.service.options import SERVICES
from moorage.service.sample_cloud import LoadError, in_process, load
from moorage.service.sample_offer import lease, name_zones, offer
from moorage.service.sample_servers import record_servers
from moorage.service.settings import CONFIG_VARIABLE, database_url, environment_variable, load_settings, token_file
from moorage.service.workers import EXPECTED

APPLICATION = "moorage.wsgi.all:application"

# What a worker that is told to stop may still take to finish the requests it has begun.
GRACE_SECONDS = 30

# A connection that is kept open counts as one, busy or not, and every compute host of a cloud may keep one: so this
# bounds connections, not work. Work is bounded by the threads, one for each connection to the database.
CONNECTIONS_PER_WORKER = 4096

# From <linux/prctl.h>: which signal a process gets when its parent ends.
PR_SET_PDEATHSIG = 1

# Every worker holds its own copy of the cloud in memory; whoever wants more than this says so.
MOST_WORKERS_BY_DEFAULT = 4


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """What the command line says; None leaves the matter to the configuration."""

    host: str = "127.0.0.1"
    port: int = 8778
    workers: int | None = None
    database: str | None = None
    auth: str | None = None
    services: Sequence[str] | None = None
    config_files: Sequence[str] = ()
    sample: bool = False


@dataclass(frozen=True, slots=True)
class Address:
    """Where to listen: a resolved IP address and a port."""

    host: str
    port: int

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach it."""
        return ipaddress.ip_address(self.host).is_loopback

    @property
    def url(self) -> str:
        """Where clients on this machine find it."""
        ip = ipaddress.ip_address(self.host)
        if ip.is_unspecified:
            ip = ipaddress.ip_address("127.0.0.1" if ip.version == 4 else "::1")  # noqa: PLR2004 - the IP versions
        return f"http://{f'[{ip}]' if ip.version == 6 else ip}:{self.port}"  # noqa: PLR2004 - as above


def serve(options: ServeOptions, show: Callable[[str], None]) -> None:
    """Serve until SIGTERM or SIGINT; `show` gets the text that greets the operator."""
    os.environ.update(environment(options))
    settings = load_settings()
    liquid_configuration(settings)  # a mistake in its file is told here, and not by every worker
    address = resolve(options.host, options.port)
    require_suitable_authentication(settings.api.auth_strategy, address, sample=options.sample)
    require_free(address)
    upgrade_database(database_url(settings))
    token = "admin"  # noqa: S105 - what noauth2 calls its administrator; no secret
    if settings.api.auth_strategy == "token":
        token = ensure_token(token_file(settings))
        write_clouds_file(clouds_file(token_file(settings)), address.url, login(settings, token))
    if options.sample:
        load_sample(settings, token)
    if "placement" in settings.api.services:
        read_for_workers(settings)
    workers = options.workers or min(len(os.sched_getaffinity(0)), MOST_WORKERS_BY_DEFAULT)
    os.environ[EXPECTED] = str(workers)
    server = granian_server(settings, address, workers)
    server.on_startup(lambda: show(summary(settings, address)))
    parents: list[int] = []
    os.register_at_fork(
        before=lambda: parents.append(os.getpid()), after_in_child=lambda: _end_with_the_parent(parents[-1])
    )
    server.serve()


def login(settings: cfg.ConfigOpts, token: str) -> PasswordLogin | TokenLogin:
    """How the clouds.yaml logs in: as the administrator, who is made now at first start, if passwords are known."""
    if not serves_identity(settings):
        return TokenLogin(token)
    database = open_database(settings)
    try:
        with plain_errors(database_url(settings)):
            return PasswordLogin(ensure_administrator(settings, database), settings.identity.region)
    finally:
        database.dispose()  # no connection may be open when the workers are forked


def read_for_workers(settings: cfg.ConfigOpts) -> None:
    """Read the cloud before the workers are forked, so that it is read once."""
    database = open_database(settings)
    try:
        with plain_errors(database_url(settings)):
            bequeath(settings.database.connection, database)
    finally:
        database.dispose()  # no connection may be open when the workers are forked


def environment(options: ServeOptions) -> dict[str, str]:
    """The environment variables by which the command line reaches the workers."""
    if unknown := sorted(set(options.services or ()) - set(SERVICES)):
        raise OperatorError(f"There is no service {', '.join(unknown)}; the services are: {', '.join(SERVICES)}.")
    values = {
        "database.connection": options.database,
        "api.auth_strategy": options.auth,
        "api.services": ",".join(options.services) if options.services else None,
    }
    variables = dict(environment_variable(key, value) for key, value in values.items() if value)
    if options.config_files:
        variables[CONFIG_VARIABLE] = os.pathsep.join(str(Path(file).absolute()) for file in options.config_files)
    return variables


def resolve(host: str, port: int) -> Address:
    """The first address that a name stands for."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except socket.gaierror as error:
        raise OperatorError(f"There is no address for the host {host}: {error.strerror}.") from error
    return Address(str(found[0][4][0]), port)


def require_suitable_authentication(strategy: str, address: Address, *, sample: bool) -> None:
    """Refuse a strategy that would be dangerous at an address, or that cannot do what is asked."""
    if strategy == "noauth2" and not address.is_loopback:
        raise OperatorError(
            f"noauth2 believes whatever a caller claims, so it may not listen on {address.host}; use --host 127.0.0.1,"
            " or --auth token or keystone."
        )
    if strategy == "keystone" and sample:
        raise OperatorError("--sample needs an administrator of its own; use it with --auth token or noauth2.")


def require_free(address: Address) -> None:
    """Refuse a port on which somebody listens already.

    granian's workers share a port by SO_REUSEPORT, so a second server would start without complaint and take a part of
    the first one's requests; a plain bind tells.
    """
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address.host, address.port))
        except OSError as error:
            raise OperatorError(
                f"Cannot listen on {address.host} port {address.port}: {error.strerror}; choose another one with --port"
                " (or --host), or stop what uses it."
            ) from error


def load_sample(settings: cfg.ConfigOpts, token: str) -> None:
    """Load the sample cloud, if there are no providers, in a process of its own.

    An application leaves connections and threads behind, which must not be there when the workers are forked.
    """
    process = multiprocessing.get_context("fork").Process(target=_load_sample, args=(settings, token))
    process.start()
    process.join()
    if process.exitcode:
        raise OperatorError("The sample cloud could not be loaded; start without --sample, or with a new database.")


def _load_sample(settings: cfg.ConfigOpts, token: str) -> None:
    try:
        if not load(in_process(placement_application(settings), token)):
            return
        send = in_process(all_application(settings), token)
        if "compute" in settings.api.services:
            compute = open_compute(settings, open_database(settings), lambda: placement_application(settings))
            name_zones(compute)
            record_servers(compute)
            offer(send)
        if "reservation" in settings.api.services and "compute" in settings.api.services:
            lease(send)
    except LoadError as error:
        sys.exit(f"moorage: {error}")


def _end_with_the_parent(parent: int) -> None:
    """In a worker, right after the fork: stop when told, however early, and when there is nobody left to tell.

    The signal handlers that a worker inherits only take a note for the parent, and granian installs its own when the
    application is loaded; without the defaults in between, a stop would be lost and the parent would wait for all of
    the grace period. And workers that outlive a parent that was killed would keep the port.
    """
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        signal.raise_signal(signal.SIGTERM)  # it ended before it could be asked to tell


def granian_server(settings: cfg.ConfigOpts, address: Address, workers: int) -> MPServer:
    """A server that is ready to run; SIGTERM and SIGINT stop it after the requests in flight."""
    return MPServer(
        APPLICATION,
        address=address.host,
        port=address.port,
        interface=Interfaces.WSGI,
        websockets=False,
        workers=workers,
        blocking_threads=settings.database.max_pool_size,
        backlog=CONNECTIONS_PER_WORKER,
        backpressure=CONNECTIONS_PER_WORKER,
        workers_kill_timeout=GRACE_SECONDS,
        respawn_failed_workers=True,
        # Its warnings judge the number of threads, which is ours to choose; a lost worker is an error.
        log_level=LogLevels.info if settings.debug else LogLevels.error,
        log_dictconfig=logging_configuration(settings),
    )


def _addresses(settings: cfg.ConfigOpts) -> Iterator[tuple[str, str]]:
    """What is served, and where."""
    services = settings.api.services
    if "placement" in services:
        yield "Placement API", "/placement"
    if serves_identity(settings):
        yield "Identity API", "/identity"
    if "compute" in services:
        yield "Compute API", "/compute/v2.1"
        yield "Image API", "/image"
    if "reservation" in services:
        yield "Reservation API", "/reservation/v1"
    if "liquid" in services:
        yield "LIQUID API", "/liquid-nova"
    if "console" in services:
        yield "Web console", "/console/"


def summary(settings: cfg.ConfigOpts, address: Address) -> str:
    """What the operator sees at start: where it is, what it uses, and commands that work when pasted."""
    strategy = settings.api.auth_strategy
    lines = [
        f"Moorage listens on {address.url}",
        *(f"  {name:15} {address.url}{path}" for name, path in _addresses(settings)),
        f"  database        {masked(database_url(settings))}",
        f"  authentication  {strategy}",
        "",
    ]
    candidates = shlex.quote(f"{address.url}/placement/allocation_candidates?resources=VCPU:2,MEMORY_MB:4096&limit=3")
    curl = f"curl -s -H 'OpenStack-API-Version: placement 1.39' {candidates} -H"
    if strategy == "token":
        secret = shlex.quote(str(token_file(settings)))
        lines += [
            "Try it:",
            f"  export OS_CLIENT_CONFIG_FILE={shlex.quote(str(clouds_file(token_file(settings))))}",
            f"  moorage provider list --os-cloud {CLOUD_NAME}",
            f"  openstack --os-cloud {CLOUD_NAME} resource provider list",
            f'  {curl} "X-Auth-Token: $(cat {secret})"',
        ]
    elif strategy == "noauth2":
        endpoint = f"{address.url}/placement"
        lines += [
            "Try it:",
            f"  openstack --os-auth-type admin_token --os-endpoint {endpoint} --os-token admin resource provider list",
            f"  {curl} 'X-Auth-Token: admin'",
        ]
    if strategy != "noauth2" and not address.is_loopback:
        lines += ["", "This address speaks plain HTTP and is open to the network: put a proxy with TLS in front of it."]
    return "\n".join([*lines, "", "Stop with Ctrl-C."])
