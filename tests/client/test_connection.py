"""Which service the settings lead to, with which credential, and what is said about settings that lead nowhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from oslo_config import cfg

from moorage.client.connection import (
    client_from_settings,
    compute_client_from_settings,
    image_client_from_settings,
    volume_client_from_settings,
)
from moorage.client.errors import Unauthorized, Unavailable
from moorage.client.options import LOCAL_ENDPOINT, PLACEMENT
from moorage.client.placement import PlacementClient
from moorage.service.credentials import ensure_token
from moorage.service.errors import OperatorError
from moorage.service.settings import load_settings, unknown_options
from tests.client.certificates import make_certificate
from tests.client.echo import echo, guarded
from tests.client.identity import PASSWORD, SECRET, Identity
from tests.client.serving import serving
from tests.clients.running_service import RunningService

Given = dict[str, object]


@pytest.fixture(autouse=True)
def state(installation: Path) -> Path:
    """The state directory of a machine on which nothing is configured."""
    return installation


def settings(tmp_path: Path, **given: object) -> cfg.ConfigOpts:
    """What a configuration file with this group says."""
    file = tmp_path / "client.conf"
    lines = ["[placement_client]", *(f"{name} = {value}" for name, value in given.items())]
    file.write_text("\n".join(lines))
    return load_settings(config_files=[str(file)])


def client(tmp_path: Path, **given: object) -> PlacementClient:
    return client_from_settings(settings(tmp_path, **given))


def token_sent(tmp_path: Path, **given: object) -> str:
    """With which token the service is asked."""
    sent: str = client(tmp_path, **given).allocation_candidates([])["headers"]["x-auth-token"]
    return sent


# --- the Moorage of this machine


def test_without_settings_it_is_the_moorage_of_this_machine(
    service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = replace(PLACEMENT, local_endpoint=service.placement)
    monkeypatch.setattr("moorage.client.connection.PLACEMENT", here)
    loaded = load_settings({"token.file": str(service.token_file)}, [])
    assert client_from_settings(loaded).is_moorage()


def test_its_address_is_the_one_that_serve_has() -> None:
    assert LOCAL_ENDPOINT == "http://127.0.0.1:8778/placement"


def test_there_must_be_a_token(tmp_path: Path, state: Path) -> None:
    with pytest.raises(OperatorError, match=rf"^There is no admin token in {state}/admin-token"):
        client(tmp_path)


def test_the_token_is_sent_to_no_other_machine(tmp_path: Path, state: Path) -> None:
    ensure_token(state / "admin-token")
    for host in ("placement.example.org", "192.0.2.1", "127.0.0.1.example.org", "[2001:db8::1]"):
        with pytest.raises(OperatorError, match=r"^\[placement_client\] auth_type is not set, .* is not sent to"):
            client(tmp_path, endpoint_override=f"http://{host}:8778/placement")
    for host in ("localhost", "127.0.0.1", "[::1]"):
        assert client(tmp_path, endpoint_override=f"http://{host}:8778/placement")


def test_a_new_token_is_noticed(tmp_path: Path, state: Path) -> None:
    file = state / "admin-token"
    tokens = {ensure_token(file)}
    with serving(guarded(tokens)) as address:
        asking = client(tmp_path, endpoint_override=address)
        assert asking.allocation_candidates([])
        file.unlink()
        tokens.clear()
        with pytest.raises(Unauthorized):
            asking.allocation_candidates([])
        tokens.add(ensure_token(file))
        assert asking.allocation_candidates([])["headers"]["x-auth-token"] in tokens


# --- other services and other ways to authenticate


def test_a_token_of_ones_own(tmp_path: Path) -> None:
    with serving(echo) as address:
        given: Given = {"auth_type": "admin_token", "token": "mine"}
        assert token_sent(tmp_path, endpoint_override=address, **given) == "mine"
        assert token_sent(tmp_path, endpoint=address, **given) == "mine"


def test_no_authentication(tmp_path: Path) -> None:
    with serving(echo) as address:
        assert client(tmp_path, auth_type="none", endpoint_override=address).allocation_candidates([])


@contextmanager
def cloud(identity: Identity) -> Iterator[Given]:
    """What leads to a cloud with an identity service, as a user of it."""
    with serving(identity) as address:
        yield {
            "auth_type": "password",
            "auth_url": f"{address}/v3",
            "username": "agent",
            "password": PASSWORD,
            "user_domain_name": "Default",
            "project_name": "service",
            "project_domain_name": "Default",
        }


def test_a_user_finds_the_service_in_the_catalog(tmp_path: Path) -> None:
    with serving(echo) as public, serving(echo) as internal, serving(echo) as elsewhere:
        catalog = {("public", "one"): public, ("internal", "one"): internal, ("public", "two"): elsewhere}
        identity = Identity(catalog)
        with cloud(identity) as given:
            for further, endpoint in (
                ({}, internal),
                ({"valid_interfaces": "public"}, public),
                ({"valid_interfaces": "admin,public"}, public),
                ({"region_name": "two"}, elsewhere),
            ):
                asked = client(tmp_path, **given, **further).allocation_candidates([])["headers"]
                assert asked["host"] == endpoint.removeprefix("http://")
                assert asked["x-auth-token"] in identity.tokens


def test_an_application_credential(tmp_path: Path) -> None:
    with serving(echo) as endpoint, cloud(Identity({("public", "one"): endpoint})) as given:
        credential = {"application_credential_id": "agent-1", "application_credential_secret": SECRET}
        auth_type = {"auth_type": "v3applicationcredential", "auth_url": given["auth_url"]}
        assert token_sent(tmp_path, **auth_type, **credential) == "token-1"


def test_a_wrong_password_is_said_to_be_wrong(tmp_path: Path) -> None:
    with cloud(Identity({})) as given:
        wrong = given | {"password": "guessed"}
        with pytest.raises(Unauthorized, match=r"refused the credential \(401\): Wrong name or password") as raised:
            client(tmp_path, **wrong).providers()
        assert "guessed" not in str(raised.value)


def test_a_service_that_is_not_in_the_catalog(tmp_path: Path) -> None:
    message = (
        r"^The service catalog names no endpoint of the type placement \(interface internal or public, region two\)"
    )
    with cloud(Identity({("public", "one"): "http://127.0.0.1:1"})) as given, pytest.raises(Unavailable, match=message):
        client(tmp_path, region_name="two", **given).providers()


def test_options_of_the_plugin_may_come_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OS_PLACEMENT_CLIENT__PASSWORD", PASSWORD)
    monkeypatch.setenv("OS_PLACEMENT_CLIENT__PROJECT_NAME", "service")
    with serving(echo) as endpoint, cloud(Identity({("public", "one"): endpoint})) as given:
        del given["password"], given["project_name"]
        assert token_sent(tmp_path, **given) == "token-1"


def test_a_cloud_with_its_own_authority(tmp_path: Path) -> None:
    certificate = make_certificate(tmp_path / "server.pem")
    with serving(echo, certificate) as address:
        given: Given = {"auth_type": "admin_token", "token": "mine", "endpoint_override": address}
        with pytest.raises(Unavailable, match="certificate is not accepted"):
            client(tmp_path, **given).providers()
        assert token_sent(tmp_path, cafile=certificate, **given) == "mine"
        assert token_sent(tmp_path, cafile=certificate, certfile=certificate, keyfile=certificate, **given) == "mine"


@pytest.mark.filterwarnings("ignore:Unverified HTTPS request")
def test_certificates_need_not_be_checked(tmp_path: Path) -> None:
    with serving(echo, make_certificate(tmp_path / "server.pem")) as address:
        given: Given = {"auth_type": "admin_token", "token": "mine", "endpoint_override": address}
        assert token_sent(tmp_path, insecure=True, **given) == "mine"


# --- compute, images and volumes


def test_one_credential_serves_for_all_services(tmp_path: Path) -> None:
    with serving(echo) as public:
        identity = Identity({("public", "one"): public}, "compute")
        with cloud(identity) as given:
            asked = compute_client_from_settings(settings(tmp_path, **given))._calls.read(dict[str, Any], "/flavors")
            assert asked["headers"]["x-auth-token"] in identity.tokens


def test_a_service_may_have_a_credential_and_an_address_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "client.conf"
    with serving(echo) as address:
        lines = f"auth_type = admin_token\ntoken = mine\nendpoint_override = {address}/v2"
        file.write_text(f"[image_client]\n{lines}\n[volume_client]\n{lines}\n")
        loaded = load_settings(config_files=[str(file)])
        assert unknown_options(loaded) == []
        for client in (image_client_from_settings(loaded), volume_client_from_settings(loaded)):
            asked = client._calls.read(dict[str, Any], "/images")
            assert (asked["headers"]["x-auth-token"], asked["path"]) == ("mine", "/v2/images")


def test_there_is_no_volume_service_on_this_machine(tmp_path: Path, state: Path) -> None:
    ensure_token(state / "admin-token")
    assert compute_client_from_settings(settings(tmp_path))
    assert image_client_from_settings(settings(tmp_path))
    with pytest.raises(
        OperatorError, match=r"^\[volume_client\] auth_type is not set, and Moorage itself is no volume"
    ):
        volume_client_from_settings(settings(tmp_path))


# --- settings that lead nowhere


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"auth_type": "pasword"}, r"auth_type cannot be 'pasword'; there are: .*, password, "),
        ({"auth_type": "password"}, r"auth_type = password cannot be used: .*auth[-_]url"),
        ({"auth_type": "none", "endpoint_override": "placement:8778"}, r"endpoint_override must begin with http://"),
        ({"auth_type": "none", "cafile": "/no/such/file"}, r"The file /no/such/file of .* cafile is not there"),
        ({"auth_type": "none", "certfile": "/no/such/file"}, r"certfile is not there"),
        ({"valid_interfaces": "external"}, r"external"),
        ({"timeout": 0}, r"timeout"),
    ],
)
def test_a_mistake_is_explained(tmp_path: Path, given: Given, message: str) -> None:
    with pytest.raises(OperatorError, match=message):
        client(tmp_path, **given)


def test_misspelt_options_are_noticed_whatever_the_plugin(tmp_path: Path) -> None:
    given: Given = {"auth_type": "password", "auth_url": "http://x", "project-name": "service", "pasword": "secret"}
    assert unknown_options(settings(tmp_path, **given)) == ["[placement_client] pasword"]
    assert unknown_options(settings(tmp_path, username="me")) == ["[placement_client] username"]
