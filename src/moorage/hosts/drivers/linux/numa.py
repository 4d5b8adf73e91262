"""The NUMA nodes: which processors and how much memory each has."""

from __future__ import annotations

import re
from pathlib import Path

from moorage.hosts.drivers.linux.files import entries_of, value_of
from moorage.hosts.drivers.linux.memory import memory_mb_in
from moorage.hosts.drivers.machine.cpu_list import parse_cpu_list
from moorage.hosts.drivers.machine.facts import NumaNode

_NODES = "sys/devices/system/node"
_NODE = re.compile(r"node([0-9]{1,5})")


def numa_nodes(root: Path, online: frozenset[int], memory_mb: int) -> tuple[NumaNode, ...]:
    """All NUMA nodes. A kernel that knows of none has everything in one, so that whoever asks for one finds it."""
    nodes = [
        _node(directory, int(match[1]), online)
        for directory in entries_of(root / _NODES)
        if (match := _NODE.fullmatch(directory.name))
    ]
    if not nodes:
        return (NumaNode(0, online, memory_mb),)
    return tuple(sorted(nodes, key=lambda node: node.number))


def _node(directory: Path, number: int, online: frozenset[int]) -> NumaNode:
    cpus = value_of(directory / "cpulist", parse_cpu_list) or frozenset()
    return NumaNode(number, cpus & online, memory_mb_in(directory / "meminfo"))
