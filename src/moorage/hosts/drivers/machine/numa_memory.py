"""The memory of NUMA nodes held against that of the machine, which is told elsewhere and need not agree.

Containers show a part of the memory of a machine and all of its nodes; memory that was plugged in later may belong to
no node that is shown. Nothing is offered that one of the two does not know of: the lesser figure is the safe one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from moorage.hosts.drivers.machine.facts import NumaNode
from moorage.hosts.drivers.machine.shares import shares

# Each figure is rounded, and some kernels count their own reserves in one of them only.
_USUAL_DIFFERENCE = 0.01


def within(nodes: Sequence[NumaNode], memory_mb: int) -> tuple[NumaNode, ...]:
    """The nodes with no more memory than the machine has; if that is less, each has its share of it."""
    sizes = [node.memory_mb for node in nodes]
    if sum(sizes) <= memory_mb:
        return tuple(nodes)
    parts = shares(memory_mb, sizes)
    return tuple(replace(node, memory_mb=part) for node, part in zip(nodes, parts, strict=True))


def disagreement(nodes: Sequence[NumaNode], memory_mb: int) -> str | None:
    """A sentence for the operator if the figures are far apart."""
    together = sum(node.memory_mb for node in nodes)
    if abs(together - memory_mb) <= _USUAL_DIFFERENCE * memory_mb:
        return None
    return (
        f"The NUMA nodes have {together} MiB of memory together, the machine has {memory_mb} MiB:"
        f" {min(together, memory_mb)} MiB are offered."
    )
