"""A whole ledger in a file: JSON, packed with gzip where the name ends with .gz."""

from __future__ import annotations

import gzip
import os
import zlib
from pathlib import Path

import msgspec

from moorage.placement.model.contents import Contents
from moorage.transfer.errors import TransferRefused

_FORMAT = "moorage-ledger-1"


class _Document(msgspec.Struct, frozen=True):
    format: str
    contents: Contents


def write_file(file: Path, contents: Contents) -> None:
    """Write the file whole or not at all, for its owner alone; one that is there is refused."""
    if file.exists():
        raise TransferRefused(f"There is a file {file} already.")
    text = msgspec.json.format(msgspec.json.encode(_Document(_FORMAT, contents), order="sorted"), indent=1)
    unfinished = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
            stream.write(gzip.compress(text, mtime=0) if file.suffix == ".gz" else text)
            stream.flush()
            os.fsync(stream.fileno())
        unfinished.rename(file)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise TransferRefused(f"{file} cannot be written: {error.strerror}.") from error


def read_file(file: Path) -> Contents:
    """What `write_file` has written."""
    try:
        content = file.read_bytes()
        document = msgspec.json.decode(gzip.decompress(content) if file.suffix == ".gz" else content, type=_Document)
    except OSError as error:
        raise TransferRefused(f"{file} cannot be read: {error.strerror or error}.") from error
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, EOFError, zlib.error) as error:
        raise TransferRefused(f"{file} is no file of `moorage export file`: {error}.") from error
    if document.format != _FORMAT:
        raise TransferRefused(f"{file} has the format {document.format}; this release reads {_FORMAT}.")
    return document.contents
