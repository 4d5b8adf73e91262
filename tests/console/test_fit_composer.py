"""What is asked on the page "Where does it fit?": one question, by whichever way it is put."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.console.visitor import Visitor

ALL_FIELDS = (
    "resources=VCPU:2,MEMORY_MB:2048&required=HW_CPU_X86_AVX2,!CUSTOM_REALTIME_KERNEL&required=in:STORAGE_DISK_SSD,COMPUTE_NODE"
    "&member_of=!7e57ab1e-0000-4000-8000-000000000001&in_tree=7e57ab1e-0000-4000-8000-000000000002"
    "&resources_GPU=VGPU:1&required_GPU=HW_GPU_API_VULKAN"
    "&member_of_GPU=in:7e57ab1e-0000-4000-8000-000000000003,7e57ab1e-0000-4000-8000-000000000004"
    "&resources-net=SRIOV_NET_VF:1&group_policy=isolate&root_required=COMPUTE_NODE,!CUSTOM_OLD"
    "&same_subtree=_GPU,-net&limit=7"
)
# What no field stands for: what is said twice, what cannot be read, and what nobody knows.
STRANGE = "resources=VCPU:1&resources=MEMORY_MB:5&required=in:!A&member_of=a,b&limit=none&group_policy=some&x=1"


@pytest.fixture
def page(administrator: Visitor) -> Page:
    administrator.open("fit")
    expect(administrator.page.get_by_role("button", name="By form")).to_be_visible()
    return administrator.page


def question(page: Page) -> str:
    """What the form asks for, as a query string."""
    page.get_by_role("button", name="Query string").click()
    told = page.get_by_label("Query").input_value()
    page.get_by_role("button", name="By form").click()
    return told


def type_question(page: Page, query: str) -> None:
    page.get_by_role("button", name="Query string").click()
    page.get_by_label("Query").fill(query)


@pytest.mark.parametrize("query", [ALL_FIELDS, STRANGE, "required_A=X&member_of=!in:a,b", ""])
def test_a_query_that_the_form_has_read_means_what_it_meant(page: Page, query: str) -> None:
    read = """async query => {
        const { parsed, queryOf } = await import("./request.js");
        const once = queryOf(parsed(query));
        return [once, queryOf(parsed(once))];
    }"""
    once, twice = page.evaluate(read, query)
    assert once == twice
    separate = query.replace("!in:a,b", "!a&member_of=!b")
    assert sorted(once.split("&")) == sorted(separate.split("&"))


def test_what_the_form_says_is_in_the_query_string_and_back(page: Page) -> None:
    page.get_by_role("button", name="By form").click()
    page.get_by_label("Amount").first.fill("3")
    page.get_by_label("Traits").fill("hw_cpu_x86_avx2")
    assert question(page) == "resources=VCPU:3,MEMORY_MB:16384&required=HW_CPU_X86_AVX2"
    expect(page.get_by_label("Amount").first).to_have_value("3")
    page.get_by_role("button", name="Remove this resource").last.click()
    assert question(page) == "resources=VCPU:3&required=HW_CPU_X86_AVX2"


def test_a_query_string_fills_every_field_of_the_form(page: Page) -> None:
    type_question(page, ALL_FIELDS)
    page.get_by_role("button", name="By form").click()
    expect(page.get_by_label("Traits").first).to_have_value(
        "HW_CPU_X86_AVX2, !CUSTOM_REALTIME_KERNEL, STORAGE_DISK_SSD|COMPUTE_NODE"
    )
    expect(page.get_by_label("Only in the tree of").first).to_have_value("7e57ab1e-0000-4000-8000-000000000002")
    group = page.get_by_role("group", name="Group _GPU")
    expect(group.get_by_label("Aggregates")).to_have_value(
        "7e57ab1e-0000-4000-8000-000000000003|7e57ab1e-0000-4000-8000-000000000004"
    )
    expect(page.get_by_label("Groups with names")).to_have_value("isolate")
    expect(page.get_by_label("The root must have")).to_have_value("COMPUTE_NODE, !CUSTOM_OLD")
    expect(page.get_by_label("In one subtree")).to_have_value("_GPU, -net")
    expect(page.get_by_label("At most so many candidates")).to_have_value("7")
    page.get_by_label("Amount").first.fill("4")
    assert sorted(question(page).split("&")) == sorted(ALL_FIELDS.replace("VCPU:2", "VCPU:4").split("&"))


def test_what_the_form_cannot_show_stays_and_is_said(page: Page) -> None:
    type_question(page, "resources=VCPU:1&colour=green")
    page.get_by_role("button", name="By form").click()
    expect(page.get_by_role("status").filter(has_text="colour=green")).to_be_visible()
    page.get_by_label("Amount").first.fill("2")
    assert question(page) == "resources=VCPU:2&colour=green"


def test_try_changes_the_form_and_back_leads_to_what_was_asked_before(page: Page, administrator: Visitor) -> None:
    page.get_by_role("button", name="By form").click()
    page.get_by_label("Amount").first.fill("100")
    page.get_by_label("Traits").fill("STORAGE_DISK_SSD")
    page.get_by_role("button", name="Find places").click()
    page.get_by_role("button", name="Try resources=VCPU:96 instead of 100").click()
    administrator.shows("It fits.")
    expect(page.get_by_label("Amount").first).to_have_value("96")
    expect(page.get_by_label("Traits")).to_have_value("STORAGE_DISK_SSD")
    page.go_back()
    administrator.shows("It fits nowhere.")
    expect(page.get_by_label("Amount").first).to_have_value("100")
    page.go_back()
    expect(page.get_by_text("It fits nowhere.")).to_have_count(0)
    page.go_forward()
    administrator.shows("It fits nowhere.")


def test_what_a_flavor_asks_for_is_in_the_form(page: Page, administrator: Visitor) -> None:
    page.get_by_label("Flavor").select_option("fast-8")
    page.get_by_role("button", name="By form").click()
    expect(page.get_by_label("Traits")).to_have_value("HW_CPU_X86_AVX2, STORAGE_DISK_SSD")
    page.get_by_role("button", name="By flavor").click()
    expect(page.get_by_label("Flavor").locator("option:checked")).to_have_text("fast-8")
    page.get_by_role("button", name="Find places").click()
    administrator.shows("It fits.")
    page.reload()  # the address has the flavor
    expect(page.get_by_label("Flavor").locator("option:checked")).to_have_text("fast-8")
    administrator.shows("It fits.")


def test_groups_by_other_names(page: Page) -> None:
    page.get_by_role("button", name="By form").click()
    for _ in range(2):
        page.get_by_role("button", name="Add a group").click()
    page.get_by_text("Its name, and which tree").last.click()
    name = page.get_by_label("Name of the group").last
    name.fill("_1")
    page.get_by_role("button", name="Find places").click()
    assert name.evaluate("input => input.validationMessage") == "Another group has this name."
    name.fill("_GPU")
    expect(page.get_by_role("group", name="Group _GPU")).to_be_visible()
    page.get_by_role("button", name="Find places").click()
    expect(page.get_by_role("list", name="What is left after each condition")).to_contain_text("group _GPU")
    assert "group_policy%3Dnone" in page.url


def test_aggregates_go_by_their_names(page: Page, administrator: Visitor) -> None:
    page.get_by_role("button", name="By form").click()
    page.get_by_label("Aggregates").fill("az1 | az2")
    told = question(page)
    assert "member_of=in:" in told
    assert "az1" not in told
    page.get_by_role("button", name="Find places").click()
    administrator.shows("It fits.")
    page.reload()
    expect(page.get_by_label("Aggregates")).to_have_value("az1|az2")
    page.get_by_label("Aggregates").fill("az1, !az2, !az3")
    assert question(page).count("member_of=!") == 2


def test_names_are_suggested_also_after_a_comma(page: Page) -> None:
    page.get_by_role("button", name="By form").click()
    traits = page.get_by_label("Traits")
    traits.fill("HW_CPU_X86_AVX2, !realtime")
    offered = "input => [...input.list.options].map(option => option.value)"
    page.wait_for_function("input => input.list.options.length === 1", arg=traits.element_handle())
    assert traits.evaluate(offered) == ["HW_CPU_X86_AVX2, !CUSTOM_REALTIME_KERNEL"]
    page.get_by_text("Which tree").click()
    tree = page.get_by_label("Only in the tree of")
    tree.fill("az1-gpu-01")
    page.wait_for_function("input => input.list.options.length === 1", arg=tree.element_handle())
    assert tree.evaluate("input => input.list.options[0].label") == "az1-gpu-01"
    traits.fill("")
    tree.fill(tree.evaluate("input => input.list.options[0].value"))
    page.get_by_role("button", name="Find places").click()
    expect(page.get_by_text("It fits. 1 candidate on 1 host.")).to_be_visible()
