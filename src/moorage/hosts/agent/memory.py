"""What an agent remembers between its runs: who added what to which provider, in a file that only its owner reads.

A Placement that is Moorage keeps origins itself. Any other one cannot, so the agent keeps them here, and saves what it
is about to add before it adds it: whenever it is killed, it knows afterwards all that is its own.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from moorage.hosts.agent.refusal import AgentRefuses
from moorage.placement.model.origin import Origin

VERSION = 1


@dataclass(frozen=True, slots=True)
class _Content:
    version: int
    origins: Mapping[str, Origin] = field(default_factory=dict)


class Memory:
    """Origins by the UUIDs of their providers, in a file that is replaced as a whole."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._origins = dict(_read(file).origins)

    @property
    def origins(self) -> Mapping[str, Origin]:
        """What is remembered now."""
        return self._origins

    def save(self, origins: Mapping[str, Origin]) -> None:
        """Remember these and nothing else; they are on the disk when this returns."""
        if origins == self._origins:
            return
        content = msgspec.json.encode(_Content(VERSION, origins), enc_hook=_plain, order="deterministic")
        _replace(self._file, msgspec.json.format(content, indent=1) + b"\n")
        self._origins = dict(origins)


@contextmanager
def alone(directory: Path) -> Iterator[None]:
    """Keep other agents off a state directory, which is made if it is missing, readable by its owner only."""
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(directory / "lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise AgentRefuses(
            [f"The directory {directory} cannot be used: {error.strerror}; choose one with [DEFAULT] state_path."]
        ) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise AgentRefuses(
            [f"Another agent runs with the state directory {directory}; stop it, or change [DEFAULT] state_path."]
        ) from error
    else:
        yield
    finally:
        # The file stays: whoever removed it could take it from under an agent that starts at this moment.
        os.close(lock)


def _read(file: Path) -> _Content:
    try:
        content = msgspec.json.decode(file.read_bytes(), type=_Content)
    except FileNotFoundError:
        return _Content(VERSION)
    except (OSError, msgspec.MsgspecError) as error:
        problem = (
            f"The file {file}, in which the agent remembers what it added to Placement, cannot be read: {error}."
            " Restore it from a copy; or delete it, and what was added so far stays in Placement for good."
        )
        raise AgentRefuses([problem]) from error
    if content.version != VERSION:
        problem = f"The file {file} has version {content.version}, and this agent reads version {VERSION}."
        raise AgentRefuses([problem])
    return content


def _plain(value: object) -> object:
    """The default of an empty mapping is one that cannot be changed, which the encoder does not know."""
    if isinstance(value, Mapping):
        return dict(value)
    raise NotImplementedError


def _replace(file: Path, content: bytes) -> None:
    """Put a file there whole or not at all, on the disk when done, readable by its owner only from the first moment."""
    # Nobody else writes here, so the name is free; what a killed agent left under it is overwritten.
    new = file.with_name(f"{file.name}.new")
    try:
        with os.fdopen(os.open(new, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        new.replace(file)
        directory = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)
    except OSError as error:
        raise AgentRefuses([f"The file {file} cannot be written: {error.strerror}; the agent needs it."]) from error
