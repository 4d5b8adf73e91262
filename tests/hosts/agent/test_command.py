"""`moorage agent`, `provider-config show` and `diff` as processes of their own, with Placements over HTTP."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import dedent

import pytest
from sqlalchemy import create_engine, update

from moorage.client.errors import Refused
from moorage.client.placement import PlacementClient
from moorage.client.transport import Transport
from moorage.placement.store.tables import agents
from tests.client.upstream import ADMIN
from tests.clients.running_service import MOORAGE, RunningService, clean_environment
from tests.hosts.agent.conftest import OVER_HTTP, transport_to
from tests.hosts.agent.hosts import EXAMPLE, ONE_NODE
from tests.hosts.agent.placements import allocate, empty
from tests.patience import eventually

CONSUMER = "c0000000-0000-4000-8000-000000000001"
QUERY = [("resources", "CUSTOM_LLC:2"), ("required", "CUSTOM_P_STATE_ENABLED")]


class Operator:
    """Somebody at the shell of a host."""

    def __init__(self, directory: Path, endpoint: str, token: str, transport: Transport) -> None:
        self.client = PlacementClient(transport)
        self.files = directory / "provider_config"
        self.nodes = directory / "nodes.yaml"
        self.log = directory / "log"
        self.files.mkdir()
        self.has(ONE_NODE)
        configuration = directory / "moorage.conf"
        configuration.write_text(
            dedent(
                f"""
                [DEFAULT]
                state_path = {directory / "state"}
                [placement_client]
                auth_type = admin_token
                endpoint = {endpoint}
                endpoint_override = {endpoint}
                token = {token}
                [agent]
                driver = static
                host = host-a
                interval = 86400
                [compute]
                provider_config_location = {self.files}
                [static]
                file = {self.nodes}
                """
            )
        )
        self.environment = {**clean_environment(), "MOORAGE_CONFIG": str(configuration), "COLUMNS": "120"}

    def has(self, description: str) -> None:
        self.nodes.write_text(dedent(description))

    def write(self, name: str, content: str) -> None:
        (self.files / name).write_text(dedent(content))

    def remove(self, name: str) -> None:
        (self.files / name).unlink()

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [MOORAGE, *arguments], env=self.environment, capture_output=True, text=True, check=False, timeout=120
        )

    @contextmanager
    def running_agent(self, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
        with self.log.open("w") as log:
            process = subprocess.Popen(
                [MOORAGE, "agent"], env={**self.environment, **environment}, stdout=log, stderr=log
            )
        try:
            yield process
        finally:
            process.kill()
            process.wait(timeout=60)

    def candidates(self) -> int:
        """How many there are for what the file offers."""
        try:
            return len(self.client.allocation_candidates(QUERY)["allocation_requests"])
        except Refused:
            return 0  # the class or the trait is not there yet


@pytest.fixture(params=OVER_HTTP)
def operator(request: pytest.FixtureRequest, tmp_path: Path) -> Operator:
    return operator_at(request.param, request, tmp_path)


@pytest.fixture
def local(request: pytest.FixtureRequest, tmp_path: Path) -> Operator:
    """Where it does not matter which Placement it is."""
    return operator_at("moorage over HTTP", request, tmp_path)


def operator_at(where: str, request: pytest.FixtureRequest, tmp_path: Path) -> Operator:
    transport = transport_to(where, request)
    empty(transport)
    if where == "upstream over HTTP":
        return Operator(tmp_path, request.getfixturevalue("upstream"), ADMIN, transport)
    service: RunningService = request.getfixturevalue("service")
    return Operator(tmp_path, service.placement, service.token, transport)


def test_the_documents_own_example_end_to_end(operator: Operator) -> None:
    operator.write("example.yaml", EXAMPLE)
    with operator.running_agent() as agent:
        eventually(lambda: operator.candidates() == 1, "the first round")

        operator.write("example.yaml", EXAMPLE.replace("max_unit: 11", "max_unit: 1"))
        eventually(lambda: operator.candidates() == 0, "the change of the file")

        operator.write("example.yaml", EXAMPLE)
        eventually(lambda: operator.candidates() == 1, "the change back")

        (operator.files / "example.yaml").unlink()
        eventually(lambda: operator.candidates() == 0, "the end of the file")

        agent.send_signal(signal.SIGTERM)
        assert agent.wait(timeout=60) == 0
    assert "Traceback" not in operator.log.read_text()


def test_a_signal_starts_a_round(operator: Operator) -> None:
    with operator.running_agent() as agent:
        eventually(operator.client.providers, "the first request")
        (node,) = operator.client.providers()
        eventually(lambda: operator.client.inventories(node.uuid).inventories, "the last request")
        operator.client.put_traits(node.uuid, [], operator.client.traits(node.uuid).generation)
        agent.send_signal(signal.SIGHUP)
        eventually(lambda: operator.client.traits(node.uuid).traits, "the round")


def test_systemd_is_told(local: Operator, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as supervisor:
        supervisor.bind(str(tmp_path / "notify"))
        supervisor.settimeout(60)
        with local.running_agent(NOTIFY_SOCKET=str(tmp_path / "notify")) as agent:
            told = [supervisor.recv(200)]
            while told[-1] != b"STATUS=Placement is in step.":
                told.append(supervisor.recv(200))
            assert told[0] == b"READY=1"
            assert b"WATCHDOG=1" in {*told, supervisor.recv(200)}
            agent.send_signal(signal.SIGTERM)
            while told[-1] != b"STOPPING=1":
                told.append(supervisor.recv(200))


def test_one_agent_for_each_state_directory(local: Operator) -> None:
    with local.running_agent():
        eventually(local.client.providers, "the start")
        second = local.run("agent", "--once")
    assert second.returncode == 1
    assert "moorage: Another agent runs with the state directory" in second.stderr


def test_an_agent_is_seen_is_killed_is_missed_and_comes_back(local: Operator, service: RunningService) -> None:
    def state() -> list[str]:
        return [each.state for each in local.client.agents().agents]

    configuration = Path(local.environment["MOORAGE_CONFIG"])
    configuration.write_text(configuration.read_text().replace("interval = 86400", "interval = 60"))
    with local.running_agent() as agent:
        eventually(lambda: state() == ["well"], "the first sign")
        agent.kill()
        agent.wait(timeout=60)
    assert state() == ["well"]
    let_time_pass(service, 181)
    assert state() == ["late"]
    with local.running_agent() as agent:
        eventually(lambda: state() == ["well"], "the first sign of the next one")
        agent.send_signal(signal.SIGTERM)
        assert agent.wait(timeout=60) == 0
    assert state() == ["stopped"]
    let_time_pass(service, 100_000)
    assert state() == ["stopped"]


def test_a_single_round_is_not_waited_for(local: Operator) -> None:
    assert local.run("agent", "--once").returncode == 0
    [seen] = local.client.agents().agents
    assert (seen.name, seen.state, seen.interval, seen.providers) == ("host-a", "stopped", None, 1)


def test_upstream_is_told_nothing(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """The log of the client has every request; none is about agents."""
    operator = operator_at("upstream over HTTP", request, tmp_path)
    with operator.running_agent(OS_DEFAULT__DEBUG="true") as agent:
        eventually(lambda: "Placement brought in step" in operator.log.read_text(), "the first round")
        agent.send_signal(signal.SIGTERM)
        assert agent.wait(timeout=60) == 0
    log = operator.log.read_text()
    assert "GET /resource_providers" in log
    assert "/moorage/agents" not in log


def let_time_pass(service: RunningService, seconds: int) -> None:
    """As if all signs were so much older."""
    engine = create_engine(f"sqlite:///{service.state / 'moorage.sqlite'}")
    with engine.begin() as connection:
        earlier = {name: agents.c[name] - seconds for name in ("seen_at", "late_at")}
        connection.execute(update(agents).values(earlier))
    engine.dispose()


def test_killed_and_started_again(operator: Operator) -> None:
    operator.write("example.yaml", EXAMPLE)
    with operator.running_agent() as agent:
        eventually(operator.client.providers, "the first request")
        agent.kill()
    with operator.running_agent():
        eventually(lambda: operator.candidates() == 1, "the first round")
    (operator.files / "example.yaml").unlink()
    operator.has("nodes: []")
    assert operator.run("agent", "--once").returncode == 0
    assert operator.client.providers() == ()


def test_one_round(operator: Operator) -> None:
    operator.write("example.yaml", EXAMPLE)
    done = operator.run("agent", "--once")
    assert done.returncode == 0, done.stderr
    assert operator.candidates() == 1
    (node,) = operator.client.providers()
    consumer = "c0000000-0000-4000-8000-000000000001"
    allocate(operator.client, consumer, {node.uuid: {"CUSTOM_LLC": 2}})
    (operator.files / "example.yaml").unlink()
    undone = operator.run("agent", "--once")
    assert undone.returncode == 1
    assert f"node-1: CUSTOM_LLC is held by consumer {consumer};" in undone.stderr


def test_what_is_wrong_is_one_sentence_each(local: Operator) -> None:
    local.has(ONE_NODE.replace("VCPU: 8", "CUSTOM_LLC: 8"))
    local.write("a.yaml", EXAMPLE)
    failed = local.run("agent")
    assert failed.returncode == 1
    assert [line for line in failed.stderr.splitlines() if line.startswith("moorage: ")] == [
        failed.stderr.splitlines()[-1]
    ]
    assert "moorage: a.yaml, line 6: the host itself reports CUSTOM_LLC" in failed.stderr
    local.write("a.yaml", "meta: {schema_version: 1.0}\nproviders: 7")
    local.write("b.yaml", "meta: {schema_version: 2.0}\nproviders: []")
    failed = local.run("agent")
    assert failed.returncode == 1
    assert sum(line.startswith("moorage: ") for line in failed.stderr.splitlines()) == 2
    assert local.client.providers() == ()


def test_a_placement_that_is_away(local: Operator) -> None:
    configuration = Path(local.environment["MOORAGE_CONFIG"])
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        away = f"http://127.0.0.1:{nobody.getsockname()[1]}/placement"
        lines = configuration.read_text().splitlines()
        configuration.write_text(
            "\n".join(f"endpoint_override = {away}" if "endpoint_override" in line else line for line in lines)
        )
        failed = local.run("agent", "--once")
    assert failed.returncode == 1
    last = failed.stderr.splitlines()[-1]
    assert last.startswith(f"moorage: {away} cannot be reached: Connection refused.")


def test_what_files_mean_for_the_host(local: Operator) -> None:
    local.write("example.yaml", EXAMPLE)
    shown = local.run("provider-config", "show")
    assert shown.returncode == 0, shown.stderr
    lines = shown.stdout.splitlines()
    assert lines[0].startswith("node-1 (")
    assert lines[1:] == [
        "├── CUSTOM_LLC: 22 (reserved 2, max_unit 11)  file:example.yaml",
        "├── MEMORY_MB: 16384  driver:static",
        "├── VCPU: 8  driver:static",
        "├── COMPUTE_NODE  driver:static",
        "├── CUSTOM_P_STATE_ENABLED  file:example.yaml",
        "└── HW_CPU_X86_AVX2  driver:static",
    ]
    assert local.client.providers() == ()

    told = json.loads(local.run("provider-config", "show", str(local.files), "--json").stdout)
    (node,) = told["providers"]
    assert node["inventories"]["CUSTOM_LLC"]["source"] == "file:example.yaml"
    assert node["inventories"]["CUSTOM_LLC"]["total"] == 22
    assert node["traits"]["HW_CPU_X86_AVX2"] == "driver:static"
    assert told["problems"] == []


def test_showing_some_nodes_and_what_is_wrong_with_them(local: Operator) -> None:
    local.has("nodes: [{name: node-1, inventories: {CUSTOM_LLC: 1}}, {name: node-2, children: [{name: child}]}]")
    local.write("example.yaml", EXAMPLE)
    one = local.run("provider-config", "show", "--host", "node-2")
    assert one.returncode == 0
    assert "node-1" not in one.stdout
    assert "└── child (" in one.stdout
    both = local.run("provider-config", "show")
    assert both.returncode == 1
    assert "the host itself reports CUSTOM_LLC" in both.stderr
    neither = local.run("provider-config", "show", "--host", "node-3")
    assert neither.stderr == "moorage: This host has no node node-3; it has: node-1, node-2.\n"


def test_what_the_agent_would_change(operator: Operator) -> None:
    operator.write("example.yaml", EXAMPLE)
    shown = operator.run("provider-config", "diff")
    assert shown.returncode == 0, shown.stderr
    lines = shown.stdout.splitlines()
    assert lines[:2] == ["create the resource class CUSTOM_LLC", "create the trait CUSTOM_P_STATE_ENABLED"]
    assert lines[2].startswith("create the provider node-1 (")
    assert "node-1: add trait CUSTOM_P_STATE_ENABLED" in lines
    assert "node-1: add inventory CUSTOM_LLC 22 (reserved 2, max_unit 11)" in lines
    assert operator.client.providers() == ()

    assert operator.run("agent", "--once").returncode == 0
    assert operator.run("provider-config", "diff").stdout == "Nothing: Placement is in step.\n"
    operator.write("example.yaml", EXAMPLE.replace("total: 22", "total: 33"))
    told = json.loads(operator.run("provider-config", "diff", "--json").stdout)
    (step,) = told["steps"]
    assert step["step"] == "SetInventories"
    assert step["inventories"]["CUSTOM_LLC"]["total"] == 33
    assert step["text"] == [
        "node-1: change inventory CUSTOM_LLC 22 (reserved 2, max_unit 11) to 33 (reserved 2, max_unit 11)"
    ]


def test_what_the_agent_would_leave_because_it_is_in_use(operator: Operator) -> None:
    operator.write("example.yaml", EXAMPLE)
    assert operator.run("agent", "--once").returncode == 0
    (node,) = operator.client.providers()
    allocate(operator.client, CONSUMER, {node.uuid: {"CUSTOM_LLC": 2, "VCPU": 1}})
    operator.remove("example.yaml")
    shown = operator.run("provider-config", "diff")
    assert shown.stdout.splitlines() == [
        "node-1: remove trait CUSTOM_P_STATE_ENABLED",
        "node-1: change inventory CUSTOM_LLC 22 (reserved 2, max_unit 11) to 22 (reserved 22, max_unit 11)",
        "node-1: keep CUSTOM_LLC, which is in use; nobody else gets any",
    ]
    told = json.loads(operator.run("provider-config", "diff", "--json").stdout)
    assert told["kept"] == [{"uuid": node.uuid, "resource_classes": ["CUSTOM_LLC"]}]

    operator.write("example.yaml", EXAMPLE)
    operator.has(
        """
        nodes:
          - name: node-1
            traits: [HW_CPU_X86_AVX2]
            children: [{name: node-1_numa0, inventories: {VCPU: 8, MEMORY_MB: 16384}}]
        """
    )
    created, kept = operator.run("provider-config", "diff").stdout.splitlines()
    assert created.startswith("create the provider node-1_numa0 (")
    assert kept == "node-1: keep MEMORY_MB, VCPU as it is, which is in use and should go over to node-1_numa0"
    told = json.loads(operator.run("provider-config", "diff", "--json").stdout)
    (step,) = told["steps"]
    assert told["postponed"] == [{"uuid": node.uuid, "resource_classes": ["MEMORY_MB", "VCPU"], "to": [step["uuid"]]}]


def test_a_directory_that_is_not_there(local: Operator) -> None:
    missing = local.run("provider-config", "diff", "/nowhere")
    assert missing.returncode == 1
    assert missing.stderr == "moorage: There is no directory /nowhere; name the one that holds the files.\n"


def test_a_stop_in_the_middle_is_clean(operator: Operator) -> None:
    operator.has("nodes: [{name: 'node-{}', count: 20, inventories: {VCPU: 8}}]")
    with operator.running_agent() as agent:
        eventually(operator.client.providers, "the first request")
        os.kill(agent.pid, signal.SIGTERM)
        assert agent.wait(timeout=60) == 0
    assert "Traceback" not in operator.log.read_text()
