"""Files of a ledger that nobody can read: each is refused in a sentence."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from moorage.transfer.errors import TransferRefused
from moorage.transfer.file import read_file

WHOLE = gzip.compress(b"{}" * 1000, mtime=0)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("ledger.json", b"{"),
        ("ledger.json", b'{"format": "\xff"}'),
        ("ledger.json", b'{"a":' * 100_000),
        ("ledger.json.gz", WHOLE[:-20]),
        ("ledger.json.gz", WHOLE[:12] + b"\xff\xff\xff" + WHOLE[15:]),
        ("ledger.json.gz", b"no gzip at all"),
    ],
    ids=["cut off", "no UTF-8", "nested without end", "cut off gzip", "damaged gzip", "no gzip"],
)
def test_a_damaged_file_is_refused_in_a_sentence(tmp_path: Path, name: str, content: bytes) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises(TransferRefused, match=name):
        read_file(file)
