"""A `moorage serve` in a process of its own, with a state directory and a port that nobody else has."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from bench.service import free_port
from moorage.service.credentials import clouds_file, read_token
from moorage.service.settings import CONFIG_VARIABLE

MOORAGE = Path(sys.executable).with_name("moorage")


@dataclass(frozen=True, slots=True)
class RunningService:
    url: str
    state: Path
    log_file: Path

    @property
    def placement(self) -> str:
        """The endpoint of the Placement API."""
        return f"{self.url}/placement"

    @property
    def token_file(self) -> Path:
        return self.state / "admin-token"

    @property
    def token(self) -> str:
        """The secret of the strategy `token`."""
        return read_token(self.token_file)

    @property
    def clouds_file(self) -> Path:
        return clouds_file(self.token_file)

    @property
    def log(self) -> str:
        """Everything that was written since the start, the greeting included."""
        return self.log_file.read_text()

    def get(self, path: str, **headers: str) -> httpx.Response:
        """The answer to somebody who sends these headers, underscores being dashes: X_Auth_Token="secret"."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        return httpx.get(f"{self.placement}{path}", headers={"OpenStack-API-Version": "placement 1.39", **sent})


@contextmanager
def running_service(
    directory: Path, *arguments: str, configuration: str = "", port: int | None = None
) -> Iterator[RunningService]:
    """Serve with one worker until the block ends; `configuration` is the content of the configuration file."""
    port = port or free_port()
    service = RunningService(f"http://127.0.0.1:{port}", directory / "moorage", directory / "log")
    configuration_file = directory / "moorage.conf"
    configuration_file.write_text(configuration)
    with service.log_file.open("w") as log:
        process = subprocess.Popen(
            [MOORAGE, "serve", "--port", str(port), "--workers", "1", *arguments],
            env={**clean_environment(), CONFIG_VARIABLE: str(configuration_file), "XDG_DATA_HOME": str(directory)},
            stdout=log,
            stderr=log,
        )
    try:
        wait_for(service, process)
        yield service
    finally:
        process.terminate()
        process.wait(timeout=30)


def clean_environment() -> dict[str, str]:
    """The environment without what would configure a service or a client."""
    return {name: value for name, value in os.environ.items() if not name.startswith("OS_")}


def wait_for(service: RunningService, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        with suppress(httpx.TransportError):
            httpx.get(f"{service.url}/healthcheck").raise_for_status()
            return
        time.sleep(0.05)
    pytest.fail(f"The service did not start.\n{service.log}")


def remove_everything(service: RunningService) -> None:
    """Leave nothing but the standard traits and resource classes."""
    headers = {"X-Auth-Token": service.token, "OpenStack-API-Version": "placement 1.39"}
    with httpx.Client(base_url=service.placement, headers=headers) as api:

        def listed(path: str, key: str) -> Any:
            return api.get(path).raise_for_status().json()[key]

        def delete(path: str) -> None:
            api.delete(path).raise_for_status()

        for provider in listed("/resource_providers", "resource_providers"):
            for consumer in listed(f"/resource_providers/{provider['uuid']}/allocations", "allocations"):
                delete(f"/allocations/{consumer}")
        while providers := listed("/resource_providers", "resource_providers"):
            parents = {provider["parent_provider_uuid"] for provider in providers}
            for childless in {provider["uuid"] for provider in providers} - parents:
                delete(f"/resource_providers/{childless}")
        for trait in listed("/traits?name=startswith:CUSTOM_", "traits"):
            delete(f"/traits/{trait}")
        for resource_class in listed("/resource_classes", "resource_classes"):
            if resource_class["name"].startswith("CUSTOM_"):
                delete(f"/resource_classes/{resource_class['name']}")
