"""Reads the settings: configuration files, then the environment, then what the caller gives, the later one winning.

The result is a fresh `ConfigOpts`, never the global one, so that several applications can live in one process. What
each option means is written in `options`.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from oslo_config import cfg

from moorage.client.options import REACHED, plugin_options
from moorage.service.errors import OperatorError
from moorage.service.options import GROUPS, OptionGroup, keystone_options, library_options, list_options

__all__ = [
    "CONFIG_VARIABLE",
    "SYSTEM_CONFIG_FILE",
    "configuration_files",
    "database_url",
    "environment_variable",
    "list_options",
    "load_groups",
    "load_settings",
    "state_path",
    "token_file",
    "unknown_options",
]

SYSTEM_CONFIG_FILE = "/etc/moorage/moorage.conf"
CONFIG_VARIABLE = "MOORAGE_CONFIG"
"""Environment variable that names configuration files, separated as in $PATH, instead of the system's file."""


def load_settings(
    overrides: Mapping[str, object] | None = None, config_files: Sequence[str] | None = None
) -> cfg.ConfigOpts:
    """Read and check all settings; `overrides` has keys like "database.connection".

    Every value is read once here, so that a mistake shows at start and not in the middle of a request.
    """
    groups = [*GROUPS, *library_options()]
    settings = _declared(groups)
    with _explained():
        _open_files(settings, config_files)
        for key, value in (overrides or {}).items():
            _override(settings, key, value)
        if settings.api.auth_strategy == "keystone":
            groups += keystone_options()
        groups += _client_options(settings)
        _register(settings, groups)
        _read_all(settings, groups)
    return settings


def load_groups(*names: str, config_files: Sequence[str] | None = None) -> cfg.ConfigOpts:
    """Read and check these groups of settings and `[DEFAULT]`, for commands that need no others and shall be quick."""
    groups = [(name, options) for name, options in GROUPS if name in {"DEFAULT", *names}]
    settings = _declared(groups)
    with _explained():
        _open_files(settings, config_files)
        _read_all(settings, groups)
    return settings


def configuration_files() -> list[str]:
    """The files to read when nobody names any: those of $MOORAGE_CONFIG, or else the system's file if it is there."""
    named = os.environ.get(CONFIG_VARIABLE, "")
    if named:
        return named.split(os.pathsep)
    return [SYSTEM_CONFIG_FILE] if Path(SYSTEM_CONFIG_FILE).exists() else []


def unknown_options(settings: cfg.ConfigOpts) -> list[str]:
    """Names in the configuration files that no option has, as "[group] name": most likely misspelt.

    Which options `[keystone_authtoken]` has depends on the authentication plugin named in it, so it is left out.
    """
    groups = [*GROUPS, *library_options(), *_client_options(settings)]
    known = {(group, name) for group, options in groups for option in options for name in _names(option)}
    unknown = []
    for file in settings.config_file:
        sections: dict[str, dict[str, list[str]]] = {}
        cfg.ConfigParser(file, sections).parse()
        sections.pop("keystone_authtoken", None)
        unknown += [f"[{group}] {name}" for group in sections for name in sections[group] if (group, name) not in known]
    return unknown


def state_path(settings: cfg.ConfigOpts) -> Path:
    """The directory for what Moorage makes itself."""
    return Path(settings.state_path)


def database_url(settings: cfg.ConfigOpts) -> str:
    """Where the ledger is kept."""
    return cast("str", settings.database.connection)


def token_file(settings: cfg.ConfigOpts) -> Path:
    """Where the admin token is kept."""
    return Path(settings.token.file)


def environment_variable(key: str, value: str) -> tuple[str, str]:
    """Name and text by which a setting reaches another process; oslo.config would expand a plain dollar sign."""
    group, _, name = key.rpartition(".")
    return f"OS_{(group or 'DEFAULT').upper()}__{name.upper()}", value.replace("$", "$$")


def _declared(groups: Sequence[OptionGroup]) -> cfg.ConfigOpts:
    settings = cfg.ConfigOpts()
    _register(settings, groups)
    settings.set_default("state_path", str(_default_state_path()))
    return settings


def _open_files(settings: cfg.ConfigOpts, config_files: Sequence[str] | None) -> None:
    files = configuration_files() if config_files is None else list(config_files)
    settings([], project="moorage", prog="moorage", default_config_files=files, default_config_dirs=[])


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except cfg.Error as error:
        raise OperatorError(_explain(error)) from error


def _default_state_path() -> Path:
    data_home = os.environ.get("XDG_DATA_HOME")
    return (Path(data_home) if data_home else Path.home() / ".local" / "share") / "moorage"


def _group(name: str) -> str | None:
    """oslo.config's own spelling of a group: [DEFAULT] in a file is no group in the program."""
    return None if name in {"", "DEFAULT"} else name


def _register(settings: cfg.ConfigOpts, groups: Sequence[OptionGroup]) -> None:
    for group, options in groups:
        settings.register_opts(options, group=_group(group))


def _client_options(settings: cfg.ConfigOpts) -> list[OptionGroup]:
    """What the authentication plugins of `[placement_client]` and the like add to them."""
    return [(service.group, plugin_options(service.group, settings[service.group].auth_type)) for service in REACHED]


def _override(settings: cfg.ConfigOpts, key: str, value: object) -> None:
    group, _, name = key.rpartition(".")
    try:
        settings.set_override(name, value, group=_group(group))
    except ValueError as error:
        raise OperatorError(f"{key} cannot be {value!r}: {str(error).rstrip('.')}.") from error


def _names(option: cfg.Opt) -> list[str]:
    return [option.name, option.dest, *(str(old.name) for old in option.deprecated_opts if old.name)]


def _read_all(settings: cfg.ConfigOpts, groups: Sequence[OptionGroup]) -> None:
    for group, options in groups:
        values = settings[group] if _group(group) else settings
        for option in options:
            try:
                values[option.dest]
            except cfg.NoSuchOptError as error:
                # The error's own text would show a part of the value, which may be a password.
                raise OperatorError(
                    f"[{group}] {option.name} has a dollar sign that names no option; to mean the sign, write it twice."
                ) from error


def _explain(error: Exception) -> str:
    if isinstance(error, cfg.ConfigFilesNotFoundError):
        return f"There is no configuration file {', '.join(error.config_files)}; name one that exists with --config."
    # oslo.config shows the origin of a value as its own Python object; the file or variable inside is what helps.
    text = re.sub(r"LocationInfo\(.*?detail='([^']*)'\)", r"\1", str(error)).rstrip(".")
    return f"The configuration cannot be used: {text}. Correct the value, or remove it to use the default."
