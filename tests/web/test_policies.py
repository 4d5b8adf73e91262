"""The rules of a route table: each once, with all that it guards, and the check that its room gives it."""

from __future__ import annotations

from typing import Any

from moorage.web.answer import Answer
from moorage.web.application import Operation
from moorage.web.policies import RuledRoutes, beside_routes, guarding
from moorage.web.request import Request


def nothing(request: Request, context: object) -> Answer:
    raise NotImplementedError


def guarded_by(rule: str | None, **versions: Any) -> Operation[object]:
    return Operation(handler=nothing, rule=rule, **versions)


ROUTES: RuledRoutes = {
    "/": {"GET": (guarded_by(None),)},
    "/boats": {"GET": (guarded_by("see"),), "POST": (guarded_by("launch"),)},
    "/boats/{name}": {
        "GET": (guarded_by("see"),),
        "PUT": (guarded_by("paint", until=(2, 1)), guarded_by("paint", since=(2, 2)), guarded_by("launch")),
    },
}


def test_each_rule_comes_once_with_all_it_guards() -> None:
    rules = guarding(ROUTES, str.upper)
    assert {rule.name: rule.description for rule in rules} == {
        "see": "Guards GET /boats, GET /boats/{name}.",
        "launch": "Guards POST /boats, PUT /boats/{name}.",
        "paint": "Guards PUT /boats/{name}.",
    }
    assert len(rules) == 3
    assert rules[0].operations == [{"method": "GET", "path": "/boats"}, {"method": "GET", "path": "/boats/{name}"}]
    assert [rule.check_str for rule in rules] == ["SEE", "LAUNCH", "PAINT"]


def test_a_prefix_is_part_of_the_name_that_is_judged() -> None:
    assert {(rule.name, rule.check_str) for rule in guarding(ROUTES, str.upper, "sea:")} == {
        ("sea:see", "SEA:SEE"),
        ("sea:launch", "SEA:LAUNCH"),
        ("sea:paint", "SEA:PAINT"),
    }


def test_rules_beside_the_routes_have_their_checks_from_the_room_as_well() -> None:
    [rule] = beside_routes({"launch:at_night": "Launch when nobody looks."}, str.upper)
    assert (rule.name, rule.check_str, rule.description) == (
        "launch:at_night",
        "LAUNCH:AT_NIGHT",
        "Launch when nobody looks.",
    )
