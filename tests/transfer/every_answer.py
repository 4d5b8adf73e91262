"""Every question that can be asked about a ledger without a body, put to two services: the answers must agree.

The second part are random candidate queries over the cloud that both hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any
from urllib.parse import urlencode
from wsgiref.types import WSGIApplication

import httpx

from moorage.placement.model.contents import Contents
from tests.differential.services import Answer, Call
from tests.transfer.ledgers import CUSTOM_CLASS, TRAITS

# What the comparison leaves out: each service adds links and names of its own to lists of names.
_OLD = 27


class Service:
    """A Placement that knows the token `admin`: over HTTP, or in this process."""

    def __init__(self, where: str | WSGIApplication) -> None:
        address = where if isinstance(where, str) else "http://placement"
        transport = None if isinstance(where, str) else httpx.WSGITransport(where)
        self._http = httpx.Client(base_url=address, transport=transport, headers={"x-auth-token": "admin"}, timeout=600)

    def send(self, call: Call) -> Answer:
        version = {"openstack-api-version": f"placement 1.{call.minor}"}
        response = self._http.request(call.method, call.path, json=call.body, headers=version)
        return Answer(response.status_code, response.headers, response.json() if response.content else None)


def questions(contents: Contents) -> Iterator[Call]:
    """All that can be asked about names, providers, consumers and projects; in short, too, at an older microversion."""
    for path in ("/resource_providers", "/resource_classes", "/traits"):
        yield Call("GET", path)
    for uuid, provider in contents.providers.items():
        path = f"/resource_providers/{uuid}"
        yield Call("GET", path)
        for part in ("inventories", "usages", "traits", "aggregates", "allocations"):
            yield Call("GET", f"{path}/{part}")
        for name in provider.inventories:
            yield Call("GET", f"{path}/inventories/{name}")
    for uuid in contents.consumers:
        yield Call("GET", f"/allocations/{uuid}")
        yield Call("GET", f"/allocations/{uuid}", minor=_OLD)
    for project in sorted({consumer.project_id for consumer in contents.consumers.values()}):
        yield Call("GET", f"/usages?project_id={project}")
        yield Call("GET", f"/usages?project_id={project}&user_id=user-1", minor=_OLD)


def candidate_questions(contents: Contents, number: int) -> Iterator[Call]:
    """Where things would fit, over the hosts of `ledgers.random_contents`."""
    rng = Random(7)
    aggregates = sorted({uuid for provider in contents.providers.values() for uuid in provider.aggregates})
    for _ in range(number):
        query = [("resources1", f"VCPU:{rng.randrange(1, 12)},MEMORY_MB:{rng.choice((512, 2048))}")]
        if rng.random() < 0.5:
            query += [("resources2", f"{CUSTOM_CLASS}:1"), ("group_policy", rng.choice(("none", "isolate")))]
        if rng.random() < 0.4:
            query.append(("required1", rng.choice((*TRAITS, f"!{TRAITS[0]}", f"in:{TRAITS[1]},{TRAITS[2]}"))))
        if rng.random() < 0.4:
            query.append(
                (
                    "member_of2" if len(query) > 1 and query[1][0] == "resources2" else "member_of1",
                    rng.choice(("", "!")) + rng.choice(aggregates),
                )
            )
        yield Call("GET", f"/allocation_candidates?{urlencode(query)}")


def unlike(upstream: Service, ours: Service, calls: Iterator[Call]) -> Iterator[str]:
    """A sentence for each question that is answered differently."""
    for call in calls:
        theirs, answer = upstream.send(call), ours.send(call)
        if (theirs.status, _sorted(theirs.body)) != (answer.status, _sorted(answer.body)):
            yield f"{call}\n  upstream: {theirs}\n  ours:     {answer}"


def _sorted(body: Any) -> Any:
    """An answer without the order of its lists, which means nothing."""
    if isinstance(body, dict):
        return {name: _sorted(value) for name, value in body.items()}
    if isinstance(body, list):
        return sorted((_sorted(value) for value in body), key=repr)
    return body
