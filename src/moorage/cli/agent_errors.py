"""How what an agent cannot do becomes sentences for the person at the keyboard."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def told_to_the_operator() -> Iterator[None]:
    """Turn what hosts and clients raise into the one exception that the command prints."""
    from moorage.client.errors import ClientError
    from moorage.hosts.agent.interruption import Stopped
    from moorage.hosts.agent.refusal import AgentRefuses
    from moorage.hosts.drivers.driver import DriverError
    from moorage.service.errors import OperatorError

    try:
        yield
    except AgentRefuses as refusal:
        raise OperatorError("\nmoorage: ".join(refusal.problems)) from refusal
    except (ClientError, DriverError) as error:
        raise OperatorError(str(error)) from error
    except Stopped:
        raise OperatorError("Stopped before everything was done.") from None
