"""A small cloud to try things on, described in `sample_cloud.yaml` and written through the Placement API.

The first half turns the description into values: providers, and who holds what. The second half sends them as requests
to any callable that answers some; `in_process` makes one from a WSGI application. Names and identifiers never change,
so that what a reader sees matches what a document shows. What there is beside the ledger is in `sample_servers`
and `sample_offer`.
"""

from __future__ import annotations

import io
import json
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

import yaml

from moorage.compute.servers.consumers import INSTANCE, MIGRATION, resize_consumer

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication

Send = Callable[[str, str, object], tuple[int, Any]]
"""Sends a method, a path and a body (None for none); returns the status and the decoded answer (None for none)."""

MICROVERSION = "1.39"

_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_DNS, "sample-cloud.moorage")
_SHARING = "MISC_SHARES_VIA_AGGREGATE"


def identifier(name: str) -> str:
    """The UUID of something in the sample cloud, made from its name; a server is named "project/server"."""
    return str(uuid.uuid5(_NAMESPACE, name))


def owner(name: str) -> str:
    """The identifier of a project or a user, in the form that Keystone gives them."""
    return uuid.UUID(identifier(name)).hex


@dataclass(frozen=True, slots=True)
class Provider:
    """A resource provider, the kind of host it is or belongs to, and the names of its aggregates."""

    name: str
    kind: str
    parent: str | None
    root: str
    inventories: Mapping[str, Mapping[str, float]]
    traits: Sequence[str]
    aggregates: Sequence[str]


@dataclass(frozen=True, slots=True)
class Consumer:
    """A server, or what it held where it was before it moved; the amounts by the name of the provider."""

    uuid: str
    name: str
    type: str
    project: str
    user: str
    flavor: str
    host: str
    holds: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class SampleCloud:
    """Everything there is in the sample cloud; a parent stands before its children."""

    providers: Sequence[Provider]
    consumers: Sequence[Consumer]


@cache
def description() -> Mapping[str, Any]:
    """What comes with the package."""
    found: Mapping[str, Any] = yaml.safe_load(
        resources.files(__package__).joinpath("sample_cloud.yaml").read_text("utf-8")
    )
    return found


def sample_cloud() -> SampleCloud:
    """The ledger of the sample cloud."""
    providers = list(_providers(description()))
    servers = {server.name: server for server in _servers(description(), providers)}
    migrations = []
    for move in description()["migrations"]:
        server = servers[move["server"]]
        migrations.append(replace(server, uuid=resize_consumer(server.uuid), type=MIGRATION))
        servers[server.name] = replace(server, host=move["to"], holds={move["to"]: _sum_of_holds(server)})
    return SampleCloud(providers, [*servers.values(), *migrations])


def _providers(description: Mapping[str, Any]) -> Iterator[Provider]:
    for zone, kinds in description["zones"].items():
        for kind, count in kinds.items():
            aggregates = [
                name.format(zone=zone) for name, members in description["aggregates"].items() if kind in members
            ]
            for number in range(1, count + 1):
                name = f"{zone}-{kind}-{number:02}"
                root = Provider(name, kind, parent=None, root=name, inventories={}, traits=(), aggregates=aggregates)
                yield from _tree(root, description["kinds"][kind])


def _tree(provider: Provider, description: Mapping[str, Any]) -> Iterator[Provider]:
    """A provider as described and, after it, what is below it; aggregates are the root's alone, as in Nova."""
    inventories = {
        resource_class: {"total": inventory} if isinstance(inventory, int) else inventory
        for resource_class, inventory in description.get("inventories", {}).items()
    }
    yield replace(provider, inventories=inventories, traits=description.get("traits", ()))
    for suffix, child in description.get("children", {}).items():
        yield from _tree(replace(provider, name=provider.name + suffix, parent=provider.name, aggregates=()), child)


def _servers(description: Mapping[str, Any], providers: Sequence[Provider]) -> Iterator[Consumer]:
    for group in description["servers"]:
        project, flavor = group["project"], description["flavors"][group["flavor"]]
        zones = set(group.get("zones", description["zones"]))
        hosts = [
            provider
            for provider in providers
            if provider.kind == group["kind"] and provider.parent is None and not zones.isdisjoint(provider.aggregates)
        ]
        for number in range(group["count"]):
            turn, place = divmod(number, len(hosts))
            reachable = list(_reachable(hosts[place], providers))
            holds: dict[str, dict[str, int]] = {}
            for amounts in flavor:
                suitable = [provider.name for provider in reachable if provider.inventories.keys() >= amounts.keys()]
                holds.setdefault(suitable[turn % len(suitable)], {}).update(amounts)
            name = f"{project}/{group['name']}-{number + 1:02}"
            yield Consumer(
                uuid=identifier(name),
                name=name,
                type=INSTANCE,
                project=project,
                user=group["user"],
                flavor=group["flavor"],
                host=hosts[place].name,
                holds=holds,
            )


