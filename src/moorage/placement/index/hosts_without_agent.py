"""Which hosts nobody looks after."""

from __future__ import annotations

from collections.abc import Collection

import os_traits

from moorage.placement.index.cloud import Cloud
from moorage.placement.index.topology import ROOT


def hosts_without_agent(cloud: Cloud, kept: Collection[int]) -> int:
    """How many compute nodes are roots of trees and are not among these providers, given by number."""
    hosts = cloud.topology.having_any_trait([os_traits.COMPUTE_NODE]) & (cloud.topology.parents == ROOT)
    hosts[cloud.slots_numbered(kept)] = False
    return int(hosts.sum())
