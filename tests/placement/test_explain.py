"""GET /moorage/allocation_candidates/explain: every number and every piece of advice is true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qsl, urlencode
from uuid import UUID

import pytest
from hypothesis import given

from moorage.placement.index import amounts as trying
from moorage.placement.index import explain as explaining
from moorage.placement.index import matching
from moorage.placement.index import search as searching
from moorage.placement.index import variations as varying
from moorage.placement.index.cloud import Cloud
from moorage.placement.index.columns import Slots
from moorage.placement.index.conditions import growing
from moorage.placement.index.explain import explain
from moorage.placement.index.matching import Part
from moorage.placement.index.search import Order, search
from moorage.placement.model.query import CandidateQuery, RequestGroup
from tests.placement.index.clouds import Provider, cloud_of, group, provider, stock
from tests.placement.index.random_clouds import forests, queries
from tests.placement.rest import SHARING, Api, Reply
from tests.properties import effort

PATH = "/moorage/allocation_candidates/explain"
FAST = "HW_CPU_X86_AVX"
RACK = str(UUID(int=0xA))


def ask(api: Api, path: str, query: str) -> Reply:
    return api.send_raw("GET", path, b"", query_string=query)


# --- each kind of condition


def uuid_of(name: str) -> str:
    return str(UUID(bytes=name.encode().ljust(16, b"\0")))


def item(name: str, parent: str | None = None, **parts: Any) -> dict[str, Any]:
    return {"uuid": uuid_of(name), "name": name, "parent_provider_uuid": parent and uuid_of(parent), **parts}


CLOUD = [
    item("plain", inventories={"VCPU": {"total": 8}}),
    item("small", inventories={"VCPU": {"total": 2}}),
    item("disk", inventories={"DISK_GB": {"total": 100, "max_unit": 5}}),
    item("steps", inventories={"MEMORY_MB": {"total": 100, "step_size": 10}}),
    item("minimum", inventories={"IPV4_ADDRESS": {"total": 100, "min_unit": 8}}),
    item("fast", inventories={"PCPU": {"total": 4}}, traits=[FAST], aggregates=[RACK]),
    item("gpus"),
    item("gpu0", "gpus", inventories={"VGPU": {"total": 2}}),
    item("gpu1", "gpus", inventories={"VGPU": {"total": 2}}),
    item("net", inventories={"SRIOV_NET_VF": {"total": 4}}),
]


@dataclass(frozen=True)
class Case:
    """A query that finds nothing: which condition took the last root, an example, and what would have helped."""

    query: str
    blocked_by: str
    example: str
    helps: Sequence[str]


CASES = {
    "an amount that nobody has": Case(
        "resources=VCPU:64",
        "resources=VCPU:64",
        "VCPU: asked 64, free 8 on plain",
        ["resources=VCPU:8 instead of 64"],
    ),
    "an amount beyond all numbers of a database": Case(
        f"resources=VCPU:{10**30}",
        f"resources=VCPU:{10**30}",
        f"VCPU: asked {10**30}, free 8 on plain",
        [f"resources=VCPU:8 instead of {10**30}"],
    ),
    "such an amount in another group": Case(
        f"resources1=VCPU:{10**30}&resources2=VCPU:3&group_policy=none",
        f"resources1=VCPU:{10**30}",
        f"VCPU: asked {10**30}, free 8 on plain",
        [f"resources1=VCPU:5 instead of {10**30}"],
    ),
    "more than may be taken at once": Case(
        "resources=DISK_GB:10",
        "resources=DISK_GB:10",
        "DISK_GB: asked 10, free 100 on disk, but one allocation there must be 1 to 5 in steps of 1",
        ["resources=DISK_GB:5 instead of 10"],
    ),
    "an amount between the steps": Case(
        "resources=MEMORY_MB:25",
        "resources=MEMORY_MB:25",
        "MEMORY_MB: asked 25, free 100 on steps, but one allocation there must be 1 to 2147483647 in steps of 10",
        ["resources=MEMORY_MB:30 instead of 25", "resources=MEMORY_MB:20 instead of 25"],
    ),
    "less than may be taken at once": Case(
        "resources=IPV4_ADDRESS:3",
        "resources=IPV4_ADDRESS:3",
        "IPV4_ADDRESS: asked 3, free 100 on minimum, but one allocation there must be 8 to 2147483647 in steps of 1",
        ["resources=IPV4_ADDRESS:8 instead of 3"],
    ),
    "a class that the rest of the request leaves nobody for": Case(
        "resources=VCPU:1,VGPU:1",
        "resources=VGPU:1",
        "VGPU: asked 1, but none of the trees left has any inventory of it",
        ["without resources=VCPU", "without resources=VGPU"],
    ),
    "a trait that is missing": Case(
        f"resources=VCPU:1&required={FAST}",
        f"required={FAST}",
        f"plain meets everything before required={FAST}",
        [f"without required={FAST}"],
    ),
    "traits of which one would do": Case(
        f"resources=VCPU:1&required=in:{FAST},HW_CPU_X86_SGX",
        f"required=in:{FAST},HW_CPU_X86_SGX",
        "plain meets everything before required=",
        [f"without required=in:{FAST},HW_CPU_X86_SGX"],
    ),
    "a trait that is forbidden": Case(
        f"resources=PCPU:1&required=!{FAST}",
        f"required=!{FAST}",
        f"fast meets everything before required=!{FAST}",
        [f"without required=!{FAST}"],
    ),
    "an aggregate": Case(
        f"resources=VCPU:1&member_of={RACK}",
        f"member_of={RACK}",
        f"plain meets everything before member_of={RACK}",
        [f"without member_of={RACK}"],
    ),
    "an aggregate that is forbidden": Case(
        f"resources=PCPU:1&member_of=!{RACK}",
        f"member_of=!{RACK}",
        f"fast meets everything before member_of=!{RACK}",
        [f"without member_of=!{RACK}"],
    ),
    "a tree": Case(
        f"resources=PCPU:1&in_tree={uuid_of('disk')}",
        f"in_tree={uuid_of('disk')}",
        "fast meets everything before in_tree=",
        [f"without in_tree={uuid_of('disk')}"],
    ),
    "what the root must be like": Case(
        f"resources=VGPU:1&root_required={FAST}",
        f"root_required={FAST}",
        f"gpus meets everything before root_required={FAST}",
        [f"without root_required={FAST}"],
    ),
    "what the root must not be like": Case(
        f"resources=PCPU:1&root_required=!{FAST}",
        f"root_required=!{FAST}",
        f"fast meets everything before root_required=!{FAST}",
        [f"without root_required=!{FAST}"],
    ),
    "isolation": Case(
        "resources1=VGPU:1&resources2=VGPU:1&resources3=VGPU:1&group_policy=isolate",
        "group_policy=isolate",
        "3 groups must not share a provider; those that can serve any of them: gpu0, gpu1",
        ["group_policy=none instead of isolate"],
    ),
    "a subtree": Case(
        "resources_A=VGPU:1&resources_B=VGPU:1&group_policy=isolate&same_subtree=_A,_B",
        "same_subtree=_A,_B",
        "gpus meets everything before same_subtree=_A,_B",
        ["group_policy=none instead of isolate", "without same_subtree=_A,_B"],
    ),
    "amounts together": Case(
        "resources1=SRIOV_NET_VF:3&resources2=SRIOV_NET_VF:2&group_policy=none",
        "all groups together",
        "SRIOV_NET_VF: asked 3 + 2, free 4 on net",
        ["resources1=SRIOV_NET_VF:2 instead of 3", "resources2=SRIOV_NET_VF:1 instead of 2"],
    ),
    "amounts that are too large by far together": Case(
        "resources1=SRIOV_NET_VF:4&resources2=SRIOV_NET_VF:3&group_policy=none",
        "all groups together",
        "SRIOV_NET_VF: asked 4 + 3, free 4 on net",
        ["resources1=SRIOV_NET_VF:1 instead of 4"],
    ),
    "one condition of several groups": Case(
        f"resources=VCPU:1&resources1=VCPU:1&required1={FAST}",
        f"required1={FAST}",
        f"plain meets everything before required1={FAST}",
        [f"without required1={FAST}"],
    ),
}


def relaxed(query: str, change: str) -> str:
    """The query after a change that was advised."""
    pairs = parse_qsl(query)
    advice, instead, _ = change.removeprefix("without ").partition(" instead of ")
    key, _, value = advice.partition("=")
    if instead and not key.startswith("resources"):
        pairs = [(name, value if name == key else old) for name, old in pairs]
    elif key.startswith("resources"):
        resource_class, _, amount = value.partition(":")
        amounts = dict(part.split(":") for name, old in pairs if name == key for part in old.split(","))
        amounts = {**amounts, resource_class: amount} if instead else {k: v for k, v in amounts.items() if k != value}
        spelled = ",".join(f"{name}:{number}" for name, number in amounts.items())
        pairs = [(name, spelled if name == key else old) for name, old in pairs]
    else:
        pairs.remove((key, value))
    return urlencode(pairs)


class TestARequestThatFindsNothing:
    @pytest.fixture(autouse=True)
    def _cloud(self, api: Api) -> None:
        api.post("/moorage/providers", {"providers": CLOUD})

    @pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
    def test_is_told_what_stood_in_its_way_and_what_would_help(self, api: Api, case: Case) -> None:
        assert ask(api, "/allocation_candidates", case.query).json["allocation_requests"] == []
        story = ask(api, PATH, case.query).json
        assert story["has_candidates"] is False
        assert story["blocked_by"]["condition"] == case.blocked_by
        assert story["blocked_by"] == story["funnel"][-1]
        assert story["blocked_by"]["roots"] == 0
        assert any(case.example in example for example in story["examples"])
        advice = [item["change"] for item in story["relaxations"]]
        for change in advice:
            assert ask(api, "/allocation_candidates", relaxed(case.query, change)).json["allocation_requests"]
        assert set(advice) >= set(case.helps)

    def test_is_told_of_the_smallest_change_first(self, api: Api) -> None:
        story = ask(api, PATH, "resources=VCPU:10,DISK_GB:50").json
        assert story["relaxations"] == []  # no single change helps: nobody has both
        story = ask(api, PATH, "resources1=VGPU:4&resources2=VGPU:2&group_policy=none").json
        assert story["relaxations"][0] == {"group": "1", "change": "resources1=VGPU:2 instead of 4"}

    def test_is_told_how_many_were_left_after_each_condition(self, api: Api) -> None:
        story = ask(api, PATH, f"resources=VCPU:1&required={FAST}").json
        assert story["funnel"] == [
            {"group": None, "condition": "all providers", "roots": 8, "providers": 10},
            {"group": "", "condition": "resources=VCPU:1", "roots": 2, "providers": 2},
            {"group": "", "condition": f"required={FAST}", "roots": 0, "providers": 0},
        ]


# --- requests that find something, and such that are refused


def test_a_request_that_finds_something_is_told_so(api: Api) -> None:
    api.create_provider("host", {"VCPU": 8})
    api.create_provider("full", {"VCPU": {"total": 8, "reserved": 8}})
    assert ask(api, PATH, "resources=VCPU:1").json == {
        "has_candidates": True,
        "funnel": [
            {"group": None, "condition": "all providers", "roots": 2, "providers": 2},
            {"group": "", "condition": "resources=VCPU:1", "roots": 1, "providers": 1},
        ],
        "blocked_by": None,
        "examples": [],
        "relaxations": [],
    }


def test_an_empty_cloud_is_explained_as_well(api: Api) -> None:
    story = ask(api, PATH, "resources=VCPU:1").json
    assert story["has_candidates"] is False
    assert story["funnel"][0]["roots"] == 0


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("resources=CUSTOM_NOTHING:1", "CUSTOM_NOTHING"),
        ("resources=VCPU:1&required=CUSTOM_NOTHING", "CUSTOM_NOTHING"),
        ("resources=VCPU:1&root_required=!CUSTOM_NOTHING", "CUSTOM_NOTHING"),
        ("resources=VCPU", "VCPU"),
        ("resources=VCPU:1&colour=red", "colour"),
        ("", "resources"),
    ],
)
def test_a_query_that_no_candidates_could_be_asked_with_is_refused(api: Api, query: str, said: str) -> None:
    reply = ask(api, PATH, query)
    assert reply.status == 400
    assert said in reply.detail
    assert reply.status == ask(api, "/allocation_candidates", query).status


def test_policy_is_enforced(api: Api) -> None:
    headers = {"x-auth-token": "somebody:project", "x-roles": "reader"}
    assert api.send_raw("GET", PATH, b"", query_string="resources=VCPU:1", headers=headers).status == 403


# --- the numbers


def roots_found(cloud: Cloud, query: CandidateQuery) -> int:
    """How many trees there are candidates in."""
    topology = cloud.topology
    return len({int(topology.roots[choice[0]]) for choice in search(cloud, query, Order()).choices})


@effort(100)
@given(forests(sharing=False), queries())
def test_the_story_ends_as_the_search_does(forest: list[Provider], query: CandidateQuery) -> None:
    cloud = cloud_of(*forest)
    story = explain(cloud, query)
    assert story.steps[-1].roots == roots_found(cloud, query)
    assert (story.blocked_by is None) == bool(roots_found(cloud, query))
    counts = [step.roots for step in story.steps]
    assert counts == sorted(counts, reverse=True)


@effort(60)
@given(forests(), queries())
def test_the_story_is_true_where_providers_share(forest: list[Provider], query: CandidateQuery) -> None:
    cloud = cloud_of(*forest)
    assert (explain(cloud, query).blocked_by is None) == bool(search(cloud, query, Order()).choices)


@effort(80)
@given(forests(sharing=False), queries())
def test_each_step_counts_what_a_search_with_the_conditions_so_far_finds(
    forest: list[Provider], query: CandidateQuery
) -> None:
    cloud = cloud_of(*forest)
    # Groups that compete, and traits that several providers may have together, are steps of their own.
    alone = CandidateQuery(tuple(replace(one, suffix="1") for one in query.groups[:1]), root_traits=query.root_traits)
    story = explain(cloud, alone)
    for step, (condition, grown) in zip(story.steps[1:], growing(alone), strict=False):
        assert step.condition == condition.text
        assert step.roots == roots_found(cloud, grown)


def test_providers_are_counted_in_the_trees_that_are_left() -> None:
    cloud = cloud_of(
        provider("one", traits=["FAST", "SAFE"]).over(provider("cell0", VCPU=1), provider("cell1", VCPU=1)),
        provider("two", traits=["SAFE"]).over(provider("cell2", VCPU=1)),
        provider("three", traits=["FAST"]).over(provider("cell3", VCPU=1)),
    )
    both = replace(CandidateQuery(()).root_traits, required=(frozenset({"FAST"}), frozenset({"SAFE"})))
    story = explain(cloud, CandidateQuery((group(VCPU=1),), root_traits=both))
    assert [(step.condition, step.roots, step.providers) for step in story.steps] == [
        ("all providers", 3, 7),
        ("resources=VCPU:1", 3, 4),
        ("root_required=FAST", 2, 3),
        ("root_required=SAFE", 1, 2),
    ]


def test_providers_that_share_are_counted_and_named() -> None:
    cloud = cloud_of(
        provider("pool", traits=[SHARING], aggregates=["rack"], DISK_GB=10),
        provider("host", aggregates=["rack"], VCPU=2),
    )
    story = explain(cloud, CandidateQuery((group(VCPU=1), group("_D", DISK_GB=5))))
    assert [(step.condition, step.roots, step.providers) for step in story.steps] == [
        ("all providers", 2, 2),
        ("resources=VCPU:1", 1, 1),
        ("resources_D=DISK_GB:5", 1, 1),
    ]
    story = explain(cloud, CandidateQuery((group(VCPU=1), group("_D", DISK_GB=50))))
    assert story.examples == ("DISK_GB: asked 50, free 10 on pool",)


def test_a_smaller_amount_is_found_also_where_it_has_a_lower_bound() -> None:
    cloud = cloud_of(
        provider("right", traits=["SAFE"], VCPU=stock(5, min_unit=5)),
        *(provider(f"wrong{size}", VCPU=size) for size in (1, 2, 3, 4, 6, 7)),
    )
    story = explain(cloud, CandidateQuery((group(VCPU=8, required="SAFE"),)))
    assert story.relaxations[0].change == "resources=VCPU:5 instead of 8"


def largest_smaller(cloud: Cloud, query: CandidateQuery, asked: RequestGroup, name: str) -> int:
    """By trying every amount; 0 if none helps."""

    def found(amount: int) -> bool:
        smaller = replace(asked, resources={**asked.resources, name: amount})
        groups = tuple(smaller if one is asked else one for one in query.groups)
        return bool(search(cloud, replace(query, groups=groups, limit=1), Order()).choices)

    return next((amount for amount in range(asked.resources[name] - 1, 0, -1) if found(amount)), 0)


@effort(150)
@given(forests() | forests(large=True), queries() | queries(large=True))
def test_the_smaller_amount_that_is_advised_is_the_largest_that_helps(
    forest: list[Provider], query: CandidateQuery
) -> None:
    cloud = cloud_of(*forest)
    story = explain(cloud, query)
    if story.blocked_by is None:
        return
    advised = {
        (advice.group, name): int(amount)
        for advice in story.relaxations
        if " instead of " in advice.change and advice.change.startswith("resources")
        for name, amount in [advice.change.partition(" ")[0].partition("=")[2].split(":")]
        if int(amount) < int(advice.change.rpartition(" ")[2])
    }
    for asked in query.groups:
        for name in asked.resources:
            assert advised.get((asked.suffix, name), 0) == largest_smaller(cloud, query, asked, name)


@pytest.mark.parametrize(("asked", "enough"), [((20, 3), 7), ((10, 4), 6)])
def test_what_groups_take_of_one_provider_together_is_bounded_by_its_largest_unit(
    asked: tuple[int, int], enough: int
) -> None:
    cloud = cloud_of(provider("host", VCPU=stock(100, max_unit=10)))
    first, second = asked
    story = explain(cloud, CandidateQuery((group("1", VCPU=first), group("2", VCPU=second))))
    assert story.relaxations[0].change == f"resources1=VCPU:{enough} instead of {first}"


def test_what_can_be_taken_together_is_told_and_not_what_is_there() -> None:
    cloud = cloud_of(provider("host", VCPU=stock(100, max_unit=10)))
    story = explain(cloud, CandidateQuery((group("1", VCPU=8), group("2", VCPU=4))))
    assert story.examples == ("VCPU: asked 8 + 4, free 10 on host",)


def test_of_many_providers_some_are_named() -> None:
    cells = [provider(f"cell{number}", VCPU=2) for number in range(5)]
    cloud = cloud_of(provider("host").over(*cells))
    story = explain(cloud, CandidateQuery(tuple(group(f"_{n}", VCPU=2) for n in range(6))))
    assert story.examples == (
        "VCPU: asked 2 + 2 + 2 + 2 + 2 + 2, free 2 on cell0, 2 on cell1, 2 on cell2, less or as much on 2 more",
    )
    story = explain(cloud, CandidateQuery(tuple(group(f"_{n}", VCPU=1) for n in range(6)), isolate=True))
    assert story.examples == (
        "6 groups must not share a provider; those that can serve any of them: cell0, cell1, cell2, 2 more",
    )


def test_a_larger_amount_is_found_also_behind_many_that_do_not_help() -> None:
    """Of each of the ten hosts, 25 of 30 are wanted besides; only the cell has 45 or more to give."""
    hosts = [provider(f"host{n}", VCPU=stock(30, min_unit=10 + n)) for n in range(10)]
    large = provider("host", VCPU=30).over(provider("cell", VCPU=stock(100, min_unit=45)))
    cloud = cloud_of(*hosts, large)
    story = explain(cloud, CandidateQuery((group("1", VCPU=6), group("2", VCPU=25))))
    assert "resources1=VCPU:45 instead of 6" in [advice.change for advice in story.relaxations]


def test_what_groups_lack_together_is_told_in_numbers() -> None:
    cloud = cloud_of(provider("host").over(provider("n0", VCPU=10), provider("n1", VCPU=8)))
    story = explain(cloud, CandidateQuery((group("_A", VCPU=6), group("_B", VCPU=6), group("_C", VCPU=5))))
    assert story.blocked_by is not None
    assert story.blocked_by.condition == "all groups together"
    assert story.examples == ("VCPU: asked 6 + 6 + 5, free 10 on n0, 8 on n1",)
    assert story.relaxations[0].change == "resources_A=VCPU:5 instead of 6"


def test_other_groups_may_find_room_elsewhere() -> None:
    cloud = cloud_of(provider("host").over(provider("a", traits=["FAST"], VCPU=10), provider("b", VCPU=3)))
    asked = (group("_A", VCPU=20, required="FAST"), group("_B", VCPU=2, required="FAST"), group("_C", VCPU=3))
    assert explain(cloud, CandidateQuery(asked)).relaxations[0].change == "resources_A=VCPU:8 instead of 20"


def test_a_larger_amount_may_be_the_nearer_one() -> None:
    cloud = cloud_of(provider("a", VCPU=1), provider("b", VCPU=stock(80, min_unit=50)))
    advice = explain(cloud, CandidateQuery((group(VCPU=40),))).relaxations
    assert [each.change for each in advice] == ["resources=VCPU:50 instead of 40", "resources=VCPU:1 instead of 40"]


def test_a_condition_that_is_repeated_is_told_once() -> None:
    cloud = cloud_of(provider("a", VCPU=1))
    asked = group(VCPU=1)
    twice = replace(asked, traits=replace(asked.traits, required=(frozenset({"FAST"}), frozenset({"FAST"}))))
    story = explain(cloud, CandidateQuery((twice,)))
    assert [step.condition for step in story.steps[1:]] == ["resources=VCPU:1", "required=FAST"]
    assert [advice.change for advice in story.relaxations] == ["without required=FAST"]


# --- the work


def test_a_group_is_looked_for_once_however_many_changes_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_for: list[str] = []
    one_group = matching.parts_of

    def noted(cloud: Cloud, asked: RequestGroup, *others: Any) -> list[Part]:
        looked_for.append(asked.suffix)
        return one_group(cloud, asked, *others)

    for module in (matching, explaining, varying, trying):
        monkeypatch.setattr(module, "parts_of", noted)
    groups = tuple(group(f"_{number}", VCPU=1 + number, required="FAST", forbidden="SAFE") for number in range(20))
    cloud = cloud_of(*(provider(f"host{n}", VCPU=64, traits=["FAST"]) for n in range(10)))
    story = explain(cloud, CandidateQuery((*groups, group("_last", VCPU=1, required="SAFE"))))
    assert story.blocked_by is not None
    assert story.blocked_by.condition == "required_last=SAFE"
    assert len(looked_for) <= 21 + 3 * 20 + 2 + 2  # all at once, each as it grows, and two changes of the last


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[CandidateQuery]:
    """What is searched for; to look at afterwards."""
    asked: list[CandidateQuery] = []
    anchors_of = searching.anchors_of

    def noted(cloud: Cloud, query: CandidateQuery, parts: Sequence[Part]) -> Slots:
        asked.append(query)
        return anchors_of(cloud, query, parts)

    monkeypatch.setattr(searching, "anchors_of", noted)
    return asked


def test_smaller_amounts_are_not_tried_one_by_one_where_none_can_help(searches: list[CandidateQuery]) -> None:
    """Everybody has other amounts, but the trait is what nobody has."""
    cloud = cloud_of(
        *(provider(f"host{n}", VCPU=n, MEMORY_MB=n, DISK_GB=n) for n in range(300)),
    )
    story = explain(cloud, CandidateQuery((group(VCPU=250, MEMORY_MB=250, DISK_GB=250, required="FAST"),)))
    assert [advice.change for advice in story.relaxations] == ["without required=FAST"]
    assert len(searches) <= 8  # one for each class, and one without each condition and class


def test_groups_that_ask_for_the_same_are_tried_once(searches: list[CandidateQuery]) -> None:
    """With one half of what it asks for, any of them would fit beside the others; without the trait none does."""
    gpus = [provider(f"gpu{number}", traits=["FAST"], GPU=4) for number in range(11)]
    asked = tuple(group(f"_{number}", GPU=4, required="FAST") for number in range(12))
    story = explain(
        cloud_of(provider("host").over(*gpus, provider("last", traits=["FAST"], GPU=2))), CandidateQuery(asked)
    )
    assert [advice.change for advice in story.relaxations] == [f"resources_{n}=GPU:2 instead of 4" for n in range(12)]
    assert len(searches) <= 4  # once whether any amount helps, once for that amount, and once without the trait


def test_only_amounts_of_those_who_meet_everything_else_are_tried(searches: list[CandidateQuery]) -> None:
    cloud = cloud_of(
        *(provider(f"host{n}", VCPU=100 + n) for n in range(300)), provider("fast", traits=["FAST"], VCPU=7)
    )
    story = explain(cloud, CandidateQuery((group(VCPU=500, required="FAST"),)))
    assert story.relaxations[0].change == "resources=VCPU:7 instead of 500"
    assert len(searches) <= 4


def test_many_amounts_that_fail_are_passed_over_by_halves(searches: list[CandidateQuery]) -> None:
    """The other group needs 300 of the same host, so what the host has in all is never the answer."""
    cloud = cloud_of(*(provider(f"host{n}", VCPU=1000 + n) for n in range(200)))
    story = explain(cloud, CandidateQuery((group("1", VCPU=2000), group("2", VCPU=300))))
    assert story.relaxations[0].change == "resources1=VCPU:899 instead of 2000"
    assert len(searches) <= 20
