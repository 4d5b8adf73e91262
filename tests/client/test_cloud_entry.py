"""What an entry of a clouds.yaml means: the same to Moorage and to openstacksdk, whatever it is written like."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from openstack.config import OpenStackConfig
from openstack.config.cloud_region import CloudRegion

from moorage.client.cloud_entry import entry_of_environment, understood
from moorage.client.clouds_files import usual_clouds
from moorage.client.operator import login_of, operators_cloud, operators_region
from moorage.service.errors import OperatorError

SERVICES = ("placement", "compute", "image", "identity", "reservation")

PASSWORD = {"auth_url": "https://keystone.example.org/v3", "username": "mary", "password": "s3cret"}
PROJECT = {"project_name": "harbour", "user_domain_name": "Default", "project_domain_name": "Default"}

ENTRIES: dict[str, Any] = {
    "plain": {"auth": {**PASSWORD, **PROJECT}, "region_name": "north"},
    "of-digits": {"auth": {**PASSWORD, **PROJECT, "password": 12345, "project_id": 77}, "identity_api_version": 3},
    "with-dashes": {
        "auth": {"auth-url": "http://k/v3", "user-domain-id": "d"},
        "placement-endpoint-override": "http://p",
    },
    "outside": {**PASSWORD, "tenant_name": "harbour", "domain_id": "default", "auth_type": "password"},
    "inside-and-outside": {"auth": {**PASSWORD, "project_name": "in"}, "project_name": "out", "username": "other"},
    "tenant": {"auth": {**PASSWORD, "tenant_id": "a1"}, "auth_plugin": "password"},
    "one-domain": {"auth": {**PASSWORD, "project_name": "harbour", "domain_name": "Default"}},
    "domain-scope": {"auth": {**PASSWORD, "user_domain_id": "default"}, "domain_id": "default"},
    "system-scope": {"auth": {**PASSWORD, "user_domain_id": "default", "system_scope": "all"}},
    "no-auth-type": {"auth": {"endpoint": "http://127.0.0.1/placement"}, "auth_type": None},
    "none": {"auth_type": "none", "auth": {"endpoint": "http://127.0.0.1/placement"}},
    "token-endpoint": {"auth_type": "token_endpoint", "auth": {"endpoint": "http://p", "token": "t"}},
    "admin-token": {"auth_type": "admin_token", "auth": {"url": "http://p", "auth_token": "t"}},
    "token": {"auth_type": "token", "auth": {"auth_url": "http://k/v3", "token": "t", "project_id": "p"}},
    "v3token": {"auth_type": "v3token", "auth": {"auth_url": "http://k/v3", "token": "t"}},
    "application-credential": {
        "auth_type": "v3applicationcredential",
        "auth": {
            "auth_url": "http://k/v3",
            "application_credential_id": "a",
            "application_credential_secret": "s",
        },
    },
    "basic": {"auth_type": "http_basic", "auth": {"endpoint": "http://p", "username": "u", "password": "p"}},
    "v2": {"auth_type": "v2password", "auth": {**PASSWORD, "project_name": "harbour"}},
    "seldom": {"auth_type": "v3totp", "auth": {"auth_url": "http://k/v3", "user_id": "u", "passcode": 123456}},
    "regions": {
        "auth": {**PASSWORD, **PROJECT},
        "regions": [
            {
                "name": "south",
                "values": {"auth": {"auth_url": "http://south/v3"}, "placement_endpoint_override": "http://s"},
            },
            "east",
        ],
    },
    "regions-with-commas": {"auth": PASSWORD, "region_name": "west,east"},
    "filled-in": {
        "auth": {**PASSWORD, "auth_url": "https://{region_name}.example.org/v3"},
        "region_name": "south",
        "compute_endpoint_override": "https://{region_name}.example.org/compute",
    },
    "interfaces": {"auth": PASSWORD, "endpoint_type": "internal", "placement_interface": "admin"},
    "services": {
        "auth": PASSWORD,
        "interface": "internal",
        "compute_endpoint": "http://c",
        "placement_endpoint_override": "http://p",
        "placement_region_name": "elsewhere",
        "image_service_name": "glance",
        "reservation_service_type": "booking",
    },
    "authority": {"auth": PASSWORD, "cacert": "~/ca.pem", "cert": "~/me.pem", "key": "~/me.key"},
    "authority-alone": {"auth": PASSWORD, "cacert": "/etc/ca.pem", "cert": "/etc/me.pem"},
    "unverified": {"auth": PASSWORD, "verify": False, "cacert": "/etc/ca.pem"},
    "insecure": {"auth": PASSWORD, "insecure": "true"},
    "secure": {"auth": PASSWORD, "insecure": "false"},
    "patient": {"auth": PASSWORD, "api_timeout": 7},
    "of-a-profile": {"profile": "harbours", "auth": {"username": "mary", "password": "p"}},
    "of-a-profile-in-one-region": {"cloud": "harbours", "auth": {"username": "mary"}, "region_name": "pier-2"},
    "of-a-known-profile": {"profile": "switchengines", "auth": {"username": "mary", "password": "p"}},
    "with-a-secret-elsewhere": {"auth": {**PROJECT, "auth_url": "http://k/v3", "username": "mary"}},
}
SECRETS = {"with-a-secret-elsewhere": {"auth": {"password": "from the other file"}, "region_name": "hidden"}}
PROFILES = {
    "harbours": {
        "auth": {"auth_url": "http://{region_name}.harbours.example.org/v3", "user_domain_id": "default"},
        "interface": "internal",
        "regions": ["pier-1", {"name": "pier-2", "values": {"placement_endpoint_override": "http://pier-2"}}],
    }
}

pytestmark = [
    pytest.mark.usefixtures("installation"),
    pytest.mark.filterwarnings("ignore::Warning:openstack"),
    pytest.mark.filterwarnings("ignore::openstack.warnings.OpenStackDeprecationWarning"),
    pytest.mark.filterwarnings("ignore::openstack.warnings.ConfigurationWarning"),
]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with clouds.yaml, secure.yaml and clouds-public.yaml, in which everybody looks for them."""
    for variable in [name for name in os.environ if name.startswith("OS_")]:
        monkeypatch.delenv(variable)
    monkeypatch.chdir(tmp_path)
    for name, content in (
        ("clouds.yaml", {"clouds": ENTRIES}),
        ("secure.yaml", {"clouds": SECRETS}),
        ("clouds-public.yaml", {"public-clouds": PROFILES}),
    ):
        # What is JSON is YAML, too.
        (tmp_path / name).write_text(json.dumps(content))
    return tmp_path


