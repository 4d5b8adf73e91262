"""The small parts that an agent is made of."""

from __future__ import annotations

import logging
import os
import signal
import socket
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from moorage.hosts.agent.complaints import Complaints
from moorage.hosts.agent.grouping import independent_groups
from moorage.hosts.agent.interruption import Interruption, Stopped, interruptible
from moorage.hosts.agent.notices import READY, notify, status
from moorage.hosts.agent.parallel import in_parallel
from moorage.hosts.agent.watching import Look, Watch
from moorage.hosts.provider_tree import Provider, ProviderTree


def noticed(watch: Watch) -> bool:
    """A change counts when it has come to rest."""
    return watch.look() is Look.MOVING and watch.look() is Look.CHANGED


class TestWatching:
    def test_every_kind_of_change_is_noticed_once(self, tmp_path: Path) -> None:
        watch = Watch([tmp_path])
        file = tmp_path / "a.yaml"
        changes: list[Callable[[], object]] = [
            lambda: file.write_text("a"),
            lambda: file.write_text("longer"),
            lambda: file.rename(tmp_path / "b.yaml"),
            lambda: (tmp_path / "b.yaml").write_text("c"),
            (tmp_path / "b.yaml").unlink,
        ]
        for change in changes:
            assert watch.look() is Look.SAME
            change()
            assert noticed(watch)
        assert watch.look() is Look.SAME

    def test_what_is_still_being_written_is_waited_for(self, tmp_path: Path) -> None:
        watch = Watch([tmp_path])
        with (tmp_path / "a.yaml").open("w") as file:
            for _ in range(3):
                print("more", file=file, flush=True)
                assert watch.look() is Look.MOVING
        assert watch.look() is Look.CHANGED

    def test_a_file_by_itself_and_one_that_is_not_there_yet(self, tmp_path: Path) -> None:
        directory, file = tmp_path / "directory", tmp_path / "file"
        watch = Watch([directory, file])
        assert watch.look() is Look.SAME
        file.write_text("a")
        assert noticed(watch)
        directory.mkdir()
        (directory / "a.yaml").write_text("a")
        assert noticed(watch)

    def test_a_directory_that_is_swapped_for_another_one(self, tmp_path: Path) -> None:
        for name in ("old", "new"):
            (tmp_path / name).mkdir()
            (tmp_path / name / "a.yaml").write_text("a")
        link = tmp_path / "link"
        link.symlink_to("old")
        watch = Watch([link])
        (tmp_path / "next").symlink_to("new")
        (tmp_path / "next").rename(link)
        assert noticed(watch)


class TestComplaints:
    def test_what_is_wrong_is_said_when_it_begins_and_when_it_is_over(self, caplog: pytest.LogCaptureFixture) -> None:
        complaints = Complaints()
        with caplog.at_level(logging.INFO, logger="moorage"):
            for sentences in (["a"], ["a"], ["a", "b"], ["b"], [], ["a"]):
                complaints.say(sentences)
        assert [(record.levelname, record.message) for record in caplog.records] == [
            ("WARNING", "a"),
            ("WARNING", "b"),
            ("INFO", "This is over: a"),
            ("INFO", "This is over: b"),
            ("WARNING", "a"),
        ]

    def test_a_thousand_of_the_same_kind_are_cut_short(self, caplog: pytest.LogCaptureFixture) -> None:
        with caplog.at_level(logging.INFO, logger="moorage"):
            Complaints().say(f"node-{number}" for number in range(1000))
        assert len(caplog.records) == 21
        assert caplog.records[-1].message == "and 980 more like these."


class TestNotices:
    @pytest.mark.parametrize("abstract", [False, True])
    def test_they_reach_the_socket(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, abstract: bool) -> None:
        name = f"@moorage-test-{os.getpid()}" if abstract else str(tmp_path / "notify")
        monkeypatch.setenv("NOTIFY_SOCKET", name)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as supervisor:
            supervisor.bind(name.replace("@", "\0") if abstract else name)
            notify(READY, status("In step."))
            assert supervisor.recv(100) == b"READY=1\nSTATUS=In step."

    def test_nobody_needs_to_listen(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nobody"))
        notify(READY)
        monkeypatch.delenv("NOTIFY_SOCKET")
        notify(READY)


class TestInterruption:
    def test_signals(self) -> None:
        before = signal.getsignal(signal.SIGHUP)
        with interruptible() as interruption:
            assert not interruption.hurried()
            os.kill(os.getpid(), signal.SIGHUP)
            interruption.wait(60)
            assert interruption.hurried()
            assert not interruption.hurried()
            os.kill(os.getpid(), signal.SIGTERM)
            with pytest.raises(Stopped):
                interruption.wait(60)
            with pytest.raises(Stopped):
                interruption.require_going_on()
        assert signal.getsignal(signal.SIGHUP) == before

    def test_time_passes(self) -> None:
        Interruption().wait(0)


class TestWorkingInParallel:
    def test_results_come_in_order(self) -> None:
        with ThreadPoolExecutor(4) as workers:
            assert in_parallel(workers, str, range(100)) == [str(number) for number in range(100)]

    def test_nothing_is_begun_after_a_failure_and_what_was_begun_is_over(self) -> None:
        begun: list[int] = []
        over: list[int] = []
        failed = Event()

        def work(number: int) -> None:
            begun.append(number)
            if number == 1:
                failed.set()
                raise ZeroDivisionError
            failed.wait()
            time.sleep(0.001)  # as a request would: a thousand that take no time are over before anybody is told
            over.append(number)

        with ThreadPoolExecutor(2) as workers, pytest.raises(ZeroDivisionError):
            in_parallel(workers, work, range(1000))
        assert len(begun) < 1000
        assert sorted({*over, 1}) == sorted(begun)


class TestIndependentGroups:
    def test_trees_are_independent_unless_something_moves_between_them(self) -> None:
        old = ProviderTree([Provider("a", "A"), Provider("b", "B"), Provider("c", "C"), Provider("d", "D", "a")])
        assert independent_groups("abcd", old, old) == [["a", "d"], ["b"], ["c"]]
        new = ProviderTree([Provider("a", "A"), Provider("b", "B"), Provider("c", "C"), Provider("d", "D", "b")])
        assert independent_groups("abcd", old, new) == [["a", "b", "d"], ["c"]]
        assert independent_groups("bca", old, new) == [["b"], ["c"], ["a"]]

    def test_whoever_waits_for_a_name_is_not_independent(self) -> None:
        old = ProviderTree([Provider("a", "A"), Provider("b", "B"), Provider("c", "C")])
        new = ProviderTree([Provider("a", "B"), Provider("b", "A"), Provider("c", "C")])
        assert independent_groups("abc", old, new) == [["a", "b"], ["c"]]
        assert independent_groups("ax", old, ProviderTree([Provider("x", "A")])) == [["a", "x"]]
