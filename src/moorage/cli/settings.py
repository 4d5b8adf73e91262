"""The configuration that a command works with: its option `--config`, and what that leads to."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from oslo_config import cfg

ConfigOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--config", metavar="FILE", help="Configuration file instead of /etc/moorage/moorage.conf; may be repeated."
    ),
]


def named_files(config: list[Path] | None) -> list[str] | None:
    """The files that were named; None for those that count where none is."""
    return [str(file) for file in config] if config else None


def settings_of(config: list[Path] | None, overrides: Mapping[str, object] | None = None) -> cfg.ConfigOpts:
    """All settings."""
    from moorage.service.settings import load_settings

    return load_settings(overrides, named_files(config))


def database_of(url: str | None, config: list[Path] | None) -> str:
    """The database that was named, or else that of the settings."""
    from moorage.service.settings import database_url

    return url or database_url(settings_of(config))
