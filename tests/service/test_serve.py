"""How the service starts, what it refuses, and how it stops."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from moorage.service.credentials import clouds_file, read_token
from moorage.service.errors import OperatorError
from moorage.service.options import SERVICES
from moorage.service.serve import (
    GRACE_SECONDS,
    Address,
    ServeOptions,
    environment,
    require_free,
    require_suitable_authentication,
    resolve,
    summary,
)
from moorage.service.settings import load_settings
from tests.patience import eventually

MOORAGE = str(Path(sys.executable).with_name("moorage"))

pytestmark = pytest.mark.usefixtures("installation")


def test_the_command_line_becomes_environment() -> None:
    options = ServeOptions(database="sqlite:///a$b", auth="noauth2", services=["placement"], config_files=["/a", "/b"])
    assert environment(options) == {
        "OS_DATABASE__CONNECTION": "sqlite:///a$$b",
        "OS_API__AUTH_STRATEGY": "noauth2",
        "OS_API__SERVICES": "placement",
        "MOORAGE_CONFIG": "/a:/b",
    }
    assert environment(ServeOptions()) == {}


def test_an_unknown_service_is_refused_with_those_that_exist() -> None:
    with pytest.raises(OperatorError, match=rf"no service storage; the services are: {', '.join(SERVICES)}\."):
        environment(ServeOptions(services=["placement", "storage"]))


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_noauth2_listens_on_loopback_only(host: str) -> None:
    with pytest.raises(OperatorError, match=r"--host 127\.0\.0\.1"):
        require_suitable_authentication("noauth2", Address(host, 8778), sample=False)
    require_suitable_authentication("token", Address(host, 8778), sample=False)


def test_the_sample_needs_an_administrator() -> None:
    with pytest.raises(OperatorError, match="--auth token or noauth2"):
        require_suitable_authentication("keystone", Address("127.0.0.1", 8778), sample=True)


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:8778"),
        ("0.0.0.0", "http://127.0.0.1:8778"),
        ("::", "http://[::1]:8778"),
        ("192.0.2.7", "http://192.0.2.7:8778"),
    ],
)
def test_the_shown_address_can_be_called(host: str, url: str) -> None:
    assert Address(host, 8778).url == url


def test_a_name_is_resolved() -> None:
    assert resolve("localhost", 1).is_loopback
    with pytest.raises(OperatorError, match="no address"):
        resolve("nowhere.invalid", 1)


def test_a_port_in_use_is_refused_even_if_it_could_be_shared() -> None:
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(OperatorError, match="--port"):
            require_free(Address("127.0.0.1", taken.getsockname()[1]))


def test_the_summary_masks_the_password_and_names_the_files(installation: Path) -> None:
    settings = load_settings({"database.connection": "postgresql+psycopg://me:secret@db/moorage"})
    text = summary(settings, Address("127.0.0.1", 8778))
    assert "postgresql+psycopg://me:***@db/moorage" in text
    assert f"export OS_CLIENT_CONFIG_FILE={installation}/clouds.yaml" in text
    assert text.index("moorage provider list --os-cloud moorage") < text.index("openstack ")  # which may not be there
    assert f'"X-Auth-Token: $(cat {installation}/admin-token)"' in text
    assert "TLS" not in text
    assert "TLS" in summary(settings, Address("0.0.0.0", 8778))


# --- over real HTTP


class Service:
    """A `moorage serve` in its own process."""

    def __init__(self, *arguments: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.process = subprocess.Popen(
            [MOORAGE, "serve", "--port", str(self.port), "--workers", "2", *arguments],
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def wait(self) -> None:
        """Until it answers."""
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and self.process.poll() is None:
            with suppress(OSError):
                self.get("/healthcheck")
                return
            time.sleep(0.05)
        self.process.kill()
        pytest.fail("\n".join(("The service did not start.", *self.process.communicate())))

    def get(self, path: str, token: str = "") -> bytes:
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", headers={"X-Auth-Token": token})
        with urllib.request.urlopen(request, timeout=10) as answer:
            content: bytes = answer.read()
            return content

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, str, str]:
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=GRACE_SECONDS / 2)  # much less than a kill would take
        return self.process.returncode, out, err


@pytest.fixture
def start() -> Iterator[Callable[..., Service]]:
    with ExitStack() as stack:

        def start_one(*arguments: str) -> Service:
            service = Service(*arguments)
            stack.callback(service.process.wait)
            stack.callback(service.process.kill)
            service.wait()
            return service

        yield start_one


def test_the_first_start_is_enough(start: Callable[..., Service], installation: Path) -> None:
    service = start("--sample")
    token = read_token(installation / "admin-token")
    providers = json.loads(service.get("/placement/resource_providers", token))["resource_providers"]
    # Workers may have begun already to make those of the hosts for leases.
    assert len([each for each in providers if not each["name"].startswith("blazar_")]) == 77
    with pytest.raises(urllib.error.HTTPError, match="401"):
        service.get("/placement/resource_providers", "guess")
    code, out, err = service.stop()
    assert code == 0
    assert f"http://127.0.0.1:{service.port}/placement" in out
    assert str(clouds_file(installation / "admin-token")) in out
    assert f"http://127.0.0.1:{service.port}/identity" in out
    assert token not in out + err
    assert (installation / "admin-password").read_text().strip() not in out + err


def test_a_stop_waits_for_requests_in_flight(start: Callable[..., Service], installation: Path) -> None:
    service = start()
    token = read_token(installation / "admin-token")
    body = json.dumps({"name": "az1-compute-01"}).encode()
    with socket.create_connection(("127.0.0.1", service.port), timeout=10) as client:
        head = (
            "POST /placement/resource_providers HTTP/1.1\r\n"
            f"Host: localhost\r\nX-Auth-Token: {token}\r\nOpenStack-API-Version: placement 1.39\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        client.sendall(head.encode() + body[:5])
        time.sleep(0.5)
        service.process.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        assert service.process.poll() is None
        client.sendall(body[5:])
        answer = client.recv(65536)
    assert answer.startswith(b"HTTP/1.1 200")
    assert service.process.wait(timeout=20) == 0


def test_noauth2_is_refused_before_anything_is_made(installation: Path) -> None:
    command = [MOORAGE, "serve", "--auth", "noauth2", "--host", "0.0.0.0"]
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert refused.returncode == 1
    assert "may not listen on 0.0.0.0" in refused.stderr
    assert not installation.exists()


def test_an_interrupt_from_the_keyboard_is_an_orderly_end(start: Callable[..., Service]) -> None:
    code, _, err = start("--auth", "noauth2").stop(signal.SIGINT)
    assert code == 0
    assert "Traceback" not in err


def test_workers_do_not_outlive_a_parent_that_is_killed(start: Callable[..., Service]) -> None:
    service = start()
    service.process.kill()

    def is_free() -> bool:
        with suppress(OperatorError):
            require_free(Address("127.0.0.1", service.port))
            return True
        return False

    eventually(is_free, "the release of the port")


def test_a_second_service_on_the_same_port_says_one_sentence(start: Callable[..., Service]) -> None:
    port = start().port
    second = subprocess.run([MOORAGE, "serve", "--port", str(port)], capture_output=True, text=True, check=False)
    assert second.returncode == 1
    assert second.stderr.startswith(f"moorage: Cannot listen on 127.0.0.1 port {port}")
    assert second.stderr.count("\n") == 1
