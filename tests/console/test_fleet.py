"""The page Fleet, and that of a host."""

from __future__ import annotations

import httpx
from playwright.sync_api import expect

from tests.console.visitor import Visitor


def test_every_host_is_there_with_what_it_has_free(administrator: Visitor) -> None:
    page = administrator.page
    expect(page.get_by_text("41hosts")).to_be_visible()
    expect(page.get_by_text("9,024VCPU to give")).to_be_visible()
    page.get_by_label("Colour by").select_option("VGPU")
    expect(page.get_by_text("72VGPU to give")).to_be_visible()
    assert "class=VGPU" in page.url


def test_filters_by_name_trait_and_free_amount(administrator: Visitor) -> None:
    page = administrator.page
    page.get_by_label("Traits").fill("hw_cpu_x86_avx512f, !CUSTOM_REALTIME_KERNEL")
    expect(page.get_by_text("9 of 41hosts")).to_be_visible()
    page.get_by_label("Name", exact=True).fill("az1")
    expect(page.get_by_text("3 of 41hosts")).to_be_visible()
    page.get_by_label("At least free").fill("300")
    expect(page.get_by_text("2 of 41hosts")).to_be_visible()
    names = page.get_by_role("region", name="Hosts").get_by_role("link").all_inner_texts()
    assert sorted(names) == ["az1-diskless-01", "az1-diskless-02"]
    page.reload()  # the address remembers
    expect(page.get_by_text("2 of 41hosts")).to_be_visible()
    page.get_by_label("At least free").fill("400")
    administrator.shows("No host meets these conditions.")


def test_a_click_on_a_cell_opens_its_host(administrator: Visitor) -> None:
    page = administrator.page
    expect(page.get_by_text("41hosts")).to_be_visible()
    page.get_by_label("Group by").select_option("none")
    page.get_by_role("application").click(position={"x": 20, "y": 40})
    expect(administrator.heading("az1-compute-01")).to_have_count(2)  # the page, and the provider


def test_by_keyboard_a_host_is_found_and_opened(administrator: Visitor) -> None:
    page = administrator.page
    expect(page.get_by_text("41hosts")).to_be_visible()
    page.get_by_label("Group by").select_option("none")
    heat_map = page.get_by_role("application")
    heat_map.focus()
    page.keyboard.press("ArrowRight")
    administrator.shows("az1-compute-01, ")
    page.keyboard.press("ArrowRight")
    administrator.shows("20 of 240 VCPU used (8 %)")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="az1-compute-02", level=1)).to_be_visible()


def test_a_host_in_two_groups_is_looked_at_in_one_and_moving_draws_no_cell_again(administrator: Visitor) -> None:
    told = administrator.page.evaluate(
        """async () => {
            const { heatMap } = await import("./pictures/heat_map.js");
            const cell = (item) => ({ item, label: `host-${item}`, text: "", value: 0.5, faded: false });
            const looked = [];
            const map = heatMap({ label: "two groups", onOpen() {}, onLook: (item) => looked.push(item) });
            map.element.style.width = "600px";
            document.body.append(map.element);
            const group = (name, ...items) => ({ name, note: "", cells: items.map(cell) });
            map.show([group("one", 1, 2), group("two", 1, 3)]);
            const canvas = map.element.querySelector("canvas");
            const context = canvas.getContext("2d");
            const [scale, middle] = [canvas.width / 600, canvas.height / 2];
            let filled = 0;
            for (const name of ["fill", "fillRect", "fillText"]) {
                CanvasRenderingContext2D.prototype[name] = () => { filled += 1; };
            }
            canvas.focus();
            const outlined = [];
            context.strokeRect = (x, y) => outlined.push(y * scale < middle ? "above" : "below");
            const right = { key: "ArrowRight" };
            for (let times = 0; times < 3; times += 1) canvas.dispatchEvent(new KeyboardEvent("keydown", right));
            map.close();
            map.element.remove();
            return { looked, outlined, filled };
        }"""
    )
    assert told == {"looked": [1, 2, 1], "outlined": ["above", "above", "below"], "filled": 0}


def test_a_host_shows_its_tree_its_stocks_and_who_uses_it(administrator: Visitor) -> None:
    page = administrator.page
    page.get_by_label("Name", exact=True).fill("az1-gpu-01")
    page.get_by_role("region", name="Hosts").get_by_role("link", name="az1-gpu-01").click()
    expect(page.get_by_role("heading", name="az1-gpu-01", level=1)).to_be_visible()
    expect(page.get_by_role("region", name="az1-gpu-01", exact=True)).to_contain_text("48 used · 128 free · 8 reserved")
    card = page.get_by_role("region", name="az1-gpu-01_pci_0000_17_00_0")
    expect(card).to_contain_text("2 used · 6 free")
    expect(card).to_contain_text("CUSTOM_GPU_L40S")
    expect(page.get_by_role("region", name="Consumers").locator("tbody tr")).to_have_count(3)


def test_a_trait_says_where_it_comes_from(administrator: Visitor) -> None:
    """A host that an agent keeps tells which traits it found, and which a file added."""
    uuid = "7e57ab1e-0000-4000-8000-000000000001"
    service = administrator.service
    told = {
        "uuid": uuid,
        "name": "kept-by-an-agent",
        "inventories": {"VCPU": {"total": 4}},
        "traits": ["COMPUTE_NODE", "HW_CPU_X86_AVX2", "CUSTOM_FROM_A_FILE", "CUSTOM_FROM_SOMEBODY"],
        "origin": {
            "host": "kept-by-an-agent",
            "traits": {"HW_CPU_X86_AVX2": "driver:linux", "CUSTOM_FROM_A_FILE": "file:10-cache.yaml"},
        },
    }
    headers = {"X-Auth-Token": service.token, "OpenStack-API-Version": "placement 1.39"}
    path = f"{service.placement}/moorage/providers"
    httpx.post(path, headers=headers, json={"providers": [told], "create_names": True}).raise_for_status()
    try:
        administrator.open(f"hosts/{uuid}")
        traits = administrator.page.get_by_role("listitem").filter(has_text="CUSTOM_FROM_A_FILE").last
        expect(traits).to_contain_text("file")
        expect(traits).to_contain_text("10-cache.yaml")
        page = administrator.page
        expect(page.get_by_role("listitem").filter(has_text="HW_CPU_X86_AVX2").last).to_contain_text("native")
        expect(page.get_by_role("listitem").filter(has_text="CUSTOM_FROM_SOMEBODY").last).to_contain_text("other")
    finally:
        httpx.post(path, headers=headers, json={"delete": [{"uuid": uuid}]}).raise_for_status()


def test_a_host_that_is_not_there_is_told(administrator: Visitor) -> None:
    administrator.open("hosts/00000000-0000-4000-8000-000000000000")
    administrator.shows("There is no such host")
