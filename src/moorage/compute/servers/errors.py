"""Why something does not happen to a server, in words for whoever asked."""

from __future__ import annotations

from moorage.compute.model.server import Server


class ServerNotFound(Exception):
    """There is no such server, or none that the caller may know of."""

    def __init__(self, uuid: str) -> None:
        super().__init__(f"Instance {uuid} could not be found.")


class WrongState(Exception):
    """The server is busy, or in a state that does not allow it."""

    def __init__(self, server: Server, what: str) -> None:
        busy = f"task_state {server.task_state}" if server.task_state else f"vm_state {server.status.lower()}"
        super().__init__(f"Cannot '{what}' instance {server.uuid} while it is in {busy}")


class InvalidOrder(Exception):
    """A request that cannot be carried out, whatever the cloud looks like."""


class QuotaExceeded(Exception):
    """The project may not have so much."""


class NoPlace(Exception):
    """No host can take it; the text says why."""


class RebuildRefused(Exception):
    """The server may not have the image where it is; the text says why. The server stays as it is."""