def _reachable(host: Provider, providers: Sequence[Provider]) -> Iterator[Provider]:
    """What a server on a host may take from: the host's tree, then the pools that share with it."""
    for provider in providers:
        shares = _SHARING in provider.traits and not set(host.aggregates).isdisjoint(provider.aggregates)
        if provider.root == host.name or shares:
            yield provider


def _sum_of_holds(server: Consumer) -> dict[str, int]:
    return {name: amount for amounts in server.holds.values() for name, amount in amounts.items()}


class LoadError(Exception):
    """An API refused a part of the sample cloud."""


def load(send: Send, cloud: SampleCloud | None = None) -> bool:
    """Write the sample cloud, unless there are providers already; say whether it was written."""
    if expect(send, "GET", "/resource_providers")["resource_providers"]:
        return False
    cloud = cloud or sample_cloud()
    for name in _custom(name for provider in cloud.providers for name in provider.traits):
        expect(send, "PUT", f"/traits/{name}")
    for name in _custom(name for provider in cloud.providers for name in provider.inventories):
        expect(send, "PUT", f"/resource_classes/{name}")
    for provider in cloud.providers:
        _write_provider(send, provider)
    claims = {consumer.uuid: _allocations(consumer) for consumer in cloud.consumers}
    expect(send, "POST", "/allocations", claims)
    return True


def _custom(names: Iterable[str]) -> list[str]:
    return sorted({name for name in names if name.startswith("CUSTOM_")})


def _write_provider(send: Send, provider: Provider) -> None:
    parent = identifier(provider.parent) if provider.parent else None
    created = expect(
        send,
        "POST",
        "/resource_providers",
        {"name": provider.name, "uuid": identifier(provider.name), "parent_provider_uuid": parent},
    )
    path, generation = f"/resource_providers/{created['uuid']}", created["generation"]
    parts: dict[str, object] = {
        "inventories": provider.inventories,
        "traits": list(provider.traits),
        "aggregates": [identifier(name) for name in provider.aggregates],
    }
    for part, content in parts.items():
        if content:
            answer = expect(send, "PUT", f"{path}/{part}", {part: content, "resource_provider_generation": generation})
            generation = answer["resource_provider_generation"]


def _allocations(consumer: Consumer) -> dict[str, object]:
    return {
        "allocations": {identifier(name): {"resources": amounts} for name, amounts in consumer.holds.items()},
        "project_id": owner(consumer.project),
        "user_id": owner(consumer.user),
        "consumer_generation": None,
        "consumer_type": consumer.type,
    }


def expect(send: Send, method: str, path: str, body: object = None) -> Any:
    """The answer of a request that is not refused."""
    status, answer = send(method, path, body)
    if not 200 <= status < 300:  # noqa: PLR2004 - the statuses of success
        raise LoadError(f"{method} {path} was answered with {status}: {json.dumps(answer)}")
    return answer


def in_process(application: WSGIApplication, token: str, mount: str = "") -> Send:
    """A way to send requests to a WSGI application in this process, at its root or where it is mounted."""

    def send(method: str, path: str, body: object) -> tuple[int, Any]:
        path, _, query = path.partition("?")
        content = b"" if body is None else json.dumps(body).encode()
        environment: dict[str, Any] = {
            "REQUEST_METHOD": method,
            "SCRIPT_NAME": "",
            "PATH_INFO": mount + path,
            "QUERY_STRING": query,
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1",
            "HTTP_HOST": "localhost",
            "HTTP_ACCEPT": "application/json",
            "HTTP_X_AUTH_TOKEN": token,
            "HTTP_OPENSTACK_API_VERSION": f"placement {MICROVERSION}",
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(content),
            "wsgi.errors": io.StringIO(),
            "wsgi.multithread": True,
            "wsgi.multiprocess": True,
            "wsgi.run_once": False,
        }
        if body is not None:
            environment |= {"CONTENT_TYPE": "application/json", "CONTENT_LENGTH": str(len(content))}
        statuses: list[str] = []

        def start_response(status: str, _headers: object, _exc_info: object = None) -> Callable[[bytes], object]:
            statuses.append(status)
            return lambda _data: None

        answer = application(environment, start_response)
        try:
            text = b"".join(answer)
        finally:
            if close := getattr(answer, "close", None):
                close()
        return int(statuses[-1].split()[0]), json.loads(text) if text else None

    return send
