"""The admin token and the administrator's password: made once, for their owner's eyes only."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import yaml

from moorage.service.credentials import (
    PasswordLogin,
    TokenLogin,
    clouds_file,
    ensure_password,
    ensure_token,
    password_file,
    read_token,
    write_clouds_file,
)
from moorage.service.errors import OperatorError


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "state" / "admin-token"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_first_start_makes_a_secret_only_its_owner_can_read(file: Path) -> None:
    token = ensure_token(file)
    assert len(token) >= 43
    assert mode(file) == 0o600
    assert mode(file.parent) == 0o700
    assert list(file.parent.iterdir()) == [file]


def test_later_starts_keep_it(file: Path) -> None:
    assert ensure_token(file) == ensure_token(file) == read_token(file)


def test_processes_that_start_together_agree(file: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        assert len(set(threads.map(ensure_token, [file] * 32))) == 1


@pytest.mark.parametrize("permissions", [0o640, 0o604, 0o620, 0o666])
def test_a_file_that_others_can_reach_is_refused(file: Path, permissions: int) -> None:
    token = ensure_token(file)
    file.chmod(permissions)
    with pytest.raises(OperatorError, match=f"chmod 600 {file}") as caught:
        ensure_token(file)
    assert token not in str(caught.value)


def test_an_empty_file_is_refused(file: Path) -> None:
    ensure_token(file)
    file.write_text("\n")
    with pytest.raises(OperatorError, match="delete it"):
        ensure_token(file)


def test_a_missing_file_is_named(file: Path) -> None:
    with pytest.raises(OperatorError, match=f"no admin token in {file}"):
        read_token(file)


def test_a_directory_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where the directory should be")
    with pytest.raises(OperatorError, match="state_path"):
        ensure_token(tmp_path / "state" / "deeper" / "admin-token")


def test_a_password_is_made_once_and_its_maker_knows(file: Path) -> None:
    passwords = password_file(file)
    password, is_new = ensure_password(passwords)
    assert is_new
    assert len(password) >= 43
    assert mode(passwords) == 0o600
    assert passwords.parent == file.parent
    assert ensure_password(passwords) == (password, False)


def test_of_many_who_start_together_one_makes_the_password(file: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        made = list(threads.map(ensure_password, [password_file(file)] * 32))
    assert len({password for password, _ in made}) == 1
    assert [is_new for _, is_new in made].count(True) == 1


def test_a_password_that_others_can_read_is_refused(file: Path) -> None:
    password, _ = ensure_password(password_file(file))
    password_file(file).chmod(0o644)
    with pytest.raises(OperatorError, match="chmod 600") as caught:
        ensure_password(password_file(file))
    assert password not in str(caught.value)


def test_the_clouds_file_is_private_and_follows_address_and_password(file: Path) -> None:
    clouds = clouds_file(file)
    ensure_token(file)
    write_clouds_file(clouds, "http://127.0.0.1:8778", PasswordLogin('"\\: #', "north"))
    assert clouds.name == "clouds.yaml"
    assert mode(clouds) == 0o600
    cloud = yaml.safe_load(clouds.read_text())["clouds"]["moorage"]
    assert cloud["auth_type"] == "password"
    assert cloud["region_name"] == "north"
    assert cloud["auth"] == {
        "auth_url": "http://127.0.0.1:8778/identity/v3",
        "username": "admin",
        "password": '"\\: #',
        "project_name": "admin",
        "user_domain_id": "default",
        "project_domain_id": "default",
    }

    write_clouds_file(clouds, "http://127.0.0.1:9999", PasswordLogin("other", "north"))
    assert "9999" in clouds.read_text()
    assert "other" in clouds.read_text()
    assert mode(clouds) == 0o600


def test_without_an_identity_service_the_clouds_file_has_the_token(file: Path) -> None:
    token = ensure_token(file)
    write_clouds_file(clouds_file(file), "http://127.0.0.1:8778", TokenLogin(token))
    cloud = yaml.safe_load(clouds_file(file).read_text())["clouds"]["moorage"]
    assert cloud["auth_type"] == "admin_token"
    assert cloud["auth"] == {"endpoint": "http://127.0.0.1:8778/placement", "token": token}


def test_a_clouds_file_that_is_right_is_left_alone(file: Path) -> None:
    ensure_token(file)
    write_clouds_file(clouds_file(file), "http://127.0.0.1:8778", TokenLogin("secret"))
    before = clouds_file(file).stat().st_ino
    write_clouds_file(clouds_file(file), "http://127.0.0.1:8778", TokenLogin("secret"))
    assert clouds_file(file).stat().st_ino == before
