"""Why something does not happen to a server, in words for whoever asked."""

from __future__ import annotations

from moorage.compute.model.server import Server
from moorage.compute.model.server_group import ServerGroup


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
    """No host can take it. The message says why, to anybody; the details name hosts, for administrators."""

    def __init__(self, message: str, details: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.details = details


class GroupInTheWay(Exception):
    """Others of a server's group have their places by now where it would break the group's policy to go back."""

    def __init__(self, group: ServerGroup) -> None:
        super().__init__(f'The policy {group.policy} of the group "{group.name}" forbids to revert the resize by now.')


class RebuildRefused(Exception):
    """The server may not have the image where it is; the text says why. The server stays as it is."""
