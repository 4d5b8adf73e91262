"""What hosts offer, by resource class: Placement's inventories of their providers.

A class may be offered by several providers of a host, such as one for each GPU. A slot takes its amount from one of
them, so of each only whole multiples of the amount can be used.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from moorage.reservations.calendar.columns import Flags, Numbers


@dataclass(frozen=True, slots=True)
class Offers:
    """The inventories of one class: a row for each provider."""

    # Positions of hosts.
    host: Numbers
    # What may be allocated in all, and the rules for single amounts.
    capacity: Numbers
    min_unit: Numbers
    max_unit: Numbers
    step_size: Numbers


@dataclass(frozen=True, slots=True)
class Supply:
    """What a number of hosts offer."""

    hosts: int
    offers: Mapping[str, Offers] = field(default_factory=dict)
    # What is in use on a host whatever is reserved, and nobody knows until when; by class.
    taken: Mapping[str, Numbers] = field(default_factory=dict)

    def capacity(self, resource_class: str, amount: int) -> Numbers:
        """For each host, how much of a class those can use who take `amount` at a time, were none reserved."""
        offers = self.offers.get(resource_class)
        if offers is None:
            return np.zeros(self.hosts, np.int64)
        fits = (offers.min_unit <= amount) & (amount <= offers.max_unit) & (amount % offers.step_size == 0)
        several = np.bincount(offers.host, minlength=self.hosts)[offers.host] > 1
        usable = np.where(several, offers.capacity // amount * amount, offers.capacity)
        total = np.zeros(self.hosts, np.int64)
        np.add.at(total, offers.host, np.where(fits, usable, 0))
        taken = self.taken.get(resource_class)
        return total if taken is None else total - taken

    def untouched(self) -> Flags:
        """The hosts on which nothing is in use but what is reserved."""
        free = np.ones(self.hosts, np.bool_)
        for taken in self.taken.values():
            free &= taken <= 0
        return free
