"""The settings of the agent itself; which driver it has, and what its host is called, is said with the drivers'."""

from __future__ import annotations

from oslo_config import cfg

AGENT_OPTIONS = (
    cfg.FloatOpt(
        "interval",
        default=60.0,
        min=1.0,
        help="""
How many seconds pass between two rounds of the agent, in each of which it examines the host, reads the files and
compares both with Placement.

Changed files are noticed within seconds whatever the interval, and SIGHUP starts a round at once. A round that finds
nothing to do costs Placement one request, and once a minute a small one to say so, so lower it where what the host has
changes by itself and matters soon; raise it where thousands of agents share a small Placement. Moorage misses an agent
that it has not heard of for three intervals, and for three minutes at least.
""",
    ),
)
