"""A few providers of the Placement API with all they have, and requests that are drawn led to them.

What is drawn at random names nothing that is there, so that all a service ever says to it is no. Here most of what is
drawn for a name becomes one that exists, and most amounts become small; the shape of a request stays as it was drawn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import NAMESPACE_OID, UUID, uuid4, uuid5

import httpx
from schemathesis import Case
from schemathesis.core.parameters import ParameterLocation

from tests.openapi.conforming import chosen, goes_astray

_KEY_LIKE_UUID = re.compile("[0-9a-fA-F-]{36}")
_WORD = re.compile("[A-Z0-9_]+")
_GROUP = re.compile("(?:resources|required|member_of|in_tree)(.+)")
_QUESTIONS = (
    "resources=VCPU:1",
    "?resources=VCPU:1,MEMORY_MB:1&limit=2",
    "resources1=VCPU:1&resources_B=CUSTOM_BERTH:1&group_policy=none",
    "resources=VCPU:1000000",
)

CLASSES = ("VCPU", "MEMORY_MB", "CUSTOM_BERTH", "CUSTOM_BUOY")
TRAITS = ("HW_CPU_X86_AVX2", "COMPUTE_NODE", "CUSTOM_DEEP_WATER", "CUSTOM_TIDAL")
AGENTS = ("agent-one", "agent-two")
*AGGREGATES, NOBODYS_AGGREGATE = (str(UUID(int=number)) for number in (1, 2, 3, 4))
# Conditions that some provider meets, by the beginning of the parameter.
_MET: Mapping[str, Sequence[str]] = {
    "resources": ("VCPU:1", "VCPU:2,MEMORY_MB:4", "CUSTOM_BERTH:1"),
    "required": ("COMPUTE_NODE", "COMPUTE_NODE,!CUSTOM_TIDAL", "in:HW_CPU_X86_AVX2,CUSTOM_TIDAL"),
    "root_required": ("COMPUTE_NODE", "CUSTOM_DEEP_WATER,!CUSTOM_TIDAL"),
    "member_of": (AGGREGATES[2], f"in:{AGGREGATES[0]},{AGGREGATES[2]}", f"!{NOBODYS_AGGREGATE}"),
    "origin_host": ("host",),
    "in_tree_of_host": ("host",),
}


@dataclass(frozen=True, slots=True)
class Cloud:
    """Who was made, and a client to ask about them."""

    api: httpx.Client
    providers: Sequence[str]
    consumers: Sequence[str]
    # A trait and a resource class that nobody has.
    spare: str

    def generation(self, provider: str) -> int:
        """As it is now; the tests change it all the time."""
        answer = self.api.get(f"/resource_providers/{provider}")
        found: int = answer.json()["generation"] if answer.is_success else 0
        return found


def build(api: httpx.Client) -> Cloud:
    """Three trees of a root and a child, with inventories of which consumers hold some."""
    spare = f"CUSTOM_{uuid4().hex.upper()}"
    for name in (*CLASSES[2:], spare):
        api.put(f"/resource_classes/{name}").raise_for_status()
    for name in (*TRAITS[2:], spare):
        api.put(f"/traits/{name}").raise_for_status()
    inventories = {name: {"total": 64} for name in CLASSES[:3]}
    providers, consumers = [str(uuid4()) for _ in range(6)], [str(uuid4()) for _ in range(6)]
    written = [
        {
            "uuid": uuid,
            "name": uuid,
            "parent_provider_uuid": providers[number - 1] if number % 2 else None,
            "inventories": inventories,
            "traits": TRAITS[number % 2 : 3],
            "aggregates": AGGREGATES[number % 3 :],
            "origin": {"host": "host"} if number else None,
        }
        for number, uuid in enumerate(providers)
    ]
    api.post("/moorage/providers", json={"providers": written}).raise_for_status()
    for consumer, provider in zip(consumers, providers[:2], strict=False):
        claim = {"allocations": {provider: {"resources": {"VCPU": 2, "CUSTOM_BERTH": 1}}}, "consumer_generation": None}
        owner = {"project_id": "project", "user_id": "user", "consumer_type": "INSTANCE"}
        api.put(f"/allocations/{consumer}", json=claim | owner).raise_for_status()
    for agent in AGENTS:
        sign = {"version": "1", "interval": 60, "outcome": "well"}
        api.put(f"/moorage/agents/{agent}", json=sign).raise_for_status()
    return Cloud(api, providers, consumers, spare)


def lead(case: Case[Any], cloud: Cloud) -> None:
    """Let a request that is allowed be about the cloud, in its query and in its body."""
    if not _is_negative(case, ParameterLocation.QUERY):
        _lead_query(case.query, cloud, case.path)
    if not _is_negative(case, ParameterLocation.BODY) and isinstance(case.body, dict):
        case.body = _led_body(case.body, cloud, case.path_parameters.get("uuid"))


def _is_negative(case: Case[Any], location: ParameterLocation) -> bool:
    return case.meta is not None and case.meta.is_negative_at(location)


def _chosen(drawn: object, names: Sequence[str]) -> str:
    return str(chosen(drawn, names))


# --- queries


def _lead_query(query: dict[str, Any], cloud: Cloud, path: str) -> None:
    """Conditions that some meet; which of them, and for which groups, is as it was drawn."""
    met = {**_MET, "in_tree": cloud.providers[:2], "uuid": cloud.providers[:2]}
    for name, value in query.items():
        kind = next((kind for kind in met if name.startswith(kind)), None)
        if kind is not None:
            query[name] = (
                [_chosen(item, met[kind]) for item in value] if isinstance(value, list) else _chosen(value, met[kind])
            )
    if not path.endswith(("/allocation_candidates", "/explain")):
        return
    suffixes = sorted({found[1] for name in query if (found := _GROUP.fullmatch(name))})
    for suffix in suffixes or [""]:
        query.setdefault(f"resources{suffix}", "VCPU:1")
    if len(suffixes) > 1:
        query.setdefault("group_policy", "none")
    if "same_subtree" in query and suffixes:
        query["same_subtree"] = ",".join(suffixes)


# --- bodies


def _led_body(content: Any, cloud: Cloud, provider: str | None) -> Any:
    if isinstance(content, list):
        return [_led_body(item, cloud, provider) for item in content]
    if not isinstance(content, dict):
        return content
    led = {}
    for key, value in content.items():
        name = _led_key(key, value, cloud)
        about = name if name in cloud.providers else provider
        if name in _VALUES:
            led[name] = None if value is None else _VALUES[name](value, cloud, about)
        else:
            led[name] = _small(value) if name in CLASSES else _led_body(value, cloud, about)
    return led


def _led_key(key: str, value: Any, cloud: Cloud) -> str:
    """A provider or a consumer, as what is told of it shows, or a resource class."""
    if _KEY_LIKE_UUID.fullmatch(key):
        if isinstance(value, dict) and "allocations" in value:
            return str(uuid5(NAMESPACE_OID, key))
        return _chosen(key, cloud.providers)
    is_amount = isinstance(value, int | float) or (isinstance(value, dict) and "total" in value)
    return _chosen(key, CLASSES) if is_amount and _WORD.fullmatch(key) else key


def _small(amount: Any) -> Any:
    """What is asked of a resource class, as little as there is; an inventory stays as it is."""
    return int(amount) % 4 + 1 if isinstance(amount, int | float) else amount


def _led_traits(value: Any, _cloud: Cloud, _provider: str | None) -> Any:
    """The traits of a provider; in an origin there is a source for each of them."""
    return [_chosen(item, TRAITS) for item in value] if isinstance(value, list) else value


_VALUES: Mapping[str, Callable[[Any, Cloud, str | None], Any]] = {
    "resource_class": lambda value, _cloud, _provider: _chosen(value, CLASSES),
    "traits": _led_traits,
    "uuid": lambda value, cloud, _provider: _chosen(value, cloud.providers),
    "parent_provider_uuid": lambda value, cloud, _provider: _chosen(value, cloud.providers),
    "resource_provider_generation": lambda value, cloud, provider: cloud.generation(provider) if provider else value,
    "query": lambda value, _cloud, _provider: _chosen(value, _QUESTIONS),
    # Most consumers are new.
    "consumer_generation": lambda value, _cloud, _provider: value if goes_astray(value) else None,
}
