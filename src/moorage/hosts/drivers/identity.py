"""Who a host and its node are: names from the settings, and UUIDs that outlive every change of name."""

from __future__ import annotations

import os
import socket
import tempfile
import uuid
from pathlib import Path

from oslo_config import cfg

from moorage.hosts.drivers.driver import DriverError

NODE_UUID_FILE = "compute_id"
"""As Nova calls the file with the UUID of its own node; one that is provided beforehand is used."""


def host_name(settings: cfg.ConfigOpts) -> str:
    """The name of this host: the one in the settings, or the kernel's."""
    return settings.agent.host or socket.gethostname()


def node_uuid(directory: Path) -> str:
    """The UUID of this host's node, kept in a file that is made at first; only its owner can read it.

    When several processes ask at the same time, one of them makes the file and all use what it holds.
    """
    file = directory / NODE_UUID_FILE
    try:
        if not file.exists():
            directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            _make(file, str(uuid.uuid4()))
        text = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise DriverError(f"The UUID of this node in {file} cannot be read or made: {error}.") from error
    try:
        return str(uuid.UUID(text))
    except ValueError as error:
        raise DriverError(
            f"The file {file} should hold the UUID of this node, but holds {text[:50]!r}; write the UUID that Placement"
            " has for the node into it, or delete the file if Placement does not have the node."
        ) from error


def nested_uuid(parent: str, part: str) -> str:
    """The UUID of what is below a node: always the same for the same part of it, whatever the node is called."""
    return str(uuid.uuid5(uuid.UUID(parent), part))


def _make(file: Path, content: str) -> None:
    """Put the file there whole or not at all, unless another process was faster."""
    # mkstemp makes files of mode 0600.
    descriptor, temporary = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            stream.write(content + "\n")
            stream.flush()
            os.fsync(stream.fileno())
        # A link, unlike a rename, fails when there is a file already.
        os.link(temporary, file)
    except FileExistsError:
        pass
    finally:
        Path(temporary).unlink(missing_ok=True)
