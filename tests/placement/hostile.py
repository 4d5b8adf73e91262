"""Requests that are wrong in every way there is, and some that happen to be right."""

from __future__ import annotations

import copy
from typing import Any
from urllib.parse import quote_from_bytes, urlencode

from hypothesis import strategies as st

from moorage.placement.api.routes import ROUTES
from tests.placement.corner import NUMBERS, Request, encoded

# --- values

# Bodies and lists of aggregates may have UUIDs in these spellings; they are kept in the usual one.
ODD_UUIDS = ("{<root>}", "{<root>", "<root>-", "urn:uuid:<root>")
BAD_UUIDS = (
    "",
    "x",
    "<root>x",
    "00000000-0000-0000-0000-00000000000g",
    "0000000000000000000000000000000",
    "00000000-0000-0000-0000-00000000000_",
    "------------------------------------",
    "٠" * 32,
    "' OR 1=1 --",
)
BAD_TEXTS = (
    *("", " ", "x", "lower", "CUSTOM_", "CUSTOM_lower", "CUSTOM_A\n", "CUSTOM_A B", "A" * 201, "CUSTOM_" + "A" * 250),
    *("\0", "A\0", "\ud800", "A\udfff", "\U0001f6a2", "\u202e", "%s", "{error}", "{0}", "' OR 1=1 --", "\\", "../.."),
)
BAD_NUMBERS: tuple[Any, ...] = (
    *(0, -1, 1.5, 2**31 - 1, 2**31, 2**32, 2**63 - 1, 2**63, 2**64, -(2**63) - 1, 10**30, -(10**30), 1e300, 1e-320),
    *NUMBERS,
)
RIGHT_NAMES = ("<root>", "<child>", "<other>", "<unknown>", "<consumer>", "<class>", "<trait>", "<aggregate>", "VCPU")

bad_values: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from(BAD_NUMBERS),
    st.sampled_from(BAD_TEXTS + BAD_UUIDS + ODD_UUIDS),
    st.sampled_from(RIGHT_NAMES),
    st.sampled_from([None, True, False, [], {}, [[]], [None], {"": None}, ["x", "x"], {"x": {"x": {}}}]),
    st.text(max_size=5),
)

# --- paths

_names_in_paths = st.one_of(
    st.sampled_from(RIGHT_NAMES),
    st.sampled_from(BAD_UUIDS + ODD_UUIDS + BAD_TEXTS).map(
        lambda text: quote_from_bytes(text.encode("utf-8", "surrogatepass"))
    ),
    st.binary(max_size=6).map(quote_from_bytes),
    st.just("A" * 3000),
)


@st.composite
def paths(draw: st.DrawFn) -> str:
    """A path of the API; what stands for a name may be anything."""
    parts = draw(st.sampled_from(sorted(ROUTES))).split("/")
    filled = "/".join(draw(_names_in_paths) if part.startswith("{") else part for part in parts)
    return filled + draw(st.sampled_from(["", "", "", "/", "//", "/x"]))


# --- bodies

