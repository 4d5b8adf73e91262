"""The settings of provider configuration files."""

from __future__ import annotations

from pathlib import Path

from oslo_config import cfg

REFUSE = "refuse"
WARN = "warn"

PROVIDER_CONFIG_OPTIONS = (
    cfg.StrOpt(
        "provider_config_location",
        default="/etc/moorage/provider_config/",
        help="""
Directory of the provider configuration files of this host. Every file in it whose name ends with .yaml is read, in
lexicographic order.

A directory that is missing or empty means that the host has nothing but what it natively has. Change it to keep the
files where another service has them already, for example /etc/nova/provider_config/.
""",
    ),
    cfg.StrOpt(
        "provider_config_permissions",
        default=REFUSE,
        choices=[
            (REFUSE, "the files are not used"),
            (WARN, "they are used, with a warning"),
        ],
        help="""
What happens when a provider configuration file, or the directory of the files, belongs to somebody else than root or
the user that Moorage runs as, or can be written by others than its owner.

Whoever can change these files decides which work the host attracts, so leave it at refuse where the agent runs. Choose
warn where the files are only checked, say in a checkout whose files the group may write.
""",
    ),
)


def provider_config_location(settings: cfg.ConfigOpts) -> Path:
    """The directory of the files."""
    return Path(settings.compute.provider_config_location)


def strict_permissions(settings: cfg.ConfigOpts) -> bool:
    """Whether files that others could change are refused."""
    return bool(settings.compute.provider_config_permissions == REFUSE)
