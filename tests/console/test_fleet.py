"""The page Fleet, and that of a host."""

from __future__ import annotations

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests.clients.running_service import RunningService
from tests.console.signs import origins_of
from tests.console.visitor import Visitor, visitor


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


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("600", "5 of 41"),
        ("600 GiB", "5 of 41"),
        ("614400 mib", "5 of 41"),
        (".8t", "1 of 41"),
        ("1,000,000M", "0 of 41"),
    ],
)
def test_how_much_must_be_free_is_typed_with_its_unit(administrator: Visitor, asked: str, found: str) -> None:
    page = administrator.page
    page.get_by_label("Colour by").select_option("MEMORY_MB")
    page.get_by_label("At least free, in GiB").fill(asked)
    expect(page.get_by_text(f"{found}hosts")).to_be_visible()
    page.get_by_label("Colour by").select_option("VGPU")
    expect(page.get_by_label("At least free", exact=True)).to_be_visible()


def test_what_is_no_amount_is_told(administrator: Visitor) -> None:
    page = administrator.page
    page.get_by_label("Colour by").select_option("MEMORY_MB")
    free = page.get_by_label("At least free, in GiB")
    free.fill("600 horses")
    expect(free).to_have_attribute("aria-invalid", "true")
    assert free.evaluate("input => input.validationMessage") == "Type an amount such as 64 GiB."
    expect(page.get_by_text("41hosts")).to_be_visible()


def test_traits_are_suggested_also_after_a_comma(administrator: Visitor) -> None:
    traits = administrator.page.get_by_label("Traits")
    traits.fill("COMPUTE_NODE, !REALTIME")
    administrator.page.wait_for_function("input => input.list.options.length === 1", arg=traits.element_handle())
    assert traits.evaluate("input => input.list.options[0].value") == "COMPUTE_NODE, !CUSTOM_REALTIME_KERNEL"


def test_a_finger_looks_at_a_cell_before_it_opens_it(browser: Browser, sample_service: RunningService) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    with visitor(browser, sample_service, **phone) as somebody:
        somebody.sign_in_as_administrator("fleet")
        page = somebody.page
        # The menu does not fit, and shows that more follows; at its end, that more was before.
        menu = page.locator(".menu")
        expect(menu).to_have_class("menu more-after")
        page.get_by_role("navigation", name="Pages").evaluate("nav => nav.scrollTo(1000, 0)")
        expect(menu).to_have_class("menu more-before")
        heat_map = page.get_by_role("application")
        heat_map.tap(position={"x": 20, "y": 50})
        expect(page.get_by_text("az1-compute-01, az1: ")).to_contain_text(" VCPU used (")
        expect(page.get_by_text("az1-compute-01, az1: ")).to_contain_text("Tap it again to open it.")
        heat_map.tap(position={"x": 60, "y": 50})
        somebody.shows("az1-compute-02, az1")
        assert "hosts/" not in page.url
        heat_map.tap(position={"x": 60, "y": 50})
        expect(page.get_by_role("heading", name="az1-compute-02", level=1)).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_names_can_be_read_on_cells_however_full(browser: Browser, sample_service: RunningService, scheme: str) -> None:
    with visitor(browser, sample_service, color_scheme=scheme) as somebody:
        somebody.open()
        least = somebody.page.evaluate("""async () => {
            const { colours } = await import("./pictures/heat_map.js");
            const { contrast, rgb } = await import("./pictures/contrast.js");
            const ink = colours(document.documentElement);
            const parts = (colour) => colour.startsWith("#") ? rgb(colour) : colour.match(/\\d+/g).map(Number);
            const told = (value, ground) => contrast(parts(ground), rgb(ink.on(value)));
            const values = [...Array(151).keys()].map((number) => number / 100);
            return Math.min(told(null, ink.none), ...values.map((value) => told(value, ink.heat(value))));
        }""")
    assert least >= 4.5


def test_contrast_is_counted_as_wcag_does(administrator: Visitor) -> None:
    told = administrator.page.evaluate(
        """async () => {
            const { contrast, readable, rgb } = await import("./pictures/contrast.js");
            const pairs = [["#000000", "#ffffff"], ["#777777", "#ffffff"], ["#0000ff", "#ffffff"]]
                .map((pair) => contrast(...pair.map(rgb)).toFixed(2));
            return [pairs, readable(rgb("#777777"), ["#ffffff"])];
        }"""
    )
    assert told == [["21.00", "4.48", "8.59"], "#000000"]


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
    administrator.shows("No agent keeps this host, so it is not known where its traits come from.")
    aggregates = page.get_by_role("region", name="az1-gpu-01", exact=True).get_by_role("list").last
    expect(aggregates.get_by_text("az1", exact=True)).to_be_visible()
    # Parts of a host are small cards beside each other.
    parts = [
        page.get_by_role("region", name=f"az1-gpu-01_pci_0000_{slot}_00_0").bounding_box() for slot in ("17", "65")
    ]
    first, second = (part for part in parts if part)
    assert first["y"] == second["y"]
    assert second["x"] > first["x"] + first["width"]


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


def test_what_no_agent_keeps_is_said(administrator: Visitor) -> None:
    page = administrator.page
    with origins_of(administrator.service, {"az1-gpu-01": {"driver:linux": {"HW_CPU_X86_AVX2"}}}):
        administrator.open("hosts/cf60aabd-f868-53a2-9ca4-5114b4cf4f4d")
        expect(page.get_by_role("list", name="Where traits come from")).to_contain_text("native")
        expect(page.get_by_text("No agent keeps")).to_have_count(0)
    page.reload()
    administrator.shows("No agent keeps this host")


def test_a_host_that_is_not_there_is_told(administrator: Visitor) -> None:
    administrator.open("hosts/00000000-0000-4000-8000-000000000000")
    administrator.shows("There is no such host")
