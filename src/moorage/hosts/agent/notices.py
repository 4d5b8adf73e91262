"""Tells systemd that the agent is ready, alive or about to end: a datagram to the socket that $NOTIFY_SOCKET names."""

from __future__ import annotations

import os
import socket
from contextlib import suppress

READY = "READY=1"
ALIVE = "WATCHDOG=1"
STOPPING = "STOPPING=1"


def notify(*lines: str) -> None:
    """Send a notice; nothing happens where nobody asked for notices."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    if address.startswith("@"):
        # A socket without a file has a name that begins with a zero byte.
        address = "\0" + address[1:]
    # An agent whose supervisor is deaf still has its own work to do.
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as end:
        end.sendto("\n".join(lines).encode(), address)


def status(sentence: str) -> str:
    """A line that `systemctl status` shows."""
    return f"STATUS={sentence}"
