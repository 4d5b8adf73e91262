"""Pages behave as a list that is copied at every change, and share what did not change."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from moorage.placement.index.pages import Pages
from tests.properties import effort

Item = str | None

# Around one and two pages, which have 256 items each.
LENGTHS = st.one_of(st.integers(0, 3), st.integers(250, 260), st.integers(505, 520))


@st.composite
def changes(draw: st.DrawFn, length: int) -> dict[int, Item]:
    """Some items replaced, and some behind the end."""
    items = st.sampled_from(["a", "b", None])
    replaced = draw(st.dictionaries(st.integers(0, length - 1), items, max_size=5)) if length else {}
    appended = draw(st.lists(items, max_size=draw(st.sampled_from([0, 3, 300]))))
    return {**dict(enumerate(appended, start=length)), **replaced}


@effort(60)
@given(st.data())
def test_pages_are_what_a_copied_list_is(data: st.DataObject) -> None:
    plain: list[Item] = [str(number) for number in range(data.draw(LENGTHS))]
    pages = Pages(plain)
    versions = [(pages, list(plain))]
    for _ in range(data.draw(st.integers(1, 4))):
        changed = data.draw(changes(len(plain)))
        for index in sorted(changed):
            plain[index : index + 1] = [changed[index]]
        pages = pages.replaced(changed)
        versions.append((pages, list(plain)))
    for version, expected in versions:  # the old ones as well
        assert list(version) == expected
        assert len(version) == len(expected)
        assert [version[index] for index in range(len(expected))] == expected


def test_untouched_pages_are_shared() -> None:
    old = Pages(range(1000))
    new = old.replaced({300: -1})
    assert [before is after for before, after in zip(old._pages, new._pages, strict=True)] == [True, False, True, True]
