"""Cases of writes: a random cloud, and random requests that change it, sent to both services one after the other.

Each answer is compared, and from time to time everything that can be read. A write is made up from what upstream says
the state is, so that most of them are meaningful; what was sent is then kept literally, to be sent again.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.differential.clouds import CLASSES, SHARING, TRAITS, Cloud, calls, random_cloud, random_uuid
from tests.differential.comparison import compare_answers
from tests.differential.outcome import Outcome
from tests.differential.services import NEWEST, Answer, Call, Pair, Service
from tests.differential.write_deviations import WriteDeviation, find

WRITES_BETWEEN_READINGS = 10
SECONDS_TO_SIMPLIFY = 60
SPARE_CLASS = "CUSTOM_SPARE"
SPARE_TRAIT = "CUSTOM_SPARE"


def write_to_a_cloud(pair: Pair, seed: int, writes: int) -> Iterator[Outcome]:
    """Change the cloud that grows from a seed, until a difference shows or upstream goes wrong in a known way."""
    rng = Random(seed)
    cloud = random_cloud(rng, largest=6)
    cast = Cast.of(rng, cloud)
    start = calls(cloud)
    pair.reset()
    for call in start:
        pair.send(call)
    sent: list[Call] = []
    for number in range(1, writes + 1):
        sent.append(Scribe(rng, pair.upstream, cast).random_write())
        difference, deviation = _send(pair, sent[-1])
        last = number == writes or (deviation is not None and deviation.ends_the_comparison)
        comparable = deviation is None or not (deviation.answers_differ and deviation.ends_the_comparison)
        if difference is None and comparable and (last or number % WRITES_BETWEEN_READINGS == 0):
            difference = _compare_everything(pair, cast)
        if difference:
            difference = _report(pair, seed, [*start, *sent], cast, difference)
        yield Outcome(difference, deviation)
        if difference or last:
            return


def _send(pair: Pair, call: Call) -> tuple[str | None, WriteDeviation | None]:
    upstream, ours = pair.send(call)
    deviation = find(call, upstream, ours)
    if deviation is not None and deviation.answers_differ:
        return None, deviation
    return _difference(call, upstream, ours), deviation


def _difference(call: Call, upstream: Answer, ours: Answer) -> str | None:
    difference = compare_answers(upstream, ours, call.minor)
    if difference is None and ours.status < 300 and canonical(upstream.body) != canonical(ours.body):
        difference = "the bodies differ"
    return f"{difference}\n  {call}\n  upstream: {upstream}\n  ours:     {ours}" if difference else None


# --- reading everything


@dataclass(frozen=True)
class Cast:
    """Everybody who may appear, whether they exist at the time or not."""

    providers: tuple[str, ...]
    consumers: tuple[str, ...]
    aggregates: tuple[str, ...]
    # What is read of them, and at which microversions, so that the same is read each time.
    readings: tuple[Call, ...]

    @classmethod
    def of(cls, rng: Random, cloud: Cloud) -> Cast:
        providers = [provider.uuid for provider in cloud.providers]
        consumers = list(dict.fromkeys(item.consumer for item in cloud.allocations))[:3]
        all_providers = (*providers, *(random_uuid(rng) for _ in range(2)))
        all_consumers = (*consumers, *(random_uuid(rng) for _ in range(3)))
        readings = tuple(_readings(Random(rng.random()), all_providers, all_consumers))
        return cls(all_providers, all_consumers, cloud.aggregates, readings)


def _compare_everything(pair: Pair, cast: Cast) -> str | None:
    differences = (_difference(call, *pair.send(call)) for call in cast.readings)
    return next((difference for difference in differences if difference), None)


def _readings(rng: Random, providers: Sequence[str], consumers: Sequence[str]) -> Iterator[Call]:
    """Requests that tell everything, mostly at a microversion that has them."""

    def minor(since: int) -> int:
        return rng.choice((NEWEST, rng.randint(since, NEWEST), rng.randint(0, NEWEST)))

    yield Call("GET", "/resource_providers")
    for uuid in providers:
        kinds = {"inventories": 0, "usages": 0, "aggregates": 1, "traits": 6, "allocations": 0, "inventories/VCPU": 0}
        for kind, since in {"": 0, **kinds}.items():
            yield Call("GET", f"/resource_providers/{uuid}/{kind}".rstrip("/"), minor(since))
    for uuid in consumers:
        yield Call("GET", f"/allocations/{uuid}")
        yield Call("GET", f"/allocations/{uuid}", minor(0))
    for owner in ("project_id=project", "project_id=project&user_id=user", "project_id=other", "project_id=nobody"):
        for version in (NEWEST, 37):
            yield Call("GET", f"/usages?{owner}", version)
        consumer_type = rng.choice(("all", "unknown", "INSTANCE", "MIGRATION", "X", "ALL", "NONE", ""))
        yield Call("GET", f"/usages?{owner}&consumer_type={consumer_type}", rng.choice((37, 38, NEWEST)))
    for odd in (
        "",
        "project_id=",
        "user_id=user",
        "project_id=project&user_id=",
        "project_id=other&project_id=project",
    ):
        yield Call("GET", f"/usages?{odd}".rstrip("?"), minor(9))
    yield Call("GET", "/traits?name=startswith:CUSTOM_")
    for filters in ("associated=true", "name=in:CUSTOM_GOLD,X&associated=false", "name=CUSTOM_GOLD", "associated=x"):
        yield Call("GET", f"/traits?{filters}", minor(6))
    yield Call("GET", "/resource_classes", minor(2))
    for path in (f"/traits/{SPARE_TRAIT}", f"/resource_classes/{SPARE_CLASS}", "/resource_classes/VCPU"):
        yield Call("GET", path, minor(6))


def canonical(body: Any) -> Any:
    """The same content in one order: where lists occur in these answers, their order says nothing."""
    if isinstance(body, dict):
        return {key: canonical(value) for key, value in body.items()}
    if isinstance(body, list):
        return sorted((canonical(item) for item in body), key=lambda item: json.dumps(item, sort_keys=True))
    return body


# --- making them up


class Scribe:
    """Makes up one request that changes something."""

    def __init__(self, rng: Random, service: Service, cast: Cast) -> None:
        self._rng = rng
        self._service = service
        self._cast = cast
        listed = service.send(Call("GET", "/resource_providers")).body["resource_providers"]
        self._generations: dict[str, int] = {entry["uuid"]: entry["generation"] for entry in listed}

    def random_write(self) -> Call:
        often: list[Callable[[], Call]] = [
            *[self._put_allocations] * 6,
            *[self._post_allocations] * 4,
            *[self._reshape] * 3,
            *[self._put_inventories] * 3,
        ]
        seldom: list[Callable[[], Call]] = [
            *(self._create_provider, self._change_provider, self._delete_provider, self._delete_allocations),
            *(self._add_inventory, self._put_inventory, self._delete_inventory, self._delete_inventories),
            *(self._put_traits, self._put_traits, self._delete_traits, self._put_aggregates, self._put_aggregates),
            *(self._change_class, self._change_trait),
        ]
        return self._rng.choice(often + seldom)()

    # --- providers

    def _create_provider(self) -> Call:
        rng = self._rng
        body: dict[str, Any] = {"uuid": rng.choice(self._cast.providers), "name": self._name()}
        minor = self._version(14, 20, 37)
        if minor >= 14 and rng.random() < 0.6:
            body["parent_provider_uuid"] = rng.choice((None, self._provider(), self._provider()))
        return Call("POST", "/resource_providers", minor, body)

    def _change_provider(self) -> Call:
        rng = self._rng
        body: dict[str, Any] = {"name": self._name()}
        minor = self._version(14, 37, 37, 37)
        if minor >= 14 and rng.random() < 0.8:
            body["parent_provider_uuid"] = rng.choice((None, self._provider(), self._provider()))
        return Call("PUT", f"/resource_providers/{self._provider()}", minor, body)

    def _delete_provider(self) -> Call:
        return Call("DELETE", f"/resource_providers/{self._provider()}", self._version())

    def _name(self) -> str:
        return f"provider-{self._rng.randint(0, 9)}"

    # --- inventories

    def _put_inventories(self) -> Call:
        uuid = self._provider()
        body = {"resource_provider_generation": self._generation(uuid), "inventories": self._inventories(uuid)}
        return Call("PUT", f"/resource_providers/{uuid}/inventories", self._version(26), body)

    def _inventories(self, uuid: str) -> dict[str, Any]:
        """Often those that are there, changed; seldom everything anew, because that is refused when it is used."""
        rng = self._rng
        present = list(
            self._service.send(Call("GET", f"/resource_providers/{uuid}/inventories")).body.get("inventories", ())
        )
        names = [*present, *(self._class() for _ in range(rng.choice((0, 1, 2))))]
        return {name: self._inventory() for name in names if rng.random() < 0.85}

    def _inventory(self) -> dict[str, Any]:
        rng = self._rng
        inventory: dict[str, Any] = {"total": rng.choice((1, 2, 4, 8, 8, 20, 20))}
        if rng.random() < 0.5:
            unusual: dict[str, Sequence[Any]] = {
                "reserved": (0, 1, 2, inventory["total"]),
                "min_unit": (1, 1, 2),
                "max_unit": (1, 2, 100),
                "step_size": (1, 1, 2, 3),
                "allocation_ratio": (1.0, 0.5, 1.5, 16.0, 2),
            }
            wrong: dict[str, Sequence[Any]] = {
                "total": (0, -1, 2**31 - 1, 2**31, "1", None, 1.5, 1.0),
                "reserved": (-1, 100, True, 1.0),
                "min_unit": (0, 1000, 2.0),
                "max_unit": (0, 2**31 - 1, 2**31),
                "step_size": (0, -1, 2**31),
                "allocation_ratio": (0, 0.0, -1.0, 3.40282e38, 1e39, "1.0"),
                "nonsense": (1,),
            }
            kinds = wrong if rng.random() < 0.12 else unusual
            for name in rng.sample(sorted(kinds), min(rng.choice((1, 2, 3)), len(kinds))):
                inventory[name] = rng.choice(kinds[name])
        return inventory

    def _add_inventory(self) -> Call:
        uuid = self._provider()
        body = {"resource_class": self._class(), **self._inventory()}
        if self._rng.random() < 0.5:
            body["resource_provider_generation"] = self._generation(uuid)
        return Call("POST", f"/resource_providers/{uuid}/inventories", self._version(26), body)

    def _put_inventory(self) -> Call:
        uuid = self._provider()
        body = {"resource_provider_generation": self._generation(uuid), **self._inventory()}
        return Call("PUT", f"/resource_providers/{uuid}/inventories/{self._class()}", self._version(26), body)

    def _delete_inventory(self) -> Call:
        return Call("DELETE", f"/resource_providers/{self._provider()}/inventories/{self._class()}", self._version())

    def _delete_inventories(self) -> Call:
        return Call("DELETE", f"/resource_providers/{self._provider()}/inventories", self._version(5))

    # --- traits, aggregates, names

    def _put_traits(self) -> Call:
        uuid = self._provider()
        traits = [trait for trait in (*TRAITS, SHARING, SPARE_TRAIT) if self._rng.random() < 0.3]
        body = {"resource_provider_generation": self._generation(uuid), "traits": traits}
        return Call("PUT", f"/resource_providers/{uuid}/traits", self._version(6), body)

    def _delete_traits(self) -> Call:
        return Call("DELETE", f"/resource_providers/{self._provider()}/traits", self._version(6))

    def _put_aggregates(self) -> Call:
        uuid = self._provider()
        minor = self._version(1, 18, 19)
        aggregates = [aggregate for aggregate in self._cast.aggregates if self._rng.random() < 0.5]
        body: Any = {"resource_provider_generation": self._generation(uuid), "aggregates": aggregates}
        return Call("PUT", f"/resource_providers/{uuid}/aggregates", minor, body if minor >= 19 else aggregates)

    def _change_class(self) -> Call:
        minor = self._version(2, 6, 7)
        name = self._rng.choice((SPARE_CLASS, "CUSTOM_FPGA", "VCPU", "lower"))
        kind = self._rng.choice(("PUT", "POST", "DELETE"))
        if kind == "POST":
            return Call("POST", "/resource_classes", minor, {"name": name})
        body = {"name": self._rng.choice(("CUSTOM_RENAMED", SPARE_CLASS))} if kind == "PUT" and minor < 7 else None
        return Call(kind, f"/resource_classes/{name}", minor, body)

    def _change_trait(self) -> Call:
        name = self._rng.choice((SPARE_TRAIT, "CUSTOM_GOLD", "HW_CPU_X86_VMX", "lower"))
        return Call(self._rng.choice(("PUT", "DELETE")), f"/traits/{name}", self._version(6))

    # --- allocations

    def _put_allocations(self) -> Call:
        consumer = self._rng.choice(self._cast.consumers)
        minor = self._version(8, 12, 28, 28, 34, 38, 38)
        return Call("PUT", f"/allocations/{consumer}", minor, self._claim(consumer, minor))

    def _post_allocations(self) -> Call:
        minor = self._version(13, 28, 28, 34, 38, 38)
        return Call("POST", "/allocations", minor, self._claims(minor, (1, 2, 2, 3)))

    def _delete_allocations(self) -> Call:
        return Call("DELETE", f"/allocations/{self._rng.choice(self._cast.consumers)}", self._version())

    def _reshape(self) -> Call:
        minor = self._version(30, 30, 34, 38, 38)
        uuids = {self._provider() for _ in range(self._rng.choice((0, 1, 1, 2)))}
        inventories = {
            uuid: {"resource_provider_generation": self._generation(uuid), "inventories": self._inventories(uuid)}
            for uuid in sorted(uuids)
        }
        claims = self._claims(max(minor, 28), (0, 1, 1, 2))
        return Call("POST", "/reshaper", minor, {"inventories": inventories, "allocations": claims})

    def _claims(self, minor: int, counts: Sequence[int]) -> dict[str, Any]:
        consumers = self._rng.sample(self._cast.consumers, self._rng.choice(counts))
        return {consumer: self._claim(consumer, max(minor, 12)) for consumer in consumers}

    def _claim(self, consumer: str, minor: int) -> dict[str, Any]:
        rng = self._rng
        entries = {}
        held = self._service.send(Call("GET", f"/allocations/{consumer}")).body
        may_be_empty = minor >= 13 and (held["allocations"] or rng.random() < 0.1)
        for _ in range(rng.choice((0, 1, 1, 1, 2) if may_be_empty else (1, 1, 2))):
            uuid = self._provider(strangers=0.01)
            entries[uuid] = {"resources": self._some_resources(uuid)}
        allocations: Any = entries
        if minor < 12:
            allocations = [{"resource_provider": {"uuid": uuid}, **entry} for uuid, entry in entries.items()]
        body: dict[str, Any] = {"allocations": allocations}
        if minor >= 8:
            body |= {
                "project_id": rng.choice(("project", "project", "other", "Project")),
                "user_id": rng.choice(("user", "other")),
            }
        if minor >= 28:
            right = held.get("consumer_generation")
            body["consumer_generation"] = right if rng.random() < 0.95 else rng.choice((None, 0, 1, 5))
        if minor >= 34 and rng.random() < 0.3:
            body["mappings"] = {rng.choice(("", "1", "_A")): [self._provider()]}
        if minor >= 38:
            body["consumer_type"] = rng.choice(
                ("INSTANCE", "INSTANCE", "MIGRATION", "unknown" if rng.random() < 0.1 else "X")
            )
        return body

    def _some_resources(self, uuid: str) -> dict[str, int]:
        rng = self._rng
        present = list(
            self._service.send(Call("GET", f"/resource_providers/{uuid}/inventories")).body.get("inventories", ())
        )
        names = rng.sample(present, min(len(present), rng.choice((1, 1, 2))))
        if not names or rng.random() < 0.05:
            names.append(self._class())
        amounts = (1, 1, 1, 2, 2, 3, 4, 8, 2**31 if rng.random() < 0.05 else 1, 0 if rng.random() < 0.1 else 1)
        return {name: rng.choice(amounts) for name in names}

    # --- pieces

    def _version(self, *interesting: int) -> int:
        """Mostly one in which the request works, at or after a change of its form."""
        rng = self._rng
        if rng.random() < 0.03:
            return rng.randint(0, NEWEST)
        since = min(interesting, default=0)
        return rng.choice((*interesting, NEWEST, NEWEST, rng.randint(since, NEWEST)))

    def _provider(self, strangers: float = 0.05) -> str:
        known = sorted(self._generations)
        return self._rng.choice(self._cast.providers if self._rng.random() < strangers or not known else known)

    def _generation(self, uuid: str) -> int:
        right = self._generations.get(uuid, 0)
        return right if self._rng.random() < 0.92 else self._rng.choice((0, right + 1, max(right - 1, 0)))

    def _class(self) -> str:
        return self._rng.choice((*CLASSES, SPARE_CLASS) if self._rng.random() < 0.2 else CLASSES)


# --- telling differences


def _report(pair: Pair, seed: int, sent: list[Call], cast: Cast, difference: str) -> str:
    sent, difference = _simplified(pair, sent, cast, difference)
    return "\n".join([f"seed {seed} (writes): {difference}", "", "To see it again:", *map(str, sent)])


def _simplified(pair: Pair, sent: list[Call], cast: Cast, difference: str) -> tuple[list[Call], str]:
    """Fewer requests that still lead to a difference: stretches are left away while one remains, long ones first."""
    deadline = time.monotonic() + SECONDS_TO_SIMPLIFY
    length = len(sent) // 2
    while length:
        for start in range(len(sent) - length, -1, -length):
            if time.monotonic() > deadline:
                return sent, difference
            fewer = sent[:start] + sent[start + length :]
            if still := _send_again(pair, fewer, cast):
                sent, difference = fewer, still
        length //= 2
    return sent, difference


def _send_again(pair: Pair, sent: Sequence[Call], cast: Cast) -> str | None:
    pair.reset()
    for call in sent:
        difference, deviation = _send(pair, call)
        if difference:
            return difference
        if deviation and deviation.ends_the_comparison:
            return None if deviation.answers_differ else _compare_everything(pair, cast)
    return _compare_everything(pair, cast)
