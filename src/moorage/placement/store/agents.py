"""Signs of life of the agents of hosts: one row for each agent, written over by each sign.

They are no part of the ledger: no generation moves, nothing enters the change feed, and no index reads them. Signs are
written over all the time, so one that is written twice after a lost connection does no harm.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Connection, Insert, bindparam, case, delete, func, select

from moorage.db.statements import insert_or_replace
from moorage.placement.model.agent import Outcome, SeenAgent, Sign, State, late_at
from moorage.placement.store.tables import agents

_columns = agents.c
_ORDER = tuple(State)

# The place of an agent's state among all states.
_state = case(
    (_columns.late_at.is_(None), _ORDER.index(State.STOPPED)),
    (_columns.late_at < bindparam("now"), _ORDER.index(State.LATE)),
    (_columns.outcome == Outcome.FAILED.value, _ORDER.index(State.FAILING)),
    (_columns.outcome == Outcome.INCOMPLETE.value, _ORDER.index(State.INCOMPLETE)),
    else_=_ORDER.index(State.WELL),
)
_COUNTS = select(_state.label("state"), func.count().label("agents")).select_from(agents).group_by("state")
_LIST = select(agents, _state.label("state")).order_by("state", _columns.name)


def keep(connection: Connection, signs: Sequence[Sign], now: int) -> None:
    """Note what agents tell, each in place of what it told before. They are written in one order by everybody."""
    rows = [_row(sign, now) for sign in sorted(signs, key=lambda sign: sign.name)]
    connection.execute(_writing(connection.dialect.name), rows)


@cache
def _writing(dialect: str) -> Insert:
    return insert_or_replace(dialect, agents)


def forget(connection: Connection, name: str) -> bool:
    """Forget an agent; whether there was one."""
    return connection.execute(delete(agents).where(_columns.name == name)).rowcount > 0


def counts(connection: Connection, now: int) -> dict[State, int]:
    """How many agents there are in each state."""
    found = {_ORDER[row.state]: row.agents for row in connection.execute(_COUNTS, {"now": now})}
    return {state: found.get(state, 0) for state in _ORDER}


def overview(
    connection: Connection, now: int, states: Collection[State] = _ORDER, limit: int | None = None
) -> tuple[dict[State, int], list[SeenAgent]]:
    """How many agents there are in each state, and those in these states: the most urgent first, and by name."""
    return counts(connection, now), _seen(connection, now, states, limit)


def _seen(connection: Connection, now: int, states: Collection[State], limit: int | None) -> list[SeenAgent]:
    wanted = _LIST.where(_state.in_([_ORDER.index(state) for state in states])).limit(limit)
    return [_agent(row, now) for row in connection.execute(wanted, {"now": now})]


# --- rows


def _row(sign: Sign, now: int) -> dict[str, Any]:
    return {
        "name": sign.name,
        "version": sign.version,
        "interval_seconds": sign.interval,
        "outcome": sign.outcome.value,
        "reason": sign.reason,
        "providers": sign.providers,
        "seen_at": now,
        "late_at": late_at(now, sign.interval),
    }


def _agent(row: Any, now: int) -> SeenAgent:
    sign = Sign(row.name, row.version, row.interval_seconds, Outcome(row.outcome), row.reason, row.providers)
    return SeenAgent(sign, _ORDER[row.state], row.seen_at, max(0, now - row.seen_at))