_OWNER = {"project_id": "project", "user_id": "user"}
_INVENTORY = {
    "total": 16,
    "reserved": 1,
    "min_unit": 1,
    "max_unit": 8,
    "step_size": 1,
    "allocation_ratio": 1.5,
}
_CLAIM = {
    "allocations": {"<root>": {"resources": {"VCPU": 1}}},
    "consumer_generation": None,
    "consumer_type": "INSTANCE",
    "mappings": {"": ["<root>"]},
    **_OWNER,
}
_NEW_INVENTORIES = {"inventories": {"VCPU": _INVENTORY}, "resource_provider_generation": "<generation>"}
RIGHT_BODIES: dict[tuple[str, str], Any] = {
    ("POST", "/resource_providers"): {"name": "<fresh>", "uuid": "<unknown>", "parent_provider_uuid": "<root>"},
    ("PUT", "/resource_providers/<root>"): {"name": "<fresh>", "parent_provider_uuid": "<other>"},
    ("POST", "/resource_providers/<root>/inventories"): {"resource_class": "<class>", **_INVENTORY},
    ("PUT", "/resource_providers/<root>/inventories"): _NEW_INVENTORIES,
    ("PUT", "/resource_providers/<root>/inventories/VCPU"): {
        **_INVENTORY,
        "resource_provider_generation": "<generation>",
    },
    ("PUT", "/resource_providers/<root>/traits"): {
        "traits": ["<trait>", "HW_CPU_X86_AVX"],
        "resource_provider_generation": "<generation>",
    },
    ("PUT", "/resource_providers/<root>/aggregates"): {
        "aggregates": ["<aggregate>", "<unknown>"],
        "resource_provider_generation": "<generation>",
    },
    ("PUT", "/allocations/<unknown>"): _CLAIM,
    ("PUT", "/allocations/<consumer>"): {**_CLAIM, "consumer_generation": 1},
    ("POST", "/allocations"): {"<unknown>": _CLAIM, "<consumer>": {**_CLAIM, "consumer_generation": 1}},
    ("POST", "/reshaper"): {"inventories": {"<root>": _NEW_INVENTORIES}, "allocations": {"<unknown>": _CLAIM}},
    ("POST", "/resource_classes"): {"name": "CUSTOM_<fresh>"},
    ("PUT", "/moorage/agents/<fresh>"): {
        "version": "1.2.3",
        "interval": 60.0,
        "outcome": "incomplete",
        "reason": "Something is in use.",
        "providers": 3,
    },
}

Location = tuple[Any, ...]


def _locations(content: Any, here: Location = ()) -> list[Location]:
    """Where in a body something can be changed."""
    items: list[tuple[Any, Any]] = []
    if isinstance(content, dict):
        items = list(content.items())
    elif isinstance(content, list):
        items = list(enumerate(content))
    return [here, *(place for key, value in items for place in _locations(value, (*here, key)))]


@st.composite
def damaged(draw: st.DrawFn, right: Any) -> Any:
    """A right body with one thing wrong in it: a value, a key, one too many or one too few."""
    location = draw(st.sampled_from(_locations(right)))
    value = draw(bad_values)
    if not location:
        return value
    content = copy.deepcopy(right)
    holder = content
    for key in location[:-1]:
        holder = holder[key]
    key = location[-1]
    action = draw(st.sampled_from(["change", "change", "remove", "rename", "add"]))
    if action == "change" or isinstance(holder, list):
        holder[key] = value
    elif action == "remove":
        del holder[key]
    elif action == "rename":
        holder[draw(st.sampled_from(BAD_TEXTS + BAD_UUIDS + ODD_UUIDS + RIGHT_NAMES))] = holder.pop(key)
    else:
        holder[draw(st.sampled_from(BAD_TEXTS + BAD_UUIDS + ODD_UUIDS + RIGHT_NAMES))] = value
    return content


MALFORMED = (
    b"",
    b" ",
    b"{",
    b"}",
    b"nul",
    b"[1,",
    b'{"name":',
    b"\xff",
    b"\xef\xbb\xbf{}",
    b"\0",
    b"{} {}",
    b"'x'",
    b"[" * 5000,
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda values: st.lists(values, max_size=3) | st.dictionaries(st.text(max_size=8), values, max_size=3),
    max_leaves=6,
)
bodies = st.one_of(
    st.sampled_from(MALFORMED),
    st.binary(max_size=20),
    json_values.map(encoded),
    st.sampled_from(list(RIGHT_BODIES.values())).map(encoded),
    st.sampled_from(list(RIGHT_BODIES.values())).flatmap(damaged).map(encoded),
)

# --- query strings

