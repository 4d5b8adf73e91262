"""What those who watch a cloud are told of a report: all of it in the same units."""

from __future__ import annotations

from dataclasses import replace

from bench.capacity.clouds import ZONE, cloud
from moorage.capacity.figures import figures_of
from moorage.capacity.model.demand import CORES, Demand, ResourceDemand
from moorage.capacity.report import report_capacity


def test_demand_is_told_in_units_of_the_hardware_as_capacity_is() -> None:
    given = cloud(4)
    of_cores = ResourceDemand({ZONE: Demand(9, 4, 2)}, overcommit_factor=4.0)
    request = replace(given.request, demand={**given.request.demand, CORES: of_cores})

    found = figures_of(report_capacity(given.cloud, request, given.configuration), request, seconds=1, made_at=1)

    told = {figure.name: figure.value for figure in found.figures if figure.labels == (CORES, ZONE)}
    cores = sum(each.inventories["VCPU"].available for each in given.cloud.hypervisors)
    assert 0 < told.pop("capacity") <= cores
    assert told == {"used": 3, "committed": 1, "pending": 1}
