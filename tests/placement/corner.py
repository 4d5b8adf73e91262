"""A small, known part of a ledger for requests to go wrong in.

Requests are written with names in angle brackets, `/resource_providers/<root>/traits`, so that they read the same
whatever the UUIDs are. Whenever a request has changed something, the next one gets a corner as good as new.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import uuid4

from sqlalchemy import Engine

from tests.placement.rest import NEWEST, Api, Reply
from tests.placement.rows import Rows, read_rows

# Numbers that JSON can write and Python's encoder does not.
NUMBERS = {"<1e400>": "1e400", "<-1e400>": "-1e400", "<5000 digits>": "9" * 5000, "<NaN>": "NaN", "<1.0>": "1.0"}


@dataclass(frozen=True)
class Request:
    """A request, however malformed."""

    method: str
    path: str
    body: bytes = b""
    query_string: str = ""
    version: str = NEWEST
    headers: Mapping[str, str] = field(default_factory=lambda: {"content-type": "application/json"})


def encoded(content: object) -> bytes:
    """A body in JSON; the names of special numbers stand for them."""
    text = json.dumps(content)
    for name, number in NUMBERS.items():
        text = text.replace(f'"{name}"', number)
    return text.encode()


class Corner:
    """Two providers, a consumer, and what they have.

    <root>, with 8 VCPU (2 held by <consumer>), <trait> and <aggregate>, is the parent of <child>, which has 100 of
    <class>. <other> stands alone, and <unknown> is a UUID that is nobody's.
    """

    def __init__(self, api: Api, engine: Engine) -> None:
        self.back_end = engine.dialect.name
        self._api = api
        self._engine = engine
        self._names: dict[str, str] = {}
        self._pristine = Rows({})
        self._rows = Rows({})

    def send(self, request: Request) -> Reply:
        """Send a request to a corner that is as good as new."""
        if self._rows is not self._pristine:
            self.furnish()
        return self._api.at(request.version).send_raw(
            request.method,
            self._filled(request.path),
            self._filled(request.body.decode("latin-1")).encode("latin-1"),
            query_string=self._filled(request.query_string),
            headers=request.headers,
        )

    def look(self) -> dict[str, object]:
        """What the last request has changed, by table."""
        rows = read_rows(self._engine)
        changed = self._pristine.differences(rows)
        if changed:
            self._rows = rows
        return dict(changed)

    def name(self, bracketed: str) -> str:
        """What a name in angle brackets stands for."""
        return self._names[bracketed]

    def furnish(self) -> None:
        """Begin anew, beside what was there before."""
        names = {name: str(uuid4()) for name in ("<aggregate>", "<consumer>", "<unknown>")}
        unique = uuid4().hex.upper()
        names |= {"<class>": f"CUSTOM_CLASS_{unique}", "<trait>": f"CUSTOM_TRAIT_{unique}", "<fresh>": f"NEW_{unique}"}
        root = self._api.create_provider(
            f"root {unique}", {"VCPU": 8}, traits=(names["<trait>"],), aggregates=(names["<aggregate>"],)
        )
        names["<root>"] = root
        names["<child>"] = self._api.create_provider(f"child {unique}", {names["<class>"]: 100}, parent=root)
        names["<other>"] = self._api.create_provider(f"other {unique}")
        names["<taken>"] = f"other {unique}"
        self._api.allocate({root: {"VCPU": 2}}, names["<consumer>"])
        names["<generation>"] = str(self._api.get(f"/resource_providers/{root}")["generation"])
        self._names = names
        self._pristine = self._rows = read_rows(self._engine)

    def _filled(self, text: str) -> str:
        text = text.replace('"<generation>"', "<generation>")
        for name, value in self._names.items():
            text = text.replace(name, value)
        return text
