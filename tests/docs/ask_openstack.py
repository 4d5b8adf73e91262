"""Has a command run by the process that has it loaded, see `loaded_openstack`: ask_openstack.py SOCKET ARGUMENT..."""

from __future__ import annotations

import json
import os
import socket
import sys


def ask(address: str, arguments: list[str]) -> int:
    """The exit code of the command."""
    request = {"arguments": arguments, "environment": dict(os.environ), "directory": os.getcwd()}  # noqa: PTH109 - loads quickly
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(address)
        socket.send_fds(connection, [b"\0"], [0, 1, 2])
        connection.sendall(json.dumps(request).encode())
        connection.shutdown(socket.SHUT_WR)
        return int(connection.recv(16) or 1)


if __name__ == "__main__":
    sys.exit(ask(sys.argv[1], sys.argv[2:]))