_KEYS = (
    *("name", "uuid", "in_tree", "member_of", "resources", "required", "associated", "project_id", "user_id"),
    *("consumer_type", "limit", "group_policy", "root_required", "same_subtree", "resources1", "required1"),
    *("resources_A", "required_A", "member_of_A", "in_tree_A", "resources_B", "", "x", "resources\0"),
)
_VALUES = (
    *("VCPU:1", "VCPU:0", "VCPU:-1", "VCPU:1.5", "VCPU:" + "9" * 5000, "VCPU:" + "9" * 30, "VCPU", "VCPU:1,VCPU:2"),
    *(
        "<class>:1",
        "CUSTOM_NO:1",
        "vcpu:1",
        "<trait>",
        "!<trait>",
        "in:<trait>,HW_CPU_X86_AVX",
        "CUSTOM_NO",
        "!",
        "in:",
    ),
    *("<root>", "!<aggregate>", "in:<aggregate>,<unknown>", "!in:<aggregate>", "in:!<aggregate>", "isolate", "none"),
    *("_A,_B", "_A", ",", "all", "unknown", "1", "0", "-1", "9" * 5000, "true", "startswith:CUSTOM", "in:", "\0"),
)
query_strings = st.one_of(
    st.lists(st.tuples(st.sampled_from(_KEYS), st.sampled_from(_VALUES + BAD_UUIDS + ODD_UUIDS)), max_size=5).map(
        lambda pairs: urlencode(pairs, safe="<>", errors="surrogatepass")
    ),
    st.text(st.characters(min_codepoint=1, max_codepoint=255), max_size=10),
    st.sampled_from(["%", "%ff", "&&", "==", "a;b", "resources=%00", "resources=VCPU%3A1&limit=%D9%A1"]),
)

# --- the rest

METHODS = ("GET", "PUT", "POST", "DELETE", "HEAD", "PATCH", "OPTIONS", "TRACE", "get", "")
versions = st.one_of(
    st.just("1.39"),
    st.integers(0, 39).map("1.{}".format),
    st.sampled_from(["1.40", "0.1", "2.0", "latest", "x", "1", "", "1.x", "-1.0", "1.-1", "9" * 5000, "1." + "9" * 20]),
)
headers = st.one_of(
    st.just({"content-type": "application/json"}),
    st.fixed_dictionaries(
        {},
        optional={
            "content-type": st.sampled_from(
                ["application/json", "application/json; charset=latin-1", "text/plain", "", "x", "*/*", "\xff"]
            ),
            "accept": st.sampled_from(["application/json", "text/html", "*/*", "", "x", "text/*;q=x", "\xff"]),
            "content-length": st.sampled_from(["", "x", "-1", "0", "1"]),
            "x-roles": st.sampled_from(["admin,service", "admin", "", "reader", "\xff"]),
            "openstack-system-scope": st.just("all"),
        },
    ),
)

# Anything at all, anywhere in the API.
wild_requests = st.builds(
    Request,
    method=st.sampled_from(METHODS),
    path=paths(),
    body=bodies,
    query_string=query_strings,
    version=versions,
    headers=headers,
)


@st.composite
def nearly_right_requests(draw: st.DrawFn) -> Request:
    """A right request with one thing wrong in its body, at a version that has it or one that does not yet."""
    (method, path), body = draw(st.sampled_from(list(RIGHT_BODIES.items())))
    damage = draw(st.one_of(st.just(body), damaged(body), damaged(body)))
    version = draw(
        st.sampled_from(["1.39", "1.39", "1.38", "1.37", "1.34", "1.30", "1.28", "1.19", "1.14", "1.12", "1.0"])
    )
    return Request(method, path, encoded(damage), version=version)


nearly_right_questions = st.builds(
    Request,
    method=st.just("GET"),
    path=st.sampled_from(["/allocation_candidates", "/resource_providers", "/traits", "/usages"]),
    query_string=query_strings,
    version=st.sampled_from(["1.39", "1.36", "1.33", "1.32", "1.25", "1.21", "1.10"]),
)
