"""What an agent remembers between its runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from moorage.hosts.agent.memory import Memory, alone
from moorage.hosts.agent.refusal import AgentRefuses
from moorage.placement.model.origin import Origin

LINUX, FILE = "driver:linux", "file:10-cache.yaml"
ORIGIN = Origin("host", made=True, inventories={"CUSTOM_LLC": FILE}, traits={"HW_CPU_X86_AVX2": LINUX})


def test_it_is_on_the_disk(tmp_path: Path) -> None:
    file = tmp_path / "memory.json"
    assert Memory(file).origins == {}
    Memory(file).save({"a": ORIGIN, "b": Origin("host")})
    assert Memory(file).origins == {"a": ORIGIN, "b": Origin("host")}
    Memory(file).save({"b": Origin("host")})
    assert Memory(file).origins == {"b": Origin("host")}


def test_only_its_owner_can_read_it(tmp_path: Path) -> None:
    Memory(tmp_path / "memory.json").save({"a": ORIGIN})
    assert (tmp_path / "memory.json").stat().st_mode & 0o777 == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["memory.json"]


def test_what_has_not_changed_is_not_written(tmp_path: Path) -> None:
    file = tmp_path / "memory.json"
    memory = Memory(file)
    memory.save({"a": ORIGIN})
    before = file.stat().st_ino
    memory.save({"a": ORIGIN})
    assert file.stat().st_ino == before


def test_what_a_killed_agent_left_half_written_does_no_harm(tmp_path: Path) -> None:
    file = tmp_path / "memory.json"
    Memory(file).save({"a": ORIGIN})
    (tmp_path / "memory.json.new").write_text('{"version": 1, "orig')
    assert Memory(file).origins == {"a": ORIGIN}
    Memory(file).save({})
    assert Memory(file).origins == {}


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"version": 1, "origins": {"a": {}}}', '{"origins": {}}', "\0\0\0"]
)
def test_a_damaged_file_is_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "memory.json"
    file.write_text(content)
    with pytest.raises(
        AgentRefuses, match=f"^The file {file}, in which the agent remembers .* cannot be read: .* delete"
    ):
        Memory(file)


def test_a_file_of_another_version_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "memory.json"
    file.write_text('{"version": 2, "origins": {}}')
    with pytest.raises(AgentRefuses, match=r"has version 2, and this agent reads version 1\.$"):
        Memory(file)


def test_a_directory_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "missing" / "memory.json")
    with pytest.raises(AgentRefuses, match=r"cannot be written: No such file or directory"):
        memory.save({"a": ORIGIN})


def test_one_agent_for_each_directory(tmp_path: Path) -> None:
    directory = tmp_path / "state" / "agent"
    with alone(directory):
        assert directory.stat().st_mode & 0o777 == 0o700
        with pytest.raises(AgentRefuses, match=r"^Another agent runs with the state directory"), alone(directory):
            pytest.fail("two agents at once")
    with alone(directory):
        pass


def test_a_directory_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(AgentRefuses, match=r"cannot be used: Not a directory"), alone(tmp_path / "file" / "agent"):
        pytest.fail("there is nowhere to write")