def expected(files: Path, name: str | None) -> CloudRegion:
    """What openstacksdk makes of it."""
    return OpenStackConfig(
        config_files=[str(files / "clouds.yaml")],
        secure_files=[str(files / "secure.yaml")],
        vendor_files=[str(files / "clouds-public.yaml")],
    ).get_one(name)


def same_login(one: Any, other: Any) -> bool:
    def shown(plugin: Any) -> Any:
        return {
            key: [shown(each) for each in value] if isinstance(value, list) else value
            for key, value in vars(plugin).items()
            if not key.endswith(("lock", "discovery_cache"))
        }

    return type(one) is type(other) and shown(one) == shown(other)


@pytest.mark.parametrize("name", ENTRIES)
def test_an_entry_means_what_it_means_to_others(files: Path, name: str) -> None:
    clouds = usual_clouds()
    assert clouds is not None
    entry = understood(clouds.clouds[name])
    region = expected(files, name)

    assert entry.auth_type == region.config["auth_type"]
    assert same_login(login_of(name, entry), region.get_auth())
    assert (entry.verify, entry.certificate) == region.get_requests_verify_args()
    assert (entry.region or "") == region.get_region_name()
    assert entry.settings.get("api_timeout") in (
        region.config.get("api_timeout"),
        str(region.config.get("api_timeout")),
    )
    for service in SERVICES:
        assert entry.interfaces(service) == [region.get_interface(service)]
        assert (entry.of_service("region_name", service) or entry.region or "") == region.get_region_name(service)
        assert (entry.of_service("service_type", service) or service) == region.get_service_type(service)
        assert entry.of_service("service_name", service) == region.get_service_name(service)
        if service != "identity":
            assert entry.endpoint(service) == region.get_endpoint(service)


