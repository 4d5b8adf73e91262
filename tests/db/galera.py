"""Two nodes of a Galera cluster on this machine: MariaDB as those run it who want to lose a server and go on.

A node shows what another one has committed only when it has applied it, a moment later. That moment is what the tests
are about, and no single server has it.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pymysql

from bench.service import free_port
from tests.patience import eventually

PROVIDER = Path("/usr/lib/galera/libgalera_smm.so")
ADMINISTRATION = "/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin"


@contextlib.contextmanager
def cluster() -> Iterator[tuple[str, str]]:
    """The URLs of an empty database, as each of the two nodes has it; the nodes are stopped at the end."""
    with tempfile.TemporaryDirectory(prefix="moorage-galera-") as directory, contextlib.ExitStack() as running:
        home = Path(directory)
        shutil.chown(home, _user())
        group = free_port()
        first = running.enter_context(_node(home / "first", group, "gcomm://", "--wsrep-new-cluster"))
        second = running.enter_context(_node(home / "second", free_port(), f"gcomm://127.0.0.1:{group}"))
        with pymysql.connect(host="127.0.0.1", port=first, user="root") as connection:
            connection.cursor().execute("CREATE DATABASE moorage")
        yield _url(first), _url(second)


def _url(port: int) -> str:
    return f"mariadb+pymysql://root@127.0.0.1:{port}/moorage?charset=utf8mb4"


def _user() -> str:
    """Who runs the nodes: they refuse root."""
    return "mysql" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name


@contextlib.contextmanager
def _node(home: Path, group_port: int, members: str, *options: str) -> Iterator[int]:
    """Run one node, which joins these members, and give the port for clients once it has all that they have."""
    home.mkdir()
    shutil.chown(home, _user())
    port = free_port()
    identity: dict[str, Any] = {"user": _user(), "group": _user(), "extra_groups": []} if os.geteuid() == 0 else {}
    subprocess.run(
        [_program("mariadb-install-db"), "--no-defaults", f"--datadir={home}/data", "--skip-test-db",
         "--auth-root-authentication-method=normal", "--skip-name-resolve"],
        cwd=home, check=True, capture_output=True, **identity,
    )  # fmt: skip
    provider_options = f"gmcast.listen_addr=tcp://127.0.0.1:{group_port};ist.recv_addr=127.0.0.1:{free_port()}"
    with (home / "log").open("wb") as log:
        process = subprocess.Popen(
            [_program("mariadbd"), "--no-defaults", f"--datadir={home}/data", f"--port={port}",
             f"--socket={home}/socket", f"--pid-file={home}/pid", "--bind-address=127.0.0.1", "--skip-name-resolve",
             "--character-set-server=utf8mb4", "--innodb-flush-log-at-trx-commit=0",
             # What Galera asks for, and where it is.
             "--binlog-format=ROW", "--innodb-autoinc-lock-mode=2", "--wsrep-on=ON", f"--wsrep-provider={PROVIDER}",
             f"--wsrep-cluster-address={members}", "--wsrep-node-address=127.0.0.1",
             f"--wsrep-provider-options={provider_options}",
             "--wsrep-sst-method=rsync", f"--wsrep-sst-receive-address=127.0.0.1:{free_port()}", *options],
            cwd=home, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, **identity,
        )  # fmt: skip
    try:

        def is_whole() -> bool:
            assert process.poll() is None, (home / "log").read_text(errors="replace")
            return _state(port) == "Synced"

        eventually(is_whole, "a node of the cluster")
        yield port
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _program(name: str) -> str:
    found = shutil.which(name, path=ADMINISTRATION)
    assert found, f"there is no {name}: run the tests through tools/with-test-databases"
    return found


def _state(port: int) -> str | None:
    """What a node thinks of itself, or None where it does not answer yet."""
    try:
        with pymysql.connect(host="127.0.0.1", port=port, user="root") as connection, connection.cursor() as cursor:
            cursor.execute("SHOW STATUS LIKE 'wsrep_local_state_comment'")
            row = cursor.fetchone()
    except pymysql.MySQLError:
        return None
    return row[1] if row else None
