"""Database servers: one for OpenStack, and one for Moorage, so that a test can take the one away without the other."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess

import pymysql

from tests.openstack.cloud.programs import Programs
from tests.openstack.cloud.site import ADDRESS, PASSWORD, Site

NAME = "mariadb"
OURS = "moorage-mariadb"
CONNECTIONS = 500


def start(programs: Programs, name: str = NAME) -> None:
    """Start a server; its folder is made when it is not there."""
    site = programs.site
    data, socket = site.home / name, site.home / f"{name}.sock"
    is_new = not data.exists()
    if is_new:
        programs.run(
            "mariadb-install-db",
            [
                _program("mariadb-install-db"), "--no-defaults", f"--user={_user()}", f"--datadir={data}",
                "--skip-test-db", "--auth-root-authentication-method=normal", "--skip-name-resolve",
            ],
        )  # fmt: skip
    programs.start(
        name,
        [
            _program("mariadbd"), "--no-defaults", f"--user={_user()}", f"--datadir={data}",
            f"--port={site.ports[name]}", f"--bind-address={ADDRESS}", f"--socket={socket}", "--skip-name-resolve",
            "--skip-log-bin", f"--max-connections={CONNECTIONS}", "--innodb-flush-log-at-trx-commit=0",
            "--innodb-buffer-pool-size=256M",
        ],
    )  # fmt: skip
    programs.await_that(name, lambda: _answers(str(socket), "" if is_new else PASSWORD))
    if is_new:
        _execute(pymysql.connect(unix_socket=str(socket), user="root"), _ACCOUNT)


def create_database(site: Site, name: str, charset: str = "utf8mb3", server: str = NAME) -> None:
    """Make an empty database."""
    connection = pymysql.connect(host=ADDRESS, port=site.ports[server], user="root", password=PASSWORD)
    _execute(connection, [f"CREATE DATABASE {name} CHARACTER SET {charset}"])


_ACCOUNT = [
    f"CREATE OR REPLACE USER root@'{ADDRESS}' IDENTIFIED BY '{PASSWORD}'",
    f"GRANT ALL PRIVILEGES ON *.* TO root@'{ADDRESS}' WITH GRANT OPTION",
    f"ALTER USER root@localhost IDENTIFIED BY '{PASSWORD}'",
]


def _execute(connection: pymysql.Connection[pymysql.cursors.Cursor], statements: list[str]) -> None:
    with connection, connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def _answers(socket: str, password: str) -> bool:
    ping = [
        _program("mariadb-admin"),
        "--no-defaults",
        "--user=root",
        f"--password={password}",
        f"--socket={socket}",
        "ping",
    ]
    return subprocess.run(ping, capture_output=True, check=False).returncode == 0


def _user() -> str:
    """Who runs this: the servers refuse to become somebody else, whoever that is by the environment."""
    return pwd.getpwuid(os.geteuid()).pw_name


def _program(name: str) -> str:
    found = shutil.which(name, path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")
    assert found is not None, f"{name} is not installed"
    return found
