"""Making and removing what anybody may make up a name for: traits and resource classes, several at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from moorage.cli.output import Output
from moorage.service.errors import OperatorError


def make_missing(
    kind: str, names: Iterable[str], known: Collection[str], make: Callable[[str], None], output: Output
) -> None:
    """Make those that are not known yet, and tell of each when it is there."""
    with output.one_by_one(kind, "made") as done:
        for name in dict.fromkeys(names):
            if name in known:
                done(f"{name} is there already.", name, False)
            else:
                make(name)
                done(f"Made {name}.", name, True)


def remove_each(kind: str, names: Iterable[str], remove: Callable[[str], None], output: Output) -> None:
    """Remove one after the other, and tell of each when it is gone."""
    with output.one_by_one(kind) as done:
        for name in dict.fromkeys(names):
            remove(name)
            done(f"Removed {name}.", name)


def unknown_name(kind: str, command: str, name: str) -> OperatorError:
    """What to say of a name that is not there: what makes it, or what shows those that there are."""
    custom = name.startswith("CUSTOM_")
    helps = f"create {name}` makes it" if custom else "list` shows those that there are"
    return OperatorError(f"There is no {kind} {name}; `moorage {command} {helps}.")
