"""What the first start makes, also when several workers start at once, and what later ones leave alone."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from oslo_config import cfg
from sqlalchemy import select

from moorage.db.database import Database
from moorage.identity.store.tables import project_grants, projects, roles, system_grants, users
from moorage.service.credentials import password_file
from moorage.service.identity_service import Means, ensure_administrator
from moorage.service.settings import token_file
from tests.identity.cloud import CHEAP, Cloud, named
from tests.processes import FORKS

pytestmark = pytest.mark.every_database

TABLES = (users, projects, roles, project_grants, system_grants)


def everything(database: Database) -> list[object]:
    return database.read(lambda connection: [sorted(map(repr, connection.execute(select(table)))) for table in TABLES])


def start(settings: cfg.ConfigOpts, url: str) -> None:
    """What every worker does."""
    database = Database(url)
    ensure_administrator(settings, database, Means(CHEAP))
    database.dispose()


def test_an_administrator_and_the_standard_roles_are_there(cloud: Cloud) -> None:
    assert [role["name"] for role in cloud.get("/v3/roles")["roles"]] == ["admin", "member", "reader", "service"]
    [user] = cloud.get("/v3/users")["users"]
    [project] = cloud.get("/v3/projects")["projects"]
    assert user["name"] == project["name"] == "admin"
    assert user["default_project_id"] == project["id"]
    assert cloud.with_password(named("admin"), cloud.admin_password).status_code == 201


def test_the_password_is_random_and_for_its_owner(cloud: Cloud) -> None:
    assert len(cloud.admin_password) >= 43
    assert password_file(token_file(cloud.settings)).stat().st_mode & 0o777 == 0o600


def test_workers_that_start_together_make_one_administrator(
    settings: cfg.ConfigOpts, database: Database, empty_database: str
) -> None:
    workers = [FORKS.Process(target=start, args=(settings, empty_database)) for _ in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(timeout=60)
    assert [worker.exitcode for worker in workers] == [0] * 6
    cloud = Cloud(settings, database)
    assert [len(cloud.get(f"/v3/{kind}")[kind]) for kind in ("users", "projects", "roles")] == [1, 1, 4]
    assert len(cloud.get("/v3/role_assignments")["role_assignments"]) == 3
    assert cloud.with_password(named("admin"), cloud.admin_password).status_code == 201


def test_threads_that_start_together_agree_as_well(
    settings: cfg.ConfigOpts, database: Database, empty_database: str
) -> None:
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda _: start(settings, empty_database), range(8)))
    cloud = Cloud(settings, database)
    assert cloud.with_password(named("admin"), cloud.admin_password).status_code == 201


def test_a_later_start_changes_nothing(cloud: Cloud, settings: cfg.ConfigOpts, database: Database) -> None:
    cloud.patch("/v3/users/admin", {"user": {"name": "root", "password": "chosen"}})
    cloud.member()
    before = everything(database)
    ensure_administrator(settings, database, Means(CHEAP))
    assert everything(database) == before
    assert cloud.with_password(named("root"), "chosen").status_code == 201


def test_a_later_start_brings_back_no_administrator_that_was_removed(
    cloud: Cloud, settings: cfg.ConfigOpts, database: Database
) -> None:
    mary, _ = cloud.member(role="admin")
    cloud.delete("/v3/users/admin")
    password_file(token_file(settings)).unlink()
    ensure_administrator(settings, database, Means(CHEAP))
    assert [user["id"] for user in cloud.get("/v3/users")["users"]] == [mary]


def test_who_takes_the_password_away_gets_a_new_one(cloud: Cloud, settings: cfg.ConfigOpts, database: Database) -> None:
    old = cloud.admin_password
    token = cloud.token("admin", "admin", old)
    password_file(token_file(settings)).unlink()
    new = ensure_administrator(settings, database, Means(CHEAP))
    assert new != old
    assert cloud.with_password(named("admin"), old).status_code == 401
    assert cloud.with_password(named("admin"), new).status_code == 201
    cloud.clock.pass_by(seconds=2)
    assert not cloud.is_good(token)
