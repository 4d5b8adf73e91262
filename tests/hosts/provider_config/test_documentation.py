"""What the guide says about the files is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from moorage.hosts.provider_config.building import MAX_DEPTH, MAX_VALUES
from moorage.hosts.provider_config.files import MAX_BYTES
from moorage.hosts.provider_config.validation import schema
from tests.docs.documents import REPOSITORY, Block, blocks, prose
from tests.hosts.provider_config.examples import problems, read, warnings
from tests.hosts.provider_config.test_schema_and_sample import parts

GUIDE = REPOSITORY / "docs" / "provider-config.md"


@pytest.mark.parametrize("block", blocks(GUIDE, "yaml"), ids=lambda block: f"line {block.line}")
def test_the_files_in_it_are_right(tmp_path: Path, block: Block) -> None:
    reading = read(tmp_path, "\n".join(block.lines))
    assert problems(reading) == warnings(reading) == []
    assert reading.records != ()


def test_it_names_every_field() -> None:
    fields = {key for _, part in parts(dict(schema())) for key in part.get("properties", ())}
    text = prose(GUIDE)
    assert [field for field in sorted(fields) if not re.search(rf"`([a-z_]+\.)?{field}(\.[a-z_]+)?`", text)] == []


def test_it_names_the_limits() -> None:
    limits = f"At most {MAX_BYTES // 1024**2} MiB for each file, {MAX_VALUES:,} values and {MAX_DEPTH} levels"
    assert limits in prose(GUIDE)
