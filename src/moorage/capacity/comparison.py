"""A cloud before and after a change: what there is of everything, what finds no place then, and who does not count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from moorage.capacity.errors import FailingHypervisors
from moorage.capacity.model.cloud import Snapshot
from moorage.capacity.model.hypervisor import Hypervisor
from moorage.capacity.report import CapacityAccount, report_capacity
from moorage.capacity.selection.hypervisors import hosts_of
from moorage.capacity.shares import (
    Difference,
    Share,
    Unplaced,
    differences,
    left_out,
    pooled_shares,
    split_shares,
    unplaced,
)
from moorage.capacity.what_if import origin_of_copy


@dataclass(frozen=True, slots=True)
class Comparison:
    """What differs; what finds no place after the change; sentences about hypervisors that do not count."""

    differences: tuple[Difference, ...]
    unplaced: tuple[Unplaced, ...]
    left_out: tuple[str, ...]
    # As far as it is not the same afterwards.
    left_out_before: tuple[str, ...]


def compare(before: Snapshot, after: Snapshot) -> Comparison:
    """Look at both; refuses with a CapacityError if the later one cannot be told.

    The earlier one may have hypervisors that cannot be understood: to take them away may be the change.
    """
    was = report_capacity(before.cloud, before.request, _skipping(before).configuration)
    known = {each.hostname for each in before.cloud.hypervisors}
    copies = [each for each in after.cloud.hypervisors if each.hostname not in known]
    now = _report(after, copies)
    absent = (*left_out(_without(now, copies)), *_without_effect(after, copies, now))
    return Comparison(
        tuple(differences(_shares(was, before), _shares(now, after))),
        tuple(unplaced(now)),
        absent,
        tuple(sentence for sentence in left_out(was) if sentence not in absent),
    )


def _skipping(snapshot: Snapshot) -> Snapshot:
    configuration = snapshot.configuration
    selection = replace(configuration.hypervisor_selection, skip_failing=True)
    return replace(snapshot, configuration=replace(configuration, hypervisor_selection=selection))


def _report(snapshot: Snapshot, copies: Iterable[Hypervisor]) -> CapacityAccount:
    """The report; a refusal names those that are there, and not each of their copies as well."""
    try:
        return report_capacity(snapshot.cloud, snapshot.request, snapshot.configuration)
    except FailingHypervisors as error:
        made_up = {each.description for each in copies}
        real = [failure for failure in error.failures if failure.hypervisor not in made_up]
        raise (FailingHypervisors(real) if real else error) from None


def _without(account: CapacityAccount, copies: Iterable[Hypervisor]) -> CapacityAccount:
    names, descriptions = {each.hostname for each in copies}, {each.description for each in copies}
    return replace(
        account,
        homeless=tuple(name for name in account.homeless if name not in names),
        skipped=tuple(failure for failure in account.skipped if failure.hypervisor not in descriptions),
    )


def _without_effect(after: Snapshot, copies: Iterable[Hypervisor], account: CapacityAccount) -> Iterator[str]:
    """A sentence for each hypervisor whose copies do not count: all of them or none, for they are alike."""
    counted = {cluster.hostname for zone in account.zones.values() for cluster in zone.clusters}
    idle = {origin_of_copy(each): each for each in copies if each.hostname not in counted}
    if not idle:
        return
    hosts = {host.hypervisor.hostname: host for host in hosts_of(after.configuration.hypervisor_selection, after.cloud)}
    failures = {failure.hypervisor: failure for failure in account.skipped}
    for origin, copy in idle.items():
        if copy.hostname not in hosts:
            why = "hypervisor_selection leaves it out."
        elif copy.description in failures:
            why = f"{failures[copy.description].reason}. {failures[copy.description].advice}"
        elif copy.hostname in account.homeless:
            why = "it has no aggregate or zone."
        elif hosts[copy.hostname].is_shadowed:
            why = "it is shadowed, and of such a one only what is used counts."
        else:
            why = "it has no cores, no RAM or no disk of its own."
        yield f"More of {origin} change nothing: {why}"


def _shares(account: CapacityAccount, snapshot: Snapshot) -> list[Share]:
    return [*pooled_shares(account, snapshot.request), *split_shares(account, snapshot.request)]