@pytest.mark.parametrize(
    "environment",
    [
        {"OS_AUTH_URL": "http://k/v3", "OS_USERNAME": "mary", "OS_PASSWORD": "p", "OS_PROJECT_NAME": "harbour"},
        {"OS_AUTH_URL": "http://k/v3", "OS_USER_NAME": "mary", "OS_PASSWORD": "p", "OS_TENANT_NAME": "harbour"},
        {"OS_AUTH_TYPE": "admin_token", "OS_ENDPOINT": "http://p", "OS_TOKEN": "t", "OS_PROJECT_ID": ""},
        {"OS_AUTH_TYPE": "token", "OS_AUTH_URL": "http://k/v3", "OS_TOKEN": "t", "OS_REGION_NAME": "south"},
        {
            "OS_AUTH_URL": "http://k",
            "OS_USERNAME": "m",
            "OS_PASSWORD": "p",
            "OS_CACERT": "/ca",
            "OS_INTERFACE": "admin",
        },
        {"OS_AUTH_URL": "http://k", "OS_USERNAME": "m", "OS_PASSWORD": "p", "OS_INSECURE": "True", "OS_CERT": "/c"},
        {"OS_AUTH_URL": "http://k", "OS_USERNAME": "m", "OS_PLACEMENT_ENDPOINT_OVERRIDE": "http://p"},
        {"OS_AUTH_URL": "http://k", "OS_USERNAME": "m", "OS_DEFAULT__DEBUG": "true"},
    ],
)
def test_the_environment_means_what_it_means_to_others(
    files: Path, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str]
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    entry = understood(entry_of_environment())
    region = expected(files, None)

    assert same_login(login_of(None, entry), region.get_auth())
    assert (entry.verify, entry.certificate) == region.get_requests_verify_args()
    assert (entry.region or "") == region.get_region_name()
    assert entry.interfaces("placement") == [region.get_interface("placement")]
    assert entry.endpoint("placement") == region.get_endpoint("placement")


def test_a_region_of_a_profile_is_chosen_with_all_that_is_different_there(files: Path) -> None:
    entry = understood({"profile": "harbours"}, {"region_name": "pier-2"})
    assert (entry.region, entry.endpoint("placement")) == ("pier-2", "http://pier-2")
    assert entry.auth["auth_url"] == "http://pier-2.harbours.example.org/v3"


@pytest.mark.usefixtures("files")
def test_what_an_entry_leaves_open_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"OS_REGION_NAME": "east", "OS_INTERFACE": "admin", "OS_CACERT": "/ca"}.items():
        monkeypatch.setenv(name, value)
    cloud = operators_cloud("tenant")
    assert (cloud.entry.region, cloud.entry.interfaces("compute"), cloud.entry.verify) == ("east", ["admin"], "/ca")
    assert operators_cloud("plain").entry.region == "north"
    assert operators_region("regions") == "east"


@pytest.mark.usefixtures("files")
def test_how_long_to_wait_for_answers() -> None:
    assert operators_cloud("patient").session.timeout == 7
    assert operators_cloud("plain").session.timeout == 60


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"profile": "nobody-knows-it"}, "There is no profile nobody-knows-it"),
        ({"profile": "http://127.0.0.1:1"}, "The profile http://127.0.0.1:1 cannot be read"),
        ({"auth": {"auth_url": "http://{port}/"}}, "cannot be filled in"),
    ],
)
@pytest.mark.usefixtures("files")
def test_what_cannot_be_understood_is_refused(entry: dict[str, Any], words: str) -> None:
    with pytest.raises(OperatorError, match=words):
        understood(entry)


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"auth": {"username": "mary"}}, "auth_url"),
        ({"auth": {**PASSWORD, "pasword": "p"}}, "pasword"),
        ({"auth_type": "handshake"}, "handshake"),
    ],
)
def test_a_credential_that_cannot_be_used_is_refused(entry: dict[str, Any], words: str) -> None:
    with pytest.raises(OperatorError, match=f"The credential of the cloud pier cannot be used: .*{words}"):
        login_of("pier", understood(entry))


@pytest.mark.parametrize("content", ["clouds: [a]", "- a", "clouds: {a: b}", "{", "\xff"])
def test_a_file_that_is_no_clouds_file(files: Path, content: str) -> None:
    (files / "clouds.yaml").write_text(content, encoding="latin-1")
    with pytest.raises(OperatorError, match=r"clouds\.yaml cannot be"):
        operators_cloud("plain")
