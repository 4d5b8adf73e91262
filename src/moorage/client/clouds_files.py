"""The files in which people name their clouds: where clients look for them, and what is in them, taken together.

There is the clouds.yaml, a secure.yaml that adds the secrets, and a clouds-public.yaml with profiles, which many clouds
may share. What an entry means is the business of `cloud_entry`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from moorage.service.errors import OperatorError

_SUFFIXES = (".yaml", ".yml", ".json")

Entry = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CloudsFile:
    """The clouds of a file, by name."""

    path: Path
    clouds: Mapping[str, Entry]


def usual_clouds() -> CloudsFile | None:
    """The clouds of $OS_CLIENT_CONFIG_FILE, or else of the first clouds.yaml where clients look for one."""
    given = os.environ.get("OS_CLIENT_CONFIG_FILE")
    file = Path(given) if given else _first("clouds")
    return read_clouds(file) if file else None


def read_clouds(file: Path) -> CloudsFile:
    """The clouds of a file with their secrets: of $OS_CLIENT_SECURE_FILE, or beside it, or where clients look."""
    given = os.environ.get("OS_CLIENT_SECURE_FILE")
    beside = next((each for each in _named("secure", file.parent) if each.exists()), None)
    secure = Path(given) if given else beside or _first("secure")
    clouds = _section(file, "clouds")
    return CloudsFile(file, merged(clouds, _section(secure, "clouds")) if secure else clouds)


def profile_named(name: str) -> Entry | None:
    """The profile in the first clouds-public.yaml, or else the one that openstacksdk knows, or that is at this address.

    openstacksdk is loaded for it, which takes its time; where it is not installed, nobody knows such a profile.
    """
    file = _first("clouds-public")
    own: Entry | None = _section(file, "public-clouds").get(name) if file else None
    if own is not None:
        return own
    try:
        from openstack.config.vendors import get_profile
        from openstack.exceptions import SDKException
    except ImportError:
        return None
    try:
        found = get_profile(name)
        # A profile may stand for another one, and for no more than that.
        other = found.get("profile") if found else None
        return get_profile(other) or found if other else found
    except (OSError, ValueError, KeyError, SDKException) as error:
        raise OperatorError(f"The profile {name} cannot be read: {error}") from error


def merged(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Both, the new one winning, down to the last value."""
    result = dict(old)
    for key, value in new.items():
        known = result.get(key)
        result[key] = merged(known, value) if isinstance(known, Mapping) and isinstance(value, Mapping) else value
    return result


def _first(name: str) -> Path | None:
    return next((file for folder in _folders() for file in _named(name, folder) if file.exists()), None)


def _folders() -> Iterator[Path]:
    usual = Path.home() / ".config"
    yield Path()
    yield Path(os.environ.get("XDG_CONFIG_HOME") or usual) / "openstack"
    yield usual / "openstack"
    yield Path("/etc/xdg/openstack")
    yield Path("/etc/openstack")


def _named(name: str, folder: Path) -> Iterator[Path]:
    return (folder / f"{name}{suffix}" for suffix in _SUFFIXES)


def _section(file: Path, section: str) -> Mapping[str, Entry]:
    """What a file has under a heading; JSON is read as the YAML that it is, too."""
    try:
        content = yaml.safe_load(file.read_text(encoding="utf-8")) or {}
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise OperatorError(f"{file} cannot be read: {error}") from error
    found = content.get(section) or {} if isinstance(content, dict) else None
    if not isinstance(found, dict) or not all(isinstance(entry, dict) for entry in found.values()):
        raise OperatorError(f"{file} cannot be used: what it has under {section} are no clouds with their settings.")
    return found
