"""Names and UUIDs of hosts and nodes."""

from __future__ import annotations

import os
import socket
import stat
import threading
import uuid
from pathlib import Path

import pytest

from moorage.hosts.drivers.driver import DriverError
from moorage.hosts.drivers.identity import NODE_UUID_FILE, host_name, nested_uuid, node_uuid
from moorage.service.settings import load_settings

PROVIDED = "0a1b2c3d-4e5f-4678-9abc-def012345678"


@pytest.mark.usefixtures("installation")
def test_the_host_is_called_what_the_settings_say_or_else_the_kernel() -> None:
    assert host_name(load_settings()) == socket.gethostname()
    assert host_name(load_settings({"agent.host": "compute-7.example.org"})) == "compute-7.example.org"


def test_a_uuid_is_made_once_and_kept(tmp_path: Path) -> None:
    state = tmp_path / "state" / "moorage"
    first = node_uuid(state)
    assert uuid.UUID(first).version == 4
    assert node_uuid(state) == first
    assert node_uuid(tmp_path / "another") != first


def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        node_uuid(tmp_path / "state")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "state").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "state" / NODE_UUID_FILE).stat().st_mode) == 0o600
    assert [file.name for file in (tmp_path / "state").iterdir()] == [NODE_UUID_FILE]


def test_a_uuid_that_is_provided_beforehand_is_used(tmp_path: Path) -> None:
    (tmp_path / NODE_UUID_FILE).write_text(f"  {PROVIDED.upper()}\n")
    assert node_uuid(tmp_path) == PROVIDED


def test_all_who_ask_at_the_same_time_get_the_same(tmp_path: Path) -> None:
    answers: list[str] = []
    start = threading.Barrier(8)

    def ask() -> None:
        start.wait()
        answers.append(node_uuid(tmp_path / "state"))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 8
    assert len(set(answers)) == 1


@pytest.mark.parametrize("content", [b"", b"compute-7", b"\xff\xfe", b"0a1b2c3d\n" * 1000])
def test_a_broken_file_is_not_replaced(tmp_path: Path, content: bytes) -> None:
    """A new UUID would be a new node, and the old one with all its servers would be nobody's."""
    file = tmp_path / NODE_UUID_FILE
    file.write_bytes(content)
    with pytest.raises(DriverError, match=str(file)) as caught:
        node_uuid(tmp_path)
    assert len(str(caught.value)) < 500
    assert file.read_bytes() == content


def test_a_directory_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DriverError, match="cannot be read or made"):
        node_uuid(tmp_path / "file" / "state")


def test_parts_of_a_node_have_uuids_of_their_own() -> None:
    found = {nested_uuid(node, part) for node in (PROVIDED, str(uuid.uuid4())) for part in ("numa0", "0000:17:00.0")}
    assert len(found) == 4
    assert nested_uuid(PROVIDED, "numa0") == nested_uuid(PROVIDED, "numa0")
