"""The admin token: made once, for its owner's eyes only."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import yaml

from moorage.service.credentials import clouds_file, ensure_token, read_token, write_clouds_file
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


def test_the_clouds_file_is_private_and_follows_address_and_token(file: Path) -> None:
    clouds = clouds_file(file)
    token = ensure_token(file)
    write_clouds_file(clouds, "http://127.0.0.1:8778/placement", token)
    assert clouds.name == "clouds.yaml"
    assert mode(clouds) == 0o600
    cloud = yaml.safe_load(clouds.read_text())["clouds"]["moorage"]
    assert cloud["auth"] == {"endpoint": "http://127.0.0.1:8778/placement", "token": token}

    write_clouds_file(clouds, "http://127.0.0.1:9999/placement", token)
    assert "9999" in clouds.read_text()
    assert mode(clouds) == 0o600


def test_a_clouds_file_that_is_right_is_left_alone(file: Path) -> None:
    ensure_token(file)
    write_clouds_file(clouds_file(file), "http://127.0.0.1:8778/placement", "secret")
    before = clouds_file(file).stat().st_ino
    write_clouds_file(clouds_file(file), "http://127.0.0.1:8778/placement", "secret")
    assert clouds_file(file).stat().st_ino == before
