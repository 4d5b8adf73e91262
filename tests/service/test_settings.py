"""Where settings come from, which one wins, and what is said about wrong ones."""

from __future__ import annotations

import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from moorage.service.errors import OperatorError
from moorage.service.settings import (
    CONFIG_VARIABLE,
    database_url,
    environment_variable,
    list_options,
    load_settings,
    token_file,
    unknown_options,
)

REPOSITORY = Path(__file__).parent.parent.parent

pytestmark = pytest.mark.usefixtures("installation")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "given.conf"
    path.write_text("[database]\nmax_pool_size = 3\n[placement]\nrandomize_allocation_candidates = true\n")
    return path


def test_defaults_live_in_the_users_data_directory(installation: Path) -> None:
    settings = load_settings()
    assert database_url(settings) == f"sqlite:///{installation}/moorage.sqlite"
    assert token_file(settings) == installation / "admin-token"
    assert settings.api.auth_strategy == "token"


def test_what_is_derived_from_the_state_path_follows_it() -> None:
    settings = load_settings({"DEFAULT.state_path": "/var/lib/moorage"})
    assert settings.database.connection == "sqlite:////var/lib/moorage/moorage.sqlite"
    assert settings.token.file == "/var/lib/moorage/admin-token"


def test_a_file_is_read(file: Path) -> None:
    settings = load_settings(config_files=[str(file)])
    assert settings.database.max_pool_size == 3
    assert settings.placement.randomize_allocation_candidates is True


def test_the_environment_may_name_the_files(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CONFIG_VARIABLE, str(file))
    assert load_settings().database.max_pool_size == 3


def test_the_environment_wins_over_files_and_overrides_over_both(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OS_DATABASE__MAX_POOL_SIZE", "5")
    assert load_settings(config_files=[str(file)]).database.max_pool_size == 5
    assert load_settings({"database.max_pool_size": 7}, [str(file)]).database.max_pool_size == 7


def test_settings_do_not_share_anything() -> None:
    first, second = load_settings({"database.max_retries": 1}), load_settings()
    assert (first.database.max_retries, second.database.max_retries) == (1, 10)


def test_a_password_with_a_dollar_sign_reaches_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    url = "postgresql+psycopg://moorage:pa$$w$rd@db/moorage"
    monkeypatch.setenv(*environment_variable("database.connection", url))
    assert database_url(load_settings()) == url


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("[database]\nmax_pool_size = many\n", "max_pool_size"),
        ("[database]\nmax_pool_size = 0\n", "max_pool_size"),
        ("[api]\nauth_strategy = trust\n", "auth_strategy"),
        ("[database\n", "given.conf:1"),
    ],
)
def test_a_mistake_in_a_file_is_explained(file: Path, content: str, complaint: str) -> None:
    file.write_text(content)
    with pytest.raises(OperatorError, match=complaint) as caught:
        load_settings(config_files=[str(file)])
    assert str(file) in str(caught.value)
    assert "LocationInfo" not in str(caught.value)


def test_a_missing_file_is_named() -> None:
    with pytest.raises(OperatorError, match="no configuration file /nowhere"):
        load_settings(config_files=["/nowhere"])


def test_an_error_shows_no_part_of_a_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OS_DATABASE__CONNECTION", "postgresql+psycopg://moorage:$ecret@db/moorage")
    with pytest.raises(OperatorError, match="dollar sign") as caught:
        load_settings()
    assert "ecret" not in str(caught.value)


def test_misspelt_options_are_found(file: Path) -> None:
    file.write_text("[DEFAULT]\ndebug = 1\n[database]\nconection = x\n[keystone_authtoken]\nusername = moorage\n")
    assert unknown_options(load_settings(config_files=[str(file)])) == ["[database] conection"]


def test_keystones_options_are_there_when_keystone_is_used() -> None:
    settings = load_settings({"api.auth_strategy": "keystone"})
    assert settings.keystone_authtoken.service_token_roles_required is True
    assert "keystone_authtoken" not in load_settings()


def test_oslo_configs_generator_finds_the_list() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    [(name, value)] = project["entry-points"]["oslo.config.opts"].items()
    assert name == "moorage"
    assert EntryPoint(name, value, "oslo.config.opts").load() is list_options


def test_every_option_is_listed_and_explained() -> None:
    options = {(group, option.name): option for group, options in list_options() for option in options}
    assert {group for group, _ in options} == {
        "DEFAULT",
        "agent",
        "api",
        "compute",
        "compute_client",
        "cors",
        "database",
        "identity",
        "image_client",
        "keystone_authtoken",
        "libvirt",
        "liquid",
        "oslo_middleware",
        "oslo_policy",
        "placement",
        "placement_client",
        "quota",
        "reservation",
        "reservation_client",
        "scheduler",
        "static",
        "token",
        "volume_client",
    }
    assert [key for key, option in options.items() if not option.help] == []
    assert options["database", "connection"].secret
