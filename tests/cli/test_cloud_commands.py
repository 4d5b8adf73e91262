"""Commands about a cloud, a Moorage and upstream's Placement: by names and by UUIDs, for people and for programs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import pytest
from typer.testing import CliRunner

from moorage.cli.agent import ago
from moorage.cli.main import app
from moorage.client.errors import NotFound
from moorage.client.placement import ConsumerAllocations, PlacementClient, ProviderFilter
from moorage.placement.model.agent import Outcome, Sign
from moorage.placement.model.inventory import Inventory
from moorage.service.errors import OperatorError
from tests.client.conftest import http_client
from tests.client.upstream import ADMIN
from tests.clients.running_service import RunningService

HOST, CARD, OTHER = (f"c0ffee00-0000-4000-8000-00000000000{number}" for number in range(3))
CONSUMER = "c0ffee00-0000-4000-8000-0000000000cc"
GOLD = "c0ffee00-0000-4000-8000-00000000a66e"
CARDS = "CUSTOM_COMMAND_CARD"

pytestmark = pytest.mark.usefixtures("installation")


@dataclass(frozen=True)
class Command:
    """The command, with a credential for one cloud in the environment."""

    environment: dict[str, str]
    client: PlacementClient
    explains: bool

    def __call__(self, *arguments: str, code: int = 0) -> str:
        result = CliRunner().invoke(app, arguments, env=self.environment)
        assert result.exit_code == code, (result.output, result.exception)
        return result.stdout

    def json(self, *arguments: str, code: int = 0) -> Any:
        return json.loads(self(*arguments, "--json", code=code))

    def refusal(self, *arguments: str) -> str:
        result = CliRunner().invoke(app, arguments, env=self.environment)
        assert isinstance(result.exception, OperatorError), result.output
        return str(result.exception)


@pytest.fixture(params=["moorage", "upstream"])
def moorage(request: pytest.FixtureRequest) -> Iterator[Command]:
    """A host with a card and another host, on each kind of Placement; what other tests left is there as well."""
    if request.param == "moorage":
        service: RunningService = request.getfixturevalue("service")
        # The token itself, because logging in with a password takes its time.
        environment = {"OS_AUTH_TYPE": "admin_token", "OS_ENDPOINT": service.placement, "OS_TOKEN": service.token}
        client = http_client(service.placement, service.token)
    else:
        endpoint: str = request.getfixturevalue("upstream")
        environment = {"OS_AUTH_TYPE": "admin_token", "OS_ENDPOINT": endpoint, "OS_TOKEN": ADMIN}
        client = http_client(endpoint, ADMIN)
    client.ensure_resource_classes([CARDS])
    client.create_provider(HOST, "command-host")
    client.create_provider(CARD, "command-card", HOST)
    client.create_provider(OTHER, "command-other")
    client.put_inventories(HOST, {"VCPU": Inventory(8, 2, allocation_ratio=2.0)}, 0)
    client.put_inventories(CARD, {CARDS: Inventory(4)}, 0)
    client.put_inventories(OTHER, {"VCPU": Inventory(4)}, 0)
    client.put_traits(HOST, ["HW_CPU_X86_AVX2"], 1)
    client.put_aggregates(HOST, [GOLD], 2)
    client.put_allocations(CONSUMER, ConsumerAllocations({HOST: {"VCPU": 3}, CARD: {CARDS: 2}}, "p", "u", "INSTANCE"))
    yield Command(environment, client, request.param == "moorage")
    _clean(client)


def _clean(client: PlacementClient) -> None:
    ours = [each for each in client.providers() if each.name.startswith("command-")]
    for each in ours:
        for consumer in client.provider_allocations(each.uuid):
            client.delete_allocations(consumer)
    for each in sorted(ours, key=lambda provider: provider.parent_uuid is None):
        client.delete_provider(each.uuid)
    client.delete_resource_class(CARDS)


def test_lists_by_every_condition(moorage: Command) -> None:
    def names(*arguments: str) -> list[str]:
        return [
            row["name"] for row in moorage.json("provider", "list", *arguments) if row["name"].startswith("command-")
        ]

    assert names() == ["command-card", "command-host", "command-other"]
    assert names("--in-tree", "command-card") == ["command-card", "command-host"]
    assert names("--resources", "VCPU:2", "--required", "HW_CPU_X86_AVX2") == ["command-host"]
    assert names("--resources", "VCPU:2", "--required", "!HW_CPU_X86_AVX2") == ["command-other"]
    assert names("--required", "in:HW_CPU_X86_AVX2,HW_CPU_X86_VMX") == ["command-host"]
    assert names("--resources", "VCPU:2", "--member-of", f"!{GOLD}") == ["command-other"]
    assert names("--member-of", f"in:{GOLD}") == ["command-host"]


def test_csv_is_read_by_others(moorage: Command) -> None:
    [row] = csv.DictReader(io.StringIO(moorage("provider", "list", "--name", "command-card", "--csv")))
    assert row == {"name": "command-card", "uuid": CARD, "generation": "2", "parent": HOST}


def test_a_tree_is_drawn_with_how_full_it_is(moorage: Command) -> None:
    assert moorage("provider", "tree", CARD).splitlines() == [
        f"command-host  {HOST}",
        "├── VCPU  ██░░░░░░░░  25%  3 of 12",
        "├── HW_CPU_X86_AVX2",
        f"└── command-card  {CARD}",
        f"    └── {CARDS}  █████░░░░░  50%  2 of 4",
    ]


def test_a_provider_shows_all_it_has(moorage: Command) -> None:
    shown = moorage.json("provider", "show", "command-host")
    assert (shown["uuid"], shown["traits"], shown["aggregates"], shown["consumers"]) == (
        HOST,
        ["HW_CPU_X86_AVX2"],
        [GOLD],
        1,
    )
    assert shown["inventories"]["VCPU"]["total"] == 8
    assert shown["usages"] == {"VCPU": 3}
    assert "3 of 12" in moorage("provider", "show", HOST)


def test_a_provider_from_its_making_to_its_end(moorage: Command) -> None:
    moorage("provider", "create", "command-new", "--parent", "command-host")
    assert moorage("inventory", "set", "command-new", "VCPU", "--total", "4") == "command-new now offers 4 VCPU.\n"
    changed = moorage.json("inventory", "set", "command-new", "VCPU", "--reserved", "1", "--allocation-ratio", "1.5")
    assert (changed["provider"], changed["class"], changed["total"], changed["capacity"]) == (
        "command-new",
        "VCPU",
        4,
        4,
    )
    [row] = moorage.json("inventory", "list", "command-new")
    assert (row["total"], row["reserved"], row["capacity"]) == (4, 1, 4)
    told = moorage("trait", "add", "command-new", "HW_CPU_X86_AVX2", "HW_CPU_X86_VMX")
    assert told == "command-new now has HW_CPU_X86_AVX2, HW_CPU_X86_VMX.\n"
    assert moorage.json("trait", "remove", "command-new", "HW_CPU_X86_VMX")["traits"] == ["HW_CPU_X86_AVX2"]
    assert moorage.json("trait", "list", "command-new") == [{"trait": "HW_CPU_X86_AVX2"}]
    assert moorage("aggregate", "add", GOLD, "command-new") == f"command-new is in {GOLD}.\n"
    assert [row["name"] for row in moorage.json("aggregate", "show", GOLD)] == ["command-host", "command-new"]
    [row] = moorage.json("aggregate", "remove", GOLD, "command-new")
    assert (row["name"], row["aggregates"]) == ("command-new", [])
    assert moorage.json("inventory", "delete", "command-new", "VCPU")["class"] == "VCPU"
    changed = moorage.json("provider", "set", "command-new", "--name", "command-newer", "--root")
    assert (changed["name"], changed["parent"]) == ("command-newer", None)
    assert moorage.client.providers(ProviderFilter(name="command-newer"))[0].parent_uuid is None
    assert moorage("provider", "delete", "command-newer") == f"Removed command-newer ({changed['uuid']}).\n"


def test_what_names_several_providers_changes_none_if_one_is_not_there(moorage: Command) -> None:
    refused = moorage.refusal("aggregate", "add", GOLD, "command-other", "command-nobody")
    assert refused.startswith("There is no provider command-nobody")
    assert [row["name"] for row in moorage.json("aggregate", "show", GOLD)] == ["command-host"]


@pytest.mark.parametrize("kind", ["trait", "class"])
def test_names_are_made_up_and_removed(moorage: Command, kind: str) -> None:
    first, second = "CUSTOM_COMMAND_ONE", "CUSTOM_COMMAND_TWO"
    assert moorage(kind, "create", first) == f"Made {first}.\n"
    made = moorage.json(kind, "create", first, second, second)
    assert made == [{kind: first, "made": False}, {kind: second, "made": True}]
    listed = [row[kind] for row in moorage.json(kind, "list", "--custom")]
    assert {first, second} <= {*listed}
    assert all(name.startswith("CUSTOM_") for name in listed)
    assert {*listed} < {row[kind] for row in moorage.json(kind, "list")}
    # What was done before the error is told, to people and to programs.
    stopped = CliRunner().invoke(app, [kind, "delete", first, "CUSTOM_COMMAND_NONE"], env=moorage.environment)
    assert stopped.output == f"Removed {first}.\n"
    assert "CUSTOM_COMMAND_NONE" in str(stopped.exception)
    arguments = [kind, "delete", second, "CUSTOM_COMMAND_NONE", "--json"]
    stopped = CliRunner().invoke(app, arguments, env=moorage.environment)
    assert json.loads(stopped.stdout) == [{kind: second}]
    assert stopped.exit_code == 1


def test_a_name_that_is_not_there_is_refused_with_what_makes_it(moorage: Command) -> None:
    missing = "CUSTOM_COMMAND_MISSING"
    told = moorage.refusal("inventory", "set", "command-other", missing, "--total", "1")
    assert told == f"There is no resource class {missing}; `moorage class create {missing}` makes it."
    told = moorage.refusal("trait", "add", "command-other", "HW_CPU_X86_VMX", missing)
    assert told == f"There is no trait {missing}; `moorage trait create {missing}` makes it."
    assert "`moorage class list` shows" in moorage.refusal("inventory", "set", "command-other", "VPCU", "--total", "1")
    # What is refused for another reason is refused in the words of the service.
    assert "was refused" in moorage.refusal("inventory", "set", "command-other", "VCPU", "--reserved", "2147483648")


def test_who_holds_what(moorage: Command) -> None:
    assert moorage.json("allocation", "list", "command-card") == [{"consumer": CONSUMER, "resources": {CARDS: 2}}]
    held = {(row["provider"], row["class"], row["amount"]) for row in moorage.json("allocation", "show", CONSUMER)}
    assert held == {("command-host", "VCPU", 3), ("command-card", CARDS, 2)}
    changed = moorage.json("allocation", "set", CONSUMER, "command-other=VCPU:1")
    assert changed == {"consumer": CONSUMER, "project": "p", "user": "u", "allocations": {OTHER: {"VCPU": 1}}}
    assert "INSTANCE of project p, user u, generation 2" in moorage("allocation", "show", CONSUMER)
    assert moorage("allocation", "delete", CONSUMER) == f"{CONSUMER} holds nothing any more.\n"
    assert "holds nothing" in moorage.refusal("allocation", "show", CONSUMER)


def test_usage_of_a_tree_and_of_a_project(moorage: Command) -> None:
    rows = moorage.json("usage", "command-card")
    assert {"class": CARDS, "used": 2, "capacity": 4} in rows
    assert {"class": "VCPU", "used": 3, "capacity": 12} in rows
    used = {(row["class"], row["amount"]) for row in moorage.json("usage", "--project", "p")}
    assert {("VCPU", 3), (CARDS, 2)} <= used


def test_long_questions_show_how_far_they_are(moorage: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[str, int]] = []

    @contextmanager
    def recorded(_title: str, totals: Mapping[str, int]) -> Iterator[Callable[[str, int], None]]:
        yield lambda what, count: told.append((what, count))
        assert totals == {"providers": len(told)}

    monkeypatch.setattr("moorage.cli.progress.progress", recorded)
    moorage("usage", "command-card")
    # A Moorage is asked once for all of them.
    assert told == ([] if moorage.explains else [("providers", 1)] * 2)


def test_candidates_with_all_kinds_of_conditions(moorage: Command) -> None:
    def hosts(*arguments: str) -> set[str]:
        return {row["host"] for row in csv.DictReader(io.StringIO(moorage("candidates", *arguments, "--csv")))}

    card = ("--group", f"CARD resources={CARDS}:1")
    assert hosts("--resources", "VCPU:1", *card, "--group-policy", "none") == {"command-host"}
    near = ("--group", f"1 resources=VCPU:1 member_of={GOLD}", "--group", f"2 resources={CARDS}:1")
    assert hosts(*near, "--group-policy", "isolate", "--same-subtree", "1,2") == {"command-host"}
    root = ("--root-required", "!HW_CPU_X86_AVX2")
    moorage("candidates", f"resources={CARDS}:1", *root, code=3)
    assert "command-host" in hosts("--resources", "VCPU:1", "--in-tree", "command-host")
    assert "command-host" not in hosts("--resources", "VCPU:1", "--member-of", f"!{GOLD}", "--in-tree", "command-other")


def test_candidates_for_programs_are_the_answer_of_the_api(moorage: Command) -> None:
    query = ("--resources", "VCPU:1", "--group", f"_CARD resources={CARDS}:1", "--group-policy", "none")
    answer = moorage.json("candidates", *query, "--in-tree", "command-host")
    [request] = answer["allocation_requests"]
    assert request["mappings"] == {"": [HOST], "_CARD": [CARD]}
    assert {*answer["provider_summaries"]} == {HOST, CARD}
    # With an owner it is a claim as it is.
    owner = {"project_id": "p", "user_id": "u", "consumer_generation": None, "consumer_type": "INSTANCE"}
    moorage.client.delete_allocations(CONSUMER)
    moorage.client._calls.send("PUT", f"/allocations/{CONSUMER}", content={**request, **owner})
    assert moorage.client.usages(CARD) == {CARDS: 1}


def test_only_the_providers_of_an_answer_are_asked_for_their_names(
    moorage: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    query = ("candidates", "--resources", "VCPU:1", "--group", f"_CARD resources={CARDS}:1", "--group-policy", "none")
    found = moorage(*query)
    assert f"command-host: VCPU=1; command-card: {CARDS}=1" in found

    def everybody(*_: object) -> None:
        raise AssertionError("All providers were listed.")

    with monkeypatch.context() as patched:
        patched.setattr(PlacementClient, "providers", everybody)
        assert moorage(*query) == found
    # Of very many it takes less to list them all.
    monkeypatch.setattr("moorage.cli.explanation._FEW", 0)
    monkeypatch.setattr(PlacementClient, "provider", everybody)
    assert moorage(*query) == found


def test_where_nothing_fits_the_exit_code_says_so(moorage: Command) -> None:
    arguments = ("candidates", "--resources", f"{CARDS}:3", "--required", "HW_CPU_X86_AVX2")
    told = moorage(*arguments, code=3)
    assert moorage.json(*arguments, code=3) == {"allocation_requests": [], "provider_summaries": {}}
    assert moorage(*arguments, "--csv", code=3) == "#,host,allocations\n"
    if moorage.explains:
        assert f"None is left after resources={CARDS}:3." in told
        assert moorage.json(*arguments, "--explain", code=3)["has_candidates"] is False
        moorage("candidates", "--resources", f"{CARDS}:1", "--explain")
    else:
        assert "Only a Moorage explains" in moorage.refusal(*arguments, "--explain")


def test_mistakes_are_one_sentence(moorage: Command) -> None:
    assert moorage.refusal("provider", "show", "nobody").startswith("There is no provider nobody")
    assert "write it like VCPU:8" in moorage.refusal("candidates", "--resources", "VCPU")
    assert "is none of resources=…" in moorage.refusal("candidates", "--group", "A colour=red")
    assert "no UUID" in moorage.refusal("allocation", "show", "someone")
    moorage("provider", "list", "--json", "--csv", code=2)


class TestAgents:
    @pytest.fixture
    def signs(self, moorage: Command) -> Iterator[None]:
        """On a Moorage, one agent that is well and one that fails."""
        names = ("command-a", "command-b") if moorage.explains else ()
        for name in names:
            outcome = Outcome.FAILED if name == "command-b" else Outcome.WELL
            reason = "The disk is full." if name == "command-b" else None
            moorage.client.leave_sign(Sign(name, "1.2.3", 60.0, outcome, reason, 3))
        yield
        for name in names:
            with suppress(NotFound):
                moorage.client.forget_agent(name)

    @pytest.mark.usefixtures("signs")
    def test_are_listed_and_forgotten(self, moorage: Command) -> None:
        if not moorage.explains:
            assert moorage.refusal("agent", "list").startswith("Only a Moorage knows of agents")
            return
        rows = [row for row in moorage.json("agent", "list") if row["name"].startswith("command-")]
        assert [(row["name"], row["state"], row["reason"], row["providers"]) for row in rows] == [
            ("command-b", "failing", "The disk is full.", 3),
            ("command-a", "well", None, 3),
        ]
        [only] = moorage.json("agent", "list", "--state", "failing", "--limit", "1")
        assert only["name"] == "command-b"
        [found] = csv.DictReader(io.StringIO(moorage("agent", "list", "--state", "failing", "--csv")))
        assert (found["name"], found["interval"]) == ("command-b", "60.0")
        table = moorage("agent", "list")
        assert "The disk is full." in table
        assert "seconds ago" in table or "second ago" in table
        assert "1 failing" in table.splitlines()[-1]
        assert moorage.json("agent", "forget", "command-b") == {"name": "command-b"}
        assert "No agent command-b has left a sign of life" in moorage.refusal("agent", "forget", "command-b")

    def test_the_options_of_the_agent_itself_are_for_nothing_else(self) -> None:
        result = CliRunner().invoke(app, ["agent", "--once", "list"])
        assert result.exit_code == 2
        assert "for the agent itself" in result.output

    @pytest.mark.parametrize(
        ("seconds", "words"),
        [
            (0, "0 seconds ago"),
            (1, "1 second ago"),
            (119, "119 seconds ago"),
            (120, "2 minutes ago"),
            (7199, "119 minutes ago"),
            (7200, "2 hours ago"),
            (172_800, "2 days ago"),
        ],
    )
    def test_ages_are_told_in_units_that_one_can_read(self, seconds: int, words: str) -> None:
        assert ago(seconds) == words


class TestServers:
    @pytest.fixture
    def cloud(self, service: RunningService) -> Command:
        environment = {"OS_CLIENT_CONFIG_FILE": str(service.clouds_file), "OS_CLOUD": "moorage"}
        return Command(environment, http_client(service.placement, service.token), explains=True)

    def test_flavors_and_images(self, cloud: Command) -> None:
        cloud(
            "flavor",
            "create",
            "command-flavor",
            "--vcpus",
            "2",
            "--ram",
            "64",
            "--property",
            "trait:COMPUTE_NODE=required",
        )
        cloud("image", "create", "command-image", "--property", "trait:HW_CPU_X86_AVX2=required")
        try:
            assert cloud.json("flavor", "show", "command-flavor")["extra_specs"] == {"trait:COMPUTE_NODE": "required"}
            [image] = [row for row in cloud.json("image", "list") if row["name"] == "command-image"]
            assert image["required traits"] == ["HW_CPU_X86_AVX2"]
            assert cloud.json("image", "show", image["id"])["name"] == "command-image"
            assert "There is no server nobody; `moorage server list` shows" in cloud.refusal("server", "show", "nobody")
            assert "was refused" in cloud.refusal(
                "server", "create", "s", "--flavor", "command-flavor", "--image", "command-image", "--zone", "nowhere"
            )
        finally:
            assert cloud.json("image", "delete", "command-image")["name"] == "command-image"
            assert cloud("flavor", "delete", "command-flavor").startswith("Removed command-flavor (")
        assert "There is no flavor command-flavor" in cloud.refusal("fit", "command-flavor")

    def test_a_size_in_place_of_a_flavor(self, cloud: Command) -> None:
        cloud("fit", "--vcpus", "100000", code=3)


def test_without_a_cloud_it_is_said_what_to_do() -> None:
    result = CliRunner().invoke(app, ["provider", "list"])
    assert "`moorage serve` makes one" in str(result.exception)


def test_without_a_name_it_is_the_cloud_of_this_machine(
    service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(service.state.parent))
    assert CliRunner().invoke(app, ["provider", "list", "--json"]).exit_code == 0


def test_a_service_that_is_away_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OS_AUTH_URL", "http://127.0.0.1:1/v3")
    for name in ("USERNAME", "PASSWORD", "PROJECT_NAME"):
        monkeypatch.setenv(f"OS_{name}", "x")
    monkeypatch.setenv("OS_USER_DOMAIN_ID", "default")
    monkeypatch.setenv("OS_PROJECT_DOMAIN_ID", "default")
    told = str(CliRunner().invoke(app, ["provider", "list"]).exception)
    assert told.startswith("http://127.0.0.1:1/v3/auth/tokens cannot be reached: Connection refused.")
