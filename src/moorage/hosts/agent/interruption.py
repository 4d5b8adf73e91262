"""What may interrupt an agent: signals to stop, to look again at once, and the passing of time."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from types import FrameType

from moorage.client.transport import Response, Transport


class Stopped(BaseException):
    """The agent is told to stop; no error, so nothing that handles errors keeps it from ending."""


class Interruption:
    """Waits, and knows why it woke up."""

    def __init__(self) -> None:
        # Its put() may interrupt its own get(), as a signal does; an Event's set() would wait for a lock for ever.
        self._woken: SimpleQueue[None] = SimpleQueue()
        self._hurry = False
        self.stopping = False

    def stop(self) -> None:
        """End after the request that is under way."""
        self.stopping = True
        self._woken.put(None)

    def hurry(self) -> None:
        """Look again at once."""
        self._hurry = True
        self._woken.put(None)

    def hurried(self) -> bool:
        """Whether somebody asked to look again since this was last asked."""
        hurry, self._hurry = self._hurry, False
        return hurry

    def wait(self, seconds: float) -> None:
        """Wait until the time is over or somebody wants something; Stopped if that is to stop."""
        with suppress(Empty):
            self._woken.get(timeout=seconds)
            while True:
                self._woken.get_nowait()
        self.require_going_on()

    def require_going_on(self) -> None:
        """Stopped if the agent is told to stop."""
        if self.stopping:
            raise Stopped


class InterruptibleTransport:
    """Passes requests on, and stops before the next one when the agent is told to."""

    def __init__(self, transport: Transport, before_each: Callable[[], None]) -> None:
        self._transport = transport
        # Raises Stopped if there shall be no more requests.
        self._before_each = before_each

    def send(
        self,
        method: str,
        path: str,
        *,
        query: Sequence[tuple[str, str]] = (),
        content: object = None,
        headers: Mapping[str, str] | None = None,
    ) -> Response:
        """Send a request, unless it is time to stop."""
        self._before_each()
        return self._transport.send(method, path, query=query, content=content, headers=headers)


@contextmanager
def interruptible() -> Iterator[Interruption]:
    """Heed SIGTERM, SIGINT and SIGHUP for as long as the block lasts."""
    interruption = Interruption()
    handlers: dict[signal.Signals, Callable[[], None]] = {
        signal.SIGTERM: interruption.stop,
        signal.SIGINT: interruption.stop,
        signal.SIGHUP: interruption.hurry,
    }

    def handle(number: int, _frame: FrameType | None) -> None:
        handlers[signal.Signals(number)]()

    before = {number: signal.signal(number, handle) for number in handlers}
    try:
        yield interruption
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
