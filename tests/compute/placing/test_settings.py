from __future__ import annotations

from pathlib import Path

import pytest

from moorage.compute.placing.settings import PlacingSettings, Weigher, placing_settings
from moorage.service.errors import OperatorError
from moorage.service.settings import load_settings


def test_nothing_is_required_or_forbidden_by_default(tmp_path: Path) -> None:
    assert placing_settings(load_settings({"state_path": str(tmp_path)}, config_files=[])) == PlacingSettings()


def test_a_file_says_it_all(tmp_path: Path) -> None:
    file = tmp_path / "moorage.conf"
    file.write_text("""
[scheduler]
weigher = pack
max_placement_results = 50
placement_req_required_member_prefix = reservation:
placement_req_default_forbidden_member_prefix = reservation:,license:
enable_isolated_aggregate_filtering = true
limit_tenants_to_placement_aggregate = true
placement_aggregate_required_for_tenants = true
""")
    settings = placing_settings(load_settings({"state_path": str(tmp_path)}, config_files=[str(file)]))
    assert settings == PlacingSettings(
        required_member_prefix="reservation:",
        default_forbidden_member_prefixes=("reservation:", "license:"),
        isolate_aggregates=True,
        limit_tenants=True,
        aggregate_required_for_tenants=True,
        max_results=50,
        weigher=Weigher.PACK,
    )


@pytest.mark.parametrize(
    ("required", "forbidden", "has_prefixes"),
    [("", (), False), ("a:", (), True), ("", ("b:",), True), ("a:", ("b:",), True)],
)
def test_prefixes_are_independent(*, required: str, forbidden: tuple[str, ...], has_prefixes: bool) -> None:
    settings = PlacingSettings(required_member_prefix=required, default_forbidden_member_prefixes=forbidden)
    assert settings.has_prefixes is has_prefixes


def test_an_empty_prefix_is_refused(tmp_path: Path) -> None:
    """Every key begins with it."""
    file = tmp_path / "moorage.conf"
    file.write_text("[scheduler]\nplacement_req_default_forbidden_member_prefix = reservation:,,license:\n")
    with pytest.raises(OperatorError, match="placement_req_default_forbidden_member_prefix"):
        load_settings({"state_path": str(tmp_path)}, config_files=[str(file)])
