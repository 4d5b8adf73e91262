"""Making Moorage known to a Keystone: once, again, and where something else is known already."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import unquote

import pytest

from moorage.client.identity import IdentityClient
from moorage.client.transport import Response
from moorage.identity.registration import SERVICES, Registration, as_commands, register
from moorage.service.errors import OperatorError

WANTED = Registration("http://moorage.example.org/", "north", list(SERVICES.values()))


class Directory:
    """As much of a Keystone as keeps entries by kind, and grants of roles."""

    def __init__(self, roles: Sequence[str] = ("admin", "service")) -> None:
        self.entries: dict[str, list[dict[str, Any]]] = {
            kind: [] for kind in ("projects", "users", "regions", "services", "endpoints")
        }
        self.entries["roles"] = [{"id": f"id-of-{name}", "name": name} for name in roles]
        self.grants: set[str] = set()

    def send(
        self,
        method: str,
        path: str,
        *,
        query: Sequence[tuple[str, str]] = (),
        content: Any = None,
        headers: Mapping[str, str] | None = None,  # noqa: ARG002 - all who call are administrators
    ) -> Response:
        kind, *rest = unquote(path).strip("/").split("/")
        if len(rest) > 1:
            return self._grant(method, path)
        known = self.entries[kind]
        if method == "POST":
            [given] = content.values()
            made = {"id": f"{kind}-{len(known)}", **given}
            known.append(made)
            return _answer(201, {kind[:-1]: made})
        found = [each for each in known if not rest or each["id"] == rest[0]]
        if method == "PATCH":
            found[0].update(*content.values())
        if rest:
            return _answer(200, {kind[:-1]: found[0]}) if found else _answer(404, {})
        asked = dict(query).items()
        return _answer(200, {kind: [each for each in known if asked <= each.items()]})

    def _grant(self, method: str, path: str) -> Response:
        if method == "PUT":
            self.grants.add(path)
        return _answer(204 if path in self.grants else 404, {})


def _answer(status: int, content: object) -> Response:
    return Response(status, {}, json.dumps(content).encode())


def done(keystone: Directory, wanted: Registration = WANTED, **how: bool) -> list[str]:
    return list(register(IdentityClient(keystone), wanted, "secret", **how))


def test_accounts_services_and_endpoints_are_made() -> None:
    keystone = Directory()
    done(keystone)
    assert {user["name"] for user in keystone.entries["users"]} == {"moorage", "moorage-operator"}
    assert len(keystone.grants) == 3
    types = {service["id"]: service["type"] for service in keystone.entries["services"]}
    assert {(types[each["service_id"]], each["interface"], each["url"]) for each in keystone.entries["endpoints"]} == {
        (type_, interface, f"http://moorage.example.org/{path}")
        for type_, path in (
            ("placement", "placement"),
            ("reservation", "reservation/v1"),
            ("liquid-nova", "liquid-nova"),
        )
        for interface in ("public", "internal")
    }
    assert {each["region_id"] for each in keystone.entries["endpoints"]} == {"north"}


def test_a_second_time_nothing_is_done() -> None:
    keystone = Directory()
    assert done(keystone)
    before = json.dumps(keystone.entries)
    assert done(keystone) == []
    assert json.dumps(keystone.entries) == before


def test_placement_alone_needs_no_administrator() -> None:
    keystone = Directory()
    done(keystone, Registration("http://moorage.example.org", "north", [SERVICES["placement"]]))
    assert [user["name"] for user in keystone.entries["users"]] == ["moorage"]
    assert [grant.rpartition("/")[2] for grant in keystone.grants] == ["id-of-service"]


def test_nobody_is_led_elsewhere_unless_that_is_asked_for() -> None:
    keystone = Directory()
    done(keystone, Registration("http://old.example.org", "north", [SERVICES["placement"]]))
    with pytest.raises(OperatorError, match=r"is http://old\.example\.org/placement, .* say --replace"):
        done(keystone)
    moved = [sentence for sentence in done(keystone, replace=True) if sentence.startswith("moved")]
    assert len(moved) == 2
    assert addresses(keystone, "placement") == {"http://moorage.example.org/placement"}


def addresses(keystone: Directory, service_type: str) -> set[str]:
    """Where the catalog leads whoever looks for a service, on whatever interface."""
    ids = {each["id"] for each in keystone.entries["services"] if each["type"] == service_type}
    return {each["url"] for each in keystone.entries["endpoints"] if each["service_id"] in ids}


def test_what_is_refused_of_one_service_does_not_hold_up_the_others() -> None:
    keystone = Directory()
    done(keystone, Registration("http://old.example.org", "north", [SERVICES["placement"]]))
    with pytest.raises(OperatorError, match=r"Of placement in north, the public endpoint is http://old"):
        done(keystone)
    assert addresses(keystone, "placement") == {"http://old.example.org/placement"}
    assert addresses(keystone, "reservation") == {"http://moorage.example.org/reservation/v1"}
    assert addresses(keystone, "liquid-nova") == {"http://moorage.example.org/liquid-nova"}


def old_placement(interfaces: Sequence[str], **more: Any) -> Directory:
    """A Keystone that knows a Placement elsewhere, on these interfaces."""
    keystone = Directory()
    about = {"service_id": "old", "region_id": "north"}
    keystone.entries["services"] = [{"id": "old", "type": "placement", **more}]
    keystone.entries["endpoints"] = [
        {"id": f"old-{number}", "interface": interface, "url": f"http://old/{number}", **about}
        for number, interface in enumerate(interfaces)
    ]
    return keystone


@pytest.mark.parametrize(
    "interfaces", [["public", "internal", "admin"], ["public", "public", "internal"], ["admin"], []], ids=str
)
def test_no_way_leads_to_the_old_address_when_it_is_replaced(interfaces: list[str]) -> None:
    keystone = old_placement(interfaces)
    done(keystone, replace=True)
    assert addresses(keystone, "placement") == {"http://moorage.example.org/placement"}
    ours = {each["interface"] for each in keystone.entries["endpoints"] if each["service_id"] == "old"}
    assert ours == {"public", "internal", *interfaces}


def test_one_right_endpoint_does_not_excuse_a_wrong_one_beside_it() -> None:
    keystone = old_placement(["public", "public", "internal"])
    done(keystone, replace=True)
    keystone.entries["endpoints"][1]["url"] = "http://old/again"
    with pytest.raises(OperatorError, match="the public endpoint is http://old/again, not"):
        done(keystone)


def test_endpoints_of_other_regions_are_nobodys_business() -> None:
    keystone = old_placement(["public", "internal"])
    for each in keystone.entries["endpoints"]:
        each["region_id"] = "south"
    done(keystone, replace=True)
    assert addresses(keystone, "placement") == {"http://old/0", "http://old/1", "http://moorage.example.org/placement"}


def test_what_is_disabled_does_not_count_as_there() -> None:
    with pytest.raises(OperatorError, match="openstack service set --enable old"):
        done(old_placement(["public"], enabled=False), replace=True)
    keystone = old_placement(["public", "internal"])
    keystone.entries["endpoints"][1]["enabled"] = False
    with pytest.raises(OperatorError, match="openstack endpoint set --enable old-1"):
        done(keystone, replace=True)
    assert keystone.entries["endpoints"][0]["url"] == "http://old/0"


def test_several_services_of_a_type_are_one_too_many() -> None:
    keystone = old_placement(["public"])
    keystone.entries["services"].append({"id": "older", "type": "placement"})
    with pytest.raises(OperatorError, match=r"has 2 services of the type placement \(old, older\)"):
        done(keystone, replace=True)


def test_passwords_stay_unless_they_shall_be_reset() -> None:
    keystone = Directory()
    done(keystone)
    keystone.entries["users"][0]["password"] = "changed"
    done(keystone)
    assert keystone.entries["users"][0]["password"] == "changed"
    assert "changed the password of the user moorage" in done(keystone, reset=True)
    assert keystone.entries["users"][0]["password"] == "secret"


def test_a_keystone_without_the_role_service_is_told_how_to_get_it() -> None:
    with pytest.raises(OperatorError, match="openstack role create service"):
        done(Directory(roles=["admin"]))


def test_the_commands_say_the_same() -> None:
    commands = list(as_commands(WANTED))
    assert "openstack role add --project service --user moorage service" in commands
    assert "openstack region create north" in commands
    assert "openstack endpoint create --region north placement public http://moorage.example.org/placement" in commands
    assert not any("secret" in command for command in commands)
