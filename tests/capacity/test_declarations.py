"""What the service says about itself: made from flavors and settings, and under a version that all workers agree on."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

import pytest

from moorage.capacity.declaration import declare
from moorage.capacity.declarations import FRESH_SECONDS, Declarations
from moorage.capacity.model.configuration import (
    Category,
    CategoryRule,
    Configuration,
    FlavorSelection,
)
from moorage.capacity.model.flavor import Flavor
from moorage.capacity.protocol.validation import check_info
from moorage.db.database import Database
from tests.capacity.fake_cloud import FakeCloud

SECOND = 1_000_000


def flavor(name: str, **extra_specs: str) -> Flavor:
    specs = {key.replace("__", ":"): value for key, value in extra_specs.items()}
    return Flavor(id=name, name=name, vcpus=1, ram_mib=1, disk_gib=1, extra_specs=specs)


SPLIT = flavor("split", quota__separate="true")


@dataclass
class Worker:
    """A worker with a clock that is turned by hand, and a cloud whose flavors change."""

    database: Database
    time: int = 1_000 * SECOND
    cloud: FakeCloud = field(default_factory=lambda: FakeCloud({"flavors": []}))

    def __post_init__(self) -> None:
        compute = self.cloud.services().compute
        self.declarations = Declarations(self.database, compute, Configuration(), lambda: self.time)

    def sees(self, *names: str) -> None:
        specs = {"quota:separate": "true"}
        size = {"vcpus": 1, "ram": 1, "disk": 1}
        self.cloud.content = {"flavors": [{"id": name, "name": name, **size, "extra_specs": specs} for name in names]}

    def version(self) -> int:
        return self.declarations.current().info.version


@pytest.fixture
def worker(database: Database) -> Worker:
    worker = Worker(database)
    worker.sees("one")
    return worker


def test_split_flavors_are_declared_and_others_are_not() -> None:
    flavors = [
        flavor("pooled"),
        SPLIT,
        flavor("metal", quota__separate="true", capabilities__hypervisor_type="ironic"),
        flavor("loud", quota__separate="True"),
    ]
    declaration = declare(flavors, Configuration())
    assert [name for name in declaration.info.resources if name.startswith("instances_")] == ["instances_split"]
    assert declaration.ironic_flavors == {"metal"}
    check_info(declaration.info)


def test_excluded_split_flavors_are_not_declared() -> None:
    selection = FlavorSelection(excluded_extra_specs={"kind": "old"})
    old = flavor("old", quota__separate="true", kind="old")
    declaration = declare([old], Configuration(flavor_selection=selection))
    assert "instances_old" not in declaration.info.resources
    assert declaration.undeclared_flavors == {"old"}


def test_a_flavor_whose_name_cannot_be_a_resource_takes_nothing_else_with_it() -> None:
    declaration = declare([SPLIT, flavor("HANA XL", quota__separate="true")], Configuration())
    check_info(declaration.info)
    assert declaration.undeclared_flavors == {"HANA XL"}


def test_the_first_rule_that_matches_from_end_to_end_says_the_category() -> None:
    rules = (
        CategoryRule("instances_sp", Category("part", "A part of the name")),
        CategoryRule("instances_sp.*", Category("first", "First")),
        CategoryRule(".*", Category("second", "Second")),
    )
    declaration = declare([SPLIT], Configuration(category_for_split_flavor=rules))
    assert declaration.info.resources["instances_split"].category_name == "first"
    assert declaration.info.categories.keys() == {"first"}
    check_info(declaration.info)


def test_versions_of_hardware_are_declared_for_their_usage() -> None:
    defaults = {"cores": 10, "hw_version_kvm_v2_cores": 1, "hw_version_kvm_v2_ram": 1, "hw_version_x_disk": 1}
    declaration = declare([], Configuration(with_hw_version_resources=True), defaults)
    cores = declaration.info.resources["hw_version_kvm_v2_cores"]
    assert (cores.category_name, cores.has_capacity, cores.has_quota) == ("hw_version_kvm_v2", False, False)
    assert declaration.info.resources["hw_version_kvm_v2_ram"].unit == "MiB"
    assert declaration.info.categories["hw_version_kvm_v2"].display_name == "Hw Version KVM V2"
    assert "hw_version_x_disk" not in declaration.info.resources
    check_info(declaration.info)
    assert "hw_version_kvm_v2_cores" not in declare([], Configuration(), defaults).info.resources


def test_the_version_is_the_time_of_the_last_change(worker: Worker) -> None:
    assert worker.version() == 1_000
    worker.time += 100 * SECOND
    assert worker.version() == 1_000
    worker.sees("one", "two")
    worker.time += 100 * SECOND
    assert worker.version() == 1_200


def test_the_version_rises_also_if_the_clock_does_not(worker: Worker) -> None:
    assert worker.version() == 1_000
    worker.sees("one", "two")
    worker.time += 1
    flavors = [SPLIT]
    assert worker.declarations.publish(flavors, worker.time).info.version == 1_001


def test_the_cloud_is_looked_at_every_half_minute(worker: Worker) -> None:
    worker.version()
    worker.version()
    assert worker.cloud.asked.count("GET /compute/flavors/detail") == 1
    worker.time += FRESH_SECONDS * SECOND
    worker.version()
    assert worker.cloud.asked.count("GET /compute/flavors/detail") == 2


def test_all_workers_agree(worker: Worker, database: Database) -> None:
    other = Worker(database, time=1_005 * SECOND)
    other.sees("one")
    assert other.version() == 1_005
    assert worker.declarations.publish([], worker.time).info.version == 1_005
    assert worker.version() == other.version() == 1_005


def test_who_looked_earlier_does_not_undo_what_was_seen_later(worker: Worker) -> None:
    new = worker.declarations.publish([SPLIT], 2_000 * SECOND)
    late = worker.declarations.publish([], 1_999 * SECOND)
    assert late == new
    assert "instances_split" in late.info.resources


def test_settings_that_changed_show_at_once(worker: Worker, database: Database) -> None:
    assert worker.version() == 1_000
    restarted = Worker(database, time=1_001 * SECOND)
    restarted.sees("one")
    selection = FlavorSelection(excluded_extra_specs={"quota:separate": "true"})
    restarted.declarations.configuration = Configuration(flavor_selection=selection)
    assert restarted.version() == 1_001
    assert "instances_one" not in restarted.declarations.current().info.resources


def test_many_who_ask_at_once_get_the_same_version_and_one_of_them_looks(worker: Worker) -> None:
    versions: list[int] = []
    threads = [threading.Thread(target=lambda: versions.append(worker.version())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert versions == [1_000] * 8
    assert worker.cloud.asked.count("GET /compute/flavors/detail") == 1
