"""Who may use which flavor, image and aggregate."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from moorage.compute.model.aggregate import HostAggregate
from moorage.compute.model.flavor import Flavor
from moorage.compute.model.image import Image, Visibility

NOW = datetime(2030, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("is_public", "projects", "is_open"),
    [(True, set(), True), (True, {"elsewhere"}, True), (False, {"elsewhere", "harbour"}, True), (False, set(), False)],
)
def test_a_flavor_is_for_everybody_or_for_those_who_have_access(
    *, is_public: bool, projects: set[str], is_open: bool
) -> None:
    flavor = Flavor(flavor_id="1", name="small", ram_mb=1, vcpus=1, is_public=is_public, projects=frozenset(projects))
    assert flavor.is_open_to("harbour") is is_open


def image(visibility: Visibility, *, owner: str = "elsewhere", hidden: bool = False, member: str = "") -> Image:
    return Image(
        uuid="1",
        name=None,
        owner=owner,
        created_at=NOW,
        updated_at=NOW,
        visibility=visibility,
        hidden=hidden,
        members=frozenset({member}),
    )


@pytest.mark.parametrize(
    ("seen", "is_open"),
    [
        (image("public"), True),
        (image("community"), True),
        (image("shared"), False),
        (image("shared", member="harbour"), True),
        (image("private"), False),
        # Members count for shared images alone.
        (image("private", member="harbour"), False),
        (image("private", owner="harbour"), True),
        (image("shared", owner="harbour"), True),
        (image("community", owner="harbour"), True),
        (image("public", hidden=True), True),
        (image("private", owner="harbour", hidden=True), True),
    ],
)
def test_an_image_is_for_those_who_may_see_it(*, seen: Image, is_open: bool) -> None:
    assert seen.is_open_to("harbour") is is_open


def test_servers_are_placed_by_an_image_s_name_or_its_uuid() -> None:
    assert image("public").boot_image.label == "1"


@pytest.mark.parametrize(
    ("metadata", "is_open"),
    [
        ({}, True),
        ({"ssd": "elsewhere"}, True),
        ({"filter_tenant_id": "harbour"}, True),
        ({"filter_tenant_id": "elsewhere"}, False),
        ({"filter_tenant_id": "elsewhere,harbour"}, True),
        ({"filter_tenant_id": "elsewhere , harbour "}, True),
        ({"filter_tenant_id": "harbours"}, False),
        ({"filter_tenant_id_1": "elsewhere", "filter_tenant_id_2": "harbour"}, True),
        ({"filter_tenant_id_1": "elsewhere"}, False),
        # Nobody is named, so it is nobody's.
        ({"filter_tenant_id": ""}, True),
    ],
)
def test_an_aggregate_is_open_unless_it_is_set_aside_for_others(*, metadata: dict[str, str], is_open: bool) -> None:
    aggregate = HostAggregate(id=1, uuid="1", name="a", created_at=NOW, metadata=metadata)
    assert aggregate.is_open_to("harbour") is is_open


def test_an_aggregate_may_be_an_availability_zone() -> None:
    zone = HostAggregate(id=1, uuid="1", name="a", created_at=NOW, metadata={"availability_zone": "north"})
    none = HostAggregate(id=1, uuid="1", name="a", created_at=NOW)
    assert (zone.availability_zone, none.availability_zone) == ("north", None)
