"""The driver that believes a file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from moorage.hosts.drivers.driver import DriverError
from moorage.hosts.drivers.static import driver as module
from moorage.hosts.drivers.static.driver import StaticDriver, sample


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "static.yaml"
    path.write_text("nodes: [{name: first}]")
    return path


def names(driver: StaticDriver) -> list[str]:
    return [provider.name for provider in driver.read().tree]


def test_a_changed_file_is_read_again(file: Path) -> None:
    driver = StaticDriver(file)
    assert names(driver) == ["first"]
    file.write_text("nodes: [{name: secon}]")
    # Not even size and time have to differ.
    os.utime(file, (0, 0))
    assert names(driver) == ["secon"]
    os.utime(file, (0, 0))
    file.write_text("nodes: [{name: third}]")
    os.utime(file, (0, 0))
    assert names(driver) == ["third"]


def test_an_unchanged_file_is_not_worked_through_again(file: Path) -> None:
    driver = StaticDriver(file)
    assert driver.read() is driver.read()


def test_a_broken_change_is_told_until_it_is_put_right(file: Path) -> None:
    driver = StaticDriver(file)
    assert names(driver) == ["first"]
    file.write_text("nodes: [{")
    for _ in range(2):
        with pytest.raises(DriverError, match="not YAML"):
            driver.read()
    file.write_text("nodes: [{name: first}]")
    assert names(driver) == ["first"]


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DriverError, match=r"nowhere \(\[static\] file\) cannot be read: No such file"):
        StaticDriver(tmp_path / "nowhere").read()


def test_a_directory(tmp_path: Path) -> None:
    with pytest.raises(DriverError, match="Is a directory"):
        StaticDriver(tmp_path).read()


def test_a_giant_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_BYTES", 10)
    with pytest.raises(DriverError, match="has more than 10 bytes"):
        StaticDriver(file).read()


def test_the_sample_works_and_shows_every_field(file: Path) -> None:
    file.write_text(sample())
    found = StaticDriver(file).read()
    assert len(found.nodes) == 1021
    assert len(found.tree) == 1025
    for field in ("uuid", "count", "first", "inventories", "traits", "aggregates", "children", "step_size", "reserved"):
        assert f"{field}:" in sample()
