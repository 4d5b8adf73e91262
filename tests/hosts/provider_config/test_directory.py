"""A directory of files: which are read, in which order, and who may have written them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from moorage.hosts.provider_config.files import MAX_BYTES, distrust
from moorage.hosts.provider_config.reading import read_directory
from tests.hosts.provider_config.examples import HEAD, entry, problems, read, warnings, write

UUID = "c0c8f4a2-8f6e-4a3f-9a51-3b1c7c0f2d10"


def named(name: str) -> str:
    return HEAD + entry(f"name: {name}")


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    place = tmp_path / "provider_config"
    place.mkdir(mode=0o755)
    place.chmod(0o755)
    return place


def write_while_reading(monkeypatch: pytest.MonkeyPatch, file: Path, contents: list[str]) -> None:
    """Each time a file is read, the next content is written meanwhile."""
    waiting = iter(contents)
    pread = os.pread

    def read_and_write(*arguments: int) -> bytes:
        data = pread(*arguments)
        if content := next(waiting, None):
            file.write_text(content)
        return data

    monkeypatch.setattr(os, "pread", read_and_write)


class TestWhichFiles:
    def test_no_directory_is_worth_a_note(self, tmp_path: Path) -> None:
        reading = read_directory(tmp_path / "missing")
        assert (reading.problems, reading.warnings, reading.records) == ((), (), ())
        assert reading.notes == (f"There is no directory {tmp_path}/missing.",)

    def test_no_files_are_worth_a_note(self, directory: Path) -> None:
        write(directory, "README", "nothing")
        reading = read_directory(directory)
        assert (reading.problems, reading.warnings, reading.records) == ((), (), ())
        assert reading.notes == (f"There are no files *.yaml in {directory}.",)

    def test_files_are_read_in_lexicographic_order(self, directory: Path) -> None:
        for name in ("b.yaml", "10-x.yaml", "9-x.yaml", "B.yaml", "a.yaml"):
            write(directory, name, named(name))
        reading = read_directory(directory)
        order = ("10-x.yaml", "9-x.yaml", "B.yaml", "a.yaml", "b.yaml")
        assert reading.files == order
        assert tuple(record.name for record in reading.records) == order
        assert tuple(record.file for record in reading.records) == order

    def test_only_yaml_files_that_are_not_hidden_are_read(self, directory: Path) -> None:
        for name in ("a.yaml", ".b.yaml", "c.yaml~", "d.yaml.bak", "e.YAML", "f.json"):
            write(directory, name, named(name))
        assert read_directory(directory).files == ("a.yaml",)

    def test_a_name_that_ends_with_yml_gives_a_warning(self, directory: Path) -> None:
        write(directory, "a.yml", "not even: [read")
        reading = read_directory(directory)
        assert (reading.problems, reading.files) == ((), ())
        assert warnings(reading) == ["a.yml: the file is ignored: its name does not end with .yaml"]

    def test_a_file_in_place_of_the_directory_is_a_problem(self, tmp_path: Path) -> None:
        file = write(tmp_path, "a.yaml", named("a"))
        assert problems(read_directory(file)) == [f"{file}: this is not a directory"]

    def test_what_is_no_file_is_a_problem(self, directory: Path) -> None:
        (directory / "a.yaml").mkdir()
        os.mkfifo(directory / "b.yaml")
        (directory / "c.yaml").symlink_to("nowhere")
        (directory / "d.yaml").symlink_to("d.yaml")
        assert problems(read_directory(directory)) == [
            "a.yaml: this is not a file",
            "b.yaml: this is not a file",
            "c.yaml: the symbolic link leads nowhere",
            "d.yaml: the file cannot be read: Too many levels of symbolic links",
        ]

    def test_symbolic_links_are_followed(self, directory: Path, tmp_path: Path) -> None:
        data = tmp_path / "data"
        data.mkdir()
        write(data, "real", named("a"))
        (directory / "a.yaml").symlink_to(data / "real")
        place = tmp_path / "link"
        place.symlink_to(directory)
        assert [record.file for record in read_directory(place).records] == ["a.yaml"]

    def test_a_giant_file_is_refused_before_it_is_read(self, directory: Path) -> None:
        with (directory / "a.yaml").open("wb") as file:
            file.truncate(10**12)
        (directory / "a.yaml").chmod(0o644)
        assert problems(read_directory(directory)) == [
            f"a.yaml: the file has 1000000000000 bytes; more than {MAX_BYTES} are not read"
        ]

    def test_a_file_of_the_largest_size_is_read(self, directory: Path) -> None:
        text = named("a")
        write(directory, "a.yaml", text + "#" * (MAX_BYTES - len(text)))
        assert len(read_directory(directory).records) == 1

    def test_a_file_that_changes_while_it_is_read_is_read_again(
        self, directory: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The first half of it, and the second half of another one, could look like a third one that is right."""
        write(directory, "a.yaml", named("old"))
        write_while_reading(monkeypatch, directory / "a.yaml", [named("new-and-longer")])
        assert [record.name for record in read_directory(directory).records] == ["new-and-longer"]

    def test_a_file_that_changes_all_the_time_cannot_be_used(
        self, directory: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write(directory, "a.yaml", named("a"))
        write_while_reading(monkeypatch, directory / "a.yaml", [named("a" * number) for number in range(2, 20)])
        assert problems(read_directory(directory)) == ["a.yaml: the file is being written while it is read"]

    def test_a_file_name_may_be_any_bytes(self, directory: Path) -> None:
        odd = os.fsdecode(b"\xff\x1b[31m.yaml")
        write(directory, odd, named("a"))
        (record,) = read_directory(directory).records
        assert record.file == "\\\\xff\\x1b[31m.yaml"

    def test_one_bad_file_keeps_all_from_being_used(self, directory: Path) -> None:
        reading = read(directory, named("a"), named("b") + "  - 3\n")
        assert reading.files == ("a.yaml", "b.yaml")
        assert [problem.file for problem in reading.problems] == ["b.yaml"]
        assert reading.records == ()


class TestDuplicates:
    @pytest.mark.parametrize(
        ("first", "second"),
        [
            ("name: a", "name: a"),
            (f"uuid: {UUID}", f"uuid: {UUID}"),
            (f"uuid: {UUID}", f"uuid: {UUID.upper()}"),
            ("uuid: $COMPUTE_NODE", "uuid: $COMPUTE_NODE"),
            ("uuid: $COMPUTE_NODE", "name: $COMPUTE_NODE"),
            (f"uuid: {UUID.upper()}", f"name: {UUID}"),
        ],
    )
    def test_the_same_provider_in_two_files_is_refused_with_both_places(
        self, directory: Path, first: str, second: str
    ) -> None:
        reading = read(directory, HEAD + entry("name: z") + entry(first), HEAD + entry(second))
        (problem,) = reading.problems
        assert (problem.file, problem.line, problem.column) == ("b.yaml", 3, 28)
        assert problem.message.endswith(" is already named in a.yaml:5:28")
        assert problem.path == f"providers[0].identification.{second[:4]}"

    def test_in_one_file_it_is_refused_as_well_every_time(self, directory: Path) -> None:
        reading = read(directory, HEAD + entry("name: a") * 3)
        assert [(problem.line, problem.message) for problem in reading.problems] == [
            (5, "'a' is already named in a.yaml:3:28"),
            (7, "'a' is already named in a.yaml:3:28"),
        ]

    def test_names_that_differ_in_case_are_different(self, directory: Path) -> None:
        assert len(read(directory, HEAD + entry("name: a") + entry("name: A")).records) == 2

    def test_an_entry_that_is_ignored_is_no_duplicate(self, directory: Path) -> None:
        reading = read(directory, HEAD + entry("name: a"), HEAD + entry("name: a", "traits: {additional: []}"))
        assert len(reading.records) == 1

    def test_an_entry_with_other_mistakes_is_a_duplicate_too(self, directory: Path) -> None:
        reading = read(directory, HEAD + entry("name: a", "traits: 3"), HEAD + entry("name: a"))
        assert [problem.file for problem in reading.problems] == ["a.yaml", "b.yaml"]


class TestPermissions:
    @pytest.mark.parametrize("mode", [0o600, 0o640, 0o644, 0o444, 0o755])
    def test_a_file_that_only_its_owner_can_write_is_used(self, directory: Path, mode: int) -> None:
        write(directory, "a.yaml", named("a")).chmod(mode)
        assert len(read_directory(directory).records) == 1

    @pytest.mark.parametrize("mode", [0o664, 0o646, 0o620, 0o666])
    def test_a_file_that_others_can_write_is_refused(self, directory: Path, mode: int) -> None:
        write(directory, "a.yaml", named("a")).chmod(mode)
        reading = read_directory(directory)
        complaint = f"others than the owner can write this (mode {mode:04o}); run chmod go-w"
        assert problems(reading) == [f"a.yaml: {complaint}"]
        assert reading.records == ()

        lenient = read_directory(directory, strict_permissions=False)
        assert warnings(lenient) == [f"a.yaml: {complaint}"]
        assert (len(lenient.records), lenient.problems) == (1, ())

    def test_a_directory_that_others_can_write_is_refused(self, directory: Path) -> None:
        write(directory, "a.yaml", named("a"))
        directory.chmod(0o777)
        complaint = f"{directory}: others than the owner can write this (mode 0777); run chmod go-w"
        assert problems(read_directory(directory)) == [complaint]
        assert warnings(read_directory(directory, strict_permissions=False)) == [complaint]

    def test_what_a_link_leads_to_counts_and_not_the_link(self, directory: Path, tmp_path: Path) -> None:
        write(tmp_path, "target", named("a")).chmod(0o666)
        (directory / "a.yaml").symlink_to(tmp_path / "target")
        assert ["mode 0666" in problem for problem in problems(read_directory(directory))] == [True]

    def test_other_problems_of_a_refused_file_are_told_too(self, directory: Path) -> None:
        write(directory, "a.yaml", "meta: 1\n").chmod(0o666)
        assert [problem.message[:6] for problem in read_directory(directory).problems] == ["others", "1 is a"]

    @pytest.mark.parametrize(
        ("owner", "own_uid", "is_trusted"),
        [(0, 0, True), (0, 1000, True), (1000, 1000, True), (1001, 1000, False), (1000, 0, False)],
    )
    def test_files_belong_to_root_or_to_the_user_of_the_process(
        self,
        owner: int,
        own_uid: int,
        is_trusted: bool,
    ) -> None:
        status = os.stat_result((0o100644, 1, 1, 1, owner, 0, 0, 0, 0, 0))
        reason = distrust(status, own_uid)
        assert (reason is None) is is_trusted
        if reason:
            assert f"belongs to the user {owner}" in reason
            assert f"user {own_uid} of this process" in reason

    def test_a_directory_and_files_of_somebody_else_are_refused(self, directory: Path) -> None:
        """Seen from another process, or, as root's files are everybody's, after they have been given away."""
        file = write(directory, "a.yaml", named("a"))
        own_uid = os.geteuid() + 1
        if os.geteuid() == 0:
            os.chown(file, 65534, -1)
            os.chown(directory, 65534, -1)
        reading = read_directory(directory, own_uid=own_uid)
        assert [problem.file for problem in reading.problems] == [str(directory), "a.yaml"]
        assert all("belongs to the user" in problem.message for problem in reading.problems)
        assert len(read_directory(directory, own_uid=own_uid, strict_permissions=False).records) == 1
