"""Traits, and the traits of providers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from http import HTTPStatus
from typing import Any

from moorage.placement.api.answer import Answer, cache_headers, empty_answer, json_answer, newest
from moorage.placement.api.errors import (
    CONCURRENT_UPDATE,
    ApiError,
    Wording,
    Wordings,
    bad_request,
    no_provider,
    reworded,
)
from moorage.placement.api.request import Request
from moorage.placement.api.schemas import names as schemas
from moorage.placement.api.validation import body_of, check_query, validated
from moorage.placement.ledger import Ledger
from moorage.placement.model.errors import GenerationConflict, StandardTrait, TraitNotFound
from moorage.placement.model.provider import Name
from moorage.placement.store import names, traits


def index(request: Request, ledger: Ledger) -> Answer:
    """GET /traits"""
    check_query(request.parameters, schemas.LIST_TRAITS)
    cloud = ledger.cloud()
    found: Iterable[Name] = cloud.traits.values()
    name = request.parameters.last("name")
    if name is not None:
        operator, colon, value = name.partition(":")
        if not colon:
            raise bad_request(
                "Badly formatted name parameter. Expected name query string parameter in form: "
                f'?name=[in|startswith]:[name1,name2|prefix]. Got: "{name}"'
            )
        if operator == "in":
            listed = set(value.split(","))
            found = [trait for trait in found if trait.name in listed]
        elif operator == "startswith":
            found = [trait for trait in found if trait.name.startswith(value)]
    associated = request.parameters.last("associated")
    if associated is not None:
        if associated.lower() not in ("true", "false"):
            raise bad_request('The query parameter "associated" only accepts "true" or "false"')
        members = cloud.topology.trait_members
        found = [trait for trait in found if (trait.name in members) == (associated.lower() == "true")]
    return _traits_answer(request, list(found))


def show(request: Request, ledger: Ledger) -> Answer:
    """GET /traits/{name}"""
    name = request.path["name"]
    cloud = ledger.cloud()
    cloud.check_traits([name])
    return empty_answer(headers=cache_headers(request.version, cloud.traits[name].updated_at))


def ensure(request: Request, ledger: Ledger) -> Answer:
    """PUT /traits/{name}"""
    name = request.path["name"]
    try:
        validated(name, schemas.CUSTOM_TRAIT)
    except ApiError:
        raise bad_request(
            "The trait is invalid. A valid trait must be no longer than 255 characters, start with the prefix "
            '"CUSTOM_" and use following characters: "A"-"Z", "0"-"9" and "_"'
        ) from None
    created, made_at = ledger.write(names.ensure_trait, name)
    return empty_answer(
        HTTPStatus.CREATED if created else HTTPStatus.NO_CONTENT,
        location=f"{request.prefix}/traits/{name}",
        headers=cache_headers(request.version, made_at),
    )


def delete(request: Request, ledger: Ledger) -> Answer:
    """DELETE /traits/{name}"""
    with reworded({StandardTrait: Wording(HTTPStatus.BAD_REQUEST)}):
        ledger.write(names.delete_trait, request.path["name"])
    return empty_answer()


def of_provider(request: Request, ledger: Ledger) -> Answer:
    """GET /resource_providers/{uuid}/traits"""
    cloud, uuid = ledger.cloud(), request.path["uuid"]
    with reworded(no_provider(f"No resource provider with uuid {uuid} found")):
        record = cloud.find(uuid)
    found = [cloud.traits[name] for name in record.traits]
    return _traits_answer(request, found, record.provider.generation)


def replace(request: Request, ledger: Ledger) -> Answer:
    """PUT /resource_providers/{uuid}/traits"""
    body = body_of(request)
    wordings: Wordings = {
        GenerationConflict: Wording(
            HTTPStatus.CONFLICT,
            "Resource provider's generation already changed. Please update the generation and try again.",
            CONCURRENT_UPDATE,
        ),
    }
    with reworded(wordings):
        try:
            generation, found = ledger.write(
                traits.replace, request.path["uuid"], body["resource_provider_generation"], body["traits"]
            )
        except TraitNotFound as error:
            raise bad_request(f"No such trait {', '.join(error.names)}") from error
    return _traits_answer(request, found, generation)


def delete_all(request: Request, ledger: Ledger) -> Answer:
    """DELETE /resource_providers/{uuid}/traits"""
    ledger.write(traits.replace, request.path["uuid"], None, ())
    return empty_answer()


def _traits_answer(request: Request, found: Sequence[Name], generation: int | None = None) -> Answer:
    content: dict[str, Any] = {"traits": [trait.name for trait in found]}
    if generation is not None:
        content["resource_provider_generation"] = generation
    return json_answer(content, request.version, newest(trait.updated_at for trait in found))
