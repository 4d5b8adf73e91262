"""Runs an agent as the settings say: for ever, once, or only to ask what it would do."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from oslo_config import cfg

from moorage.client.connection import placement_transport
from moorage.client.errors import ClientError
from moorage.client.placement import PlacementClient
from moorage.client.transport import Transport
from moorage.hosts.agent.agent import Agent, Parts
from moorage.hosts.agent.files import Files
from moorage.hosts.agent.interruption import InterruptibleTransport, Interruption, Stopped, interruptible
from moorage.hosts.agent.loop import Loop
from moorage.hosts.agent.memory import alone
from moorage.hosts.agent.names import Names
from moorage.hosts.agent.notices import ALIVE, STOPPING, notify
from moorage.hosts.agent.plan import Plan
from moorage.hosts.agent.refusal import AgentRefuses
from moorage.hosts.agent.round import Report
from moorage.hosts.agent.signs import Signs
from moorage.hosts.agent.watching import Watch
from moorage.hosts.drivers.driver import DriverError
from moorage.hosts.drivers.identity import host_name
from moorage.hosts.drivers.registry import driver_from_settings
from moorage.hosts.provider_config.options import provider_config_location, strict_permissions
from moorage.hosts.provider_config.reading import read_directory
from moorage.service.settings import state_path

LOG = logging.getLogger(__name__)

# Requests that are under way at the same time.
_WORKERS = 8


def run(settings: cfg.ConfigOpts, only: Collection[str] = ()) -> None:
    """Keep the host's providers true until a signal says to stop; AgentRefuses if that cannot begin."""
    transport = placement_transport(settings)
    with (
        alone(_directory(settings)),
        interruptible() as interruption,
        _agent(settings, only, interruption, transport) as agent,
    ):
        signs = _signs(settings, agent, transport, settings.agent.interval)
        try:
            Loop(agent, interruption, Watch(_places(settings)).look, settings.agent.interval, signs).run()
        except Stopped:
            notify(STOPPING)
            signs.stopped()
            LOG.info("Stopped")


def run_once(settings: cfg.ConfigOpts, only: Collection[str] = ()) -> Report:
    """Do one round as if at the start; AgentRefuses, DriverError or ClientError if it cannot be done."""
    transport = placement_transport(settings)
    with (
        alone(_directory(settings)),
        interruptible() as interruption,
        _agent(settings, only, interruption, transport) as agent,
    ):
        signs = _signs(settings, agent, transport, None)
        agent.check()
        try:
            report = agent.round()
        except (ClientError, DriverError, AgentRefuses) as error:
            signs.failed(error)
            raise
        signs.after(report)
        return report


def would_do(settings: cfg.ConfigOpts, only: Collection[str] = ()) -> tuple[Plan, Names]:
    """What a round would do now, and which names Placement lacks for it; nothing is written."""
    with _agent(settings, only, Interruption(), placement_transport(settings)) as agent:
        return agent.plan()


@contextmanager
def _agent(
    settings: cfg.ConfigOpts, only: Collection[str], interruption: Interruption, transport: Transport
) -> Iterator[Agent]:
    def before_each_request() -> None:
        interruption.require_going_on()
        notify(ALIVE)

    with ThreadPoolExecutor(_WORKERS, thread_name_prefix="agent") as workers:
        yield Agent(
            Parts(
                host=host_name(settings),
                driver=driver_from_settings(settings),
                files=Files(
                    lambda: read_directory(
                        provider_config_location(settings), strict_permissions=strict_permissions(settings)
                    )
                ),
                client=PlacementClient(InterruptibleTransport(transport, before_each_request)),
                memory_file=_directory(settings) / "memory.json",
                workers=workers,
                pause=interruption.wait,
                only=frozenset(only),
            )
        )


def _signs(settings: cfg.ConfigOpts, agent: Agent, transport: Transport, interval: float | None) -> Signs:
    """Signs are also left by an agent that is told to stop, so nothing stands in their way."""
    return Signs(PlacementClient(transport), lambda: agent.is_with_moorage, host_name(settings), interval)


def _directory(settings: cfg.ConfigOpts) -> Path:
    return state_path(settings) / "agent"


def _places(settings: cfg.ConfigOpts) -> list[Path]:
    """The files whose change is a reason for a round."""
    described = [Path(settings.static.file)] if settings.agent.driver == "static" else []
    return [provider_config_location(settings), *described]
