from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moorage.placement.api.microversion import (
    NEWEST,
    OLDEST,
    UnavailableVersion,
    UnparsableVersion,
    for_version,
    requested_version,
)
from moorage.web.versions import Version, as_text
from tests.properties import effort

versions = st.tuples(st.just(1), st.integers(0, NEWEST[1]))
other_services = st.sampled_from(["compute 2.90", "volume latest", "identity", "placements 1.5", "", " "])


@pytest.mark.parametrize(
    ("header", "version"),
    [
        (None, OLDEST),
        ("", OLDEST),
        ("placement", OLDEST),
        ("compute 2.90", OLDEST),
        ("placement latest", NEWEST),
        ("placement 1.14", (1, 14)),
        ("PLACEMENT  1.14 ", (1, 14)),
        ("compute 2.90, placement 1.14", (1, 14)),
        ("placement 1.14, placement 1.15", (1, 15)),
    ],
)
def test_a_header_asks_for_a_version(header: str | None, version: Version) -> None:
    assert requested_version(header) == version


@pytest.mark.parametrize("text", ["x", "1", "1.", ".1", "1.2.3", "-1.2", "1.-2", "1,2", "+1.2", "1.9999999999"])
def test_what_is_no_version_is_told_from_what_is_none_of_ours(text: str) -> None:
    with pytest.raises(UnparsableVersion):
        requested_version(f"placement {text}")


@pytest.mark.parametrize("text", ["0.9", "1.40", "2.0", "1.999999999"])
def test_a_version_that_there_is_not_is_unavailable(text: str) -> None:
    with pytest.raises(UnavailableVersion):
        requested_version(f"placement {text}")


@effort(200)
@given(versions, st.lists(other_services), st.lists(other_services))
def test_a_version_is_found_among_other_services(version: Version, before: list[str], after: list[str]) -> None:
    header = ", ".join([*before, f"placement {as_text(version)}", *after])
    assert requested_version(header) == version


@effort(500)
@given(st.text() | st.text("placement 0123456789.,latest-").map("placement {}".format))
def test_any_header_is_answered_or_refused(header: str) -> None:
    try:
        version = requested_version(header)
    except (UnparsableVersion, UnavailableVersion):
        return
    assert OLDEST <= version <= NEWEST


@effort(100)
@given(versions)
def test_what_holds_at_a_version_is_the_newest_that_is_not_newer(version: Version) -> None:
    choices: tuple[tuple[Version, int], ...] = (((1, 30), 30), ((1, 12), 12), ((1, 0), 0))
    assert for_version(choices, version) == max(since for since in (0, 12, 30) if since <= version[1])
