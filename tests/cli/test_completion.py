"""The shell completes names as the cloud knows them, and nobody waits for a cloud that takes its time."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from moorage.cli import completion
from moorage.cli.main import app
from moorage.client.operator import operators_cloud
from tests.clients.running_service import RunningService

MOORAGE = str(Path(sys.executable).with_name("moorage"))
# What stands for the name of a thing in the help of commands.
NAMED = {"PROVIDER", "TRAIT", "CLASS", "AGGREGATE", "SERVER", "CONSUMER", "FLAVOR", "IMAGE", "LEASE"}

pytestmark = pytest.mark.usefixtures("installation")


def asked(*words: str) -> dict[str, str]:
    """What a shell says in the environment when the key is pressed behind the last of these words."""
    typed = ("moorage", *words)
    return {
        "_MOORAGE_COMPLETE": "complete_bash",
        "COMP_WORDS": "\n".join(typed),
        "COMP_CWORD": str(len(typed) - 1),
    }


def completed(*words: str) -> list[str]:
    return CliRunner().invoke(app, [], env=asked(*words), prog_name="moorage").stdout.split()


@pytest.fixture
def cloud(installation: Path, service: RunningService, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("OS_CLIENT_CONFIG_FILE", str(service.clouds_file))
    monkeypatch.setenv("OS_CLOUD", "moorage")
    # Whoever runs many tests at once has little time for each.
    monkeypatch.setattr(completion, "_SECONDS", 30)
    cloud, provider, flavor, blank = operators_cloud(None), *(str(uuid4()) for _ in range(3))
    cloud.placement.create_provider(provider, "completed-host")
    cloud.compute.create_flavor(flavor, "completed-flavor", vcpus=1, ram_mb=1, disk_gb=1)
    cloud.compute.create_flavor(blank, "completed by halves", vcpus=1, ram_mb=1, disk_gb=1)
    image, aggregate = (
        cloud.image.create_image("completed-image", {}),
        cloud.compute.create_aggregate("completed-group"),
    )
    yield
    cloud.compute.delete_aggregate(aggregate.id)
    cloud.image.delete_image(image.id)
    cloud.compute.delete_flavor(blank)
    cloud.compute.delete_flavor(flavor)
    cloud.placement.delete_provider(provider)


@pytest.mark.usefixtures("cloud")
@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("fit compl", ["completed-flavor"]),
        ("fit completed-flavor --image compl", ["completed-image"]),
        ("provider tree x compl", ["completed-host"]),
        ("candidates --in-tree completed-h", ["completed-host"]),
        ("trait add completed-host HW_CPU_X86_AVX512VP", ["HW_CPU_X86_AVX512VPCLMULQDQ", "HW_CPU_X86_AVX512VPOPCNTDQ"]),
        ("inventory set completed-host PCI", ["PCI_DEVICE"]),
        ("aggregate show compl", ["completed-group"]),
        ("lease show nobody", []),
        ("provider show --os-cloud moorage compl", ["completed-host"]),
        ("provider show --os-cloud another compl", []),
    ],
)
def test_names_of_the_cloud(words: str, names: list[str]) -> None:
    assert completed(*words.split()) == names


@pytest.mark.usefixtures("cloud")
def test_names_of_leases() -> None:
    reservation = operators_cloud(None).reservation
    order = {
        "name": "completed-lease",
        "start_date": "2090-01-01 08:00",
        "end_date": "2090-01-01 18:00",
        "on_conflict": "wait",
        "reservations": [{"resource_type": "virtual:instance", "vcpus": 1, "memory_mb": 1, "disk_gb": 0, "amount": 1}],
    }
    made = reservation.create_lease(order)
    try:
        assert completed("lease", "show", "compl") == ["completed-lease"]
    finally:
        reservation.delete_lease(made["id"])


@pytest.mark.parametrize("answers", [False, True], ids=["away", "silent"])
def test_nobody_waits_for_a_cloud_and_nothing_is_said(answers: bool) -> None:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        if answers:
            # Takes every connection, and says nothing on it.
            listening.listen()
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        cloud = {"OS_AUTH_TYPE": "admin_token", "OS_ENDPOINT": address, "OS_TOKEN": "t"}
        begin = time.monotonic()
        ran = subprocess.run(
            [MOORAGE], capture_output=True, text=True, check=False, env={**os.environ, **cloud, **asked("fit", "c")}
        )
        # Commands wait for a minute.
        assert time.monotonic() - begin < 20
    assert (ran.stdout.strip(), ran.stderr) == ("", "")


def test_whatever_takes_the_name_of_a_thing_completes_it() -> None:
    def parameters(command: object, path: str = "") -> Iterator[tuple[str, object]]:
        for each in getattr(command, "params", ()):
            yield f"{path} {each.name}", each
        for name, child in getattr(command, "commands", {}).items():
            yield from parameters(child, f"{path} {name}")

    named = {
        path: each
        for path, each in parameters(get_command(app))
        if str(getattr(each, "metavar", "")).removesuffix("…") in NAMED
    }
    assert len(named) > 30
    assert [path for path, each in named.items() if getattr(each, "_custom_shell_complete", None) is None] == []
