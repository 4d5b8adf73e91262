"""An HTTP client that costs next to nothing: one kept connection, the same few header lines, no parsing to speak of.

It understands what the measured servers send, answers with Content-Length or in chunks, and nothing else of HTTP.
"""

from __future__ import annotations

import json
import select
import socket
from dataclasses import dataclass
from typing import Any, Self

MICROVERSION = "1.39"


@dataclass(frozen=True, slots=True)
class Answer:
    """A status and a body."""

    status: int
    body: bytes

    @property
    def succeeded(self) -> bool:
        """Whether the server did what it was asked."""
        return 200 <= self.status < 300  # noqa: PLR2004 - the statuses of success

    def json(self) -> Any:
        """The decoded body; None where there is none."""
        return json.loads(self.body) if self.body else None


class Connection:
    """A kept connection to a server on this machine; opened anew only when the server has closed it."""

    def __init__(self, port: int, mount: str, timeout: float) -> None:
        self._address = ("127.0.0.1", port)
        self._mount = mount
        self._timeout = timeout
        self._headers = (
            f" HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX-Auth-Token: admin\r\nAccept: application/json\r\n"
            f"OpenStack-API-Version: placement {MICROVERSION}\r\n"
        )
        self._socket: socket.socket | None = None
        self._received = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Forget the connection."""
        if self._socket is not None:
            self._socket.close()
        self._socket = None
        self._received = b""

    def get(self, path: str) -> Answer:
        """Ask for something."""
        return self.send("GET", path)

    def send(self, method: str, path: str, content: object = None) -> Answer:
        """Send a request with a JSON body, if there is any, and wait for the whole answer."""
        request = f"{method} {self._mount}{path}{self._headers}"
        body = b""
        if content is not None:
            body = json.dumps(content).encode()
            request += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        open_socket = self._open()
        try:
            open_socket.sendall(f"{request}\r\n".encode() + body)
            return self._answer(open_socket)
        except OSError:
            self.close()
            raise

    def _open(self) -> socket.socket:
        # Nothing is to be read between two requests, except that the server has hung up.
        if self._socket is not None and select.select([self._socket], [], [], 0)[0]:
            self.close()
        if self._socket is None:
            self._socket = socket.create_connection(self._address, self._timeout)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return self._socket

    def _answer(self, open_socket: socket.socket) -> Answer:
        head = self._until(open_socket, b"\r\n\r\n").lower()
        status = int(head[9:12])
        _, found, length = head.partition(b"\r\ncontent-length:")
        if found:
            body = self._exactly(open_socket, int(length.partition(b"\r\n")[0]))
        elif b"\r\ntransfer-encoding: chunked" in head:
            body = self._chunks(open_socket)
        else:
            body = b""
        if b"\r\nconnection: close" in head:
            self.close()
        return Answer(status, body)

    def _chunks(self, open_socket: socket.socket) -> bytes:
        chunks = []
        while size := int(self._until(open_socket, b"\r\n"), 16):
            chunks.append(self._exactly(open_socket, size))
            self._until(open_socket, b"\r\n")
        self._until(open_socket, b"\r\n")
        return b"".join(chunks)

    def _until(self, open_socket: socket.socket, end: bytes) -> bytes:
        while end not in self._received:
            self._received += _some(open_socket)
        found, _, self._received = self._received.partition(end)
        return found

    def _exactly(self, open_socket: socket.socket, size: int) -> bytes:
        parts = [self._received]
        missing = size - len(self._received)
        while missing > 0:
            parts.append(_some(open_socket))
            missing -= len(parts[-1])
        content = b"".join(parts)
        self._received = content[size:]
        return content[:size]


def _some(open_socket: socket.socket) -> bytes:
    received = open_socket.recv(262144)
    if not received:
        raise ConnectionResetError("the server hung up in the middle of an answer")
    return received
