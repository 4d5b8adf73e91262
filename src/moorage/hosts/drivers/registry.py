"""Every driver by its name: the one that the settings choose, made ready to read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from oslo_config import cfg

from moorage.hosts.drivers.driver import Driver
from moorage.hosts.drivers.identity import host_name
from moorage.hosts.drivers.libvirt.driver import LibvirtDriver
from moorage.hosts.drivers.linux.driver import LinuxDriver
from moorage.hosts.drivers.machine.policy import policy_from_settings
from moorage.hosts.drivers.static.driver import StaticDriver


def driver_from_settings(settings: cfg.ConfigOpts) -> Driver:
    """The driver that `[agent] driver` names; DriverError if its settings cannot be used."""
    return DRIVERS[settings.agent.driver](settings)


def _linux(settings: cfg.ConfigOpts) -> Driver:
    return LinuxDriver(host_name(settings), Path(settings.state_path), policy_from_settings(settings))


def _libvirt(settings: cfg.ConfigOpts) -> Driver:
    return LibvirtDriver(
        settings.libvirt.connection_uri,
        settings.agent.host,
        Path(settings.state_path),
        policy_from_settings(settings),
    )


def _static(settings: cfg.ConfigOpts) -> Driver:
    return StaticDriver(Path(settings.static.file))


DRIVERS: Mapping[str, Callable[[cfg.ConfigOpts], Driver]] = {
    "linux": _linux,
    "libvirt": _libvirt,
    "static": _static,
}
