"""What people call things: every command takes names where the APIs want ids, and ids as well.

A name that several things have is no answer; then the ids are told, and one of them is to be given instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, TypeVar

from moorage.cli.misuse import Misuse
from moorage.service.errors import OperatorError

if TYPE_CHECKING:
    from moorage.client.compute import ComputeClient, Flavor, Server
    from moorage.client.identity import IdentityClient, Named
    from moorage.client.image import Image, ImageClient
    from moorage.client.operator import OperatorsCloud
    from moorage.client.placement import PlacementClient, ProviderSummary

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)

# What Keystone makes up for projects and users, also for those of other directories: 32 or 64 digits.
_ID_OF_KEYSTONE = re.compile(r"[0-9a-f]{32}|[0-9a-f]{64}")

_Thing = TypeVar("_Thing")


def is_uuid(text: str) -> bool:
    """Whether a text is a UUID, and no name."""
    return _UUID.fullmatch(text) is not None


def only_one(
    kind: str,
    text: str,
    found: Iterable[_Thing],
    *,
    id_of: Callable[[_Thing], str] = attrgetter("id"),
    name_of: Callable[[_Thing], str | None] = attrgetter("name"),
) -> _Thing:
    """Of things of a kind, the one with this id, or the only one of this name."""
    things = list(found)
    named = [each for each in things if id_of(each) == text] or [each for each in things if name_of(each) == text]
    if not named:
        raise unknown(kind, text)
    if len(named) > 1:
        raise OperatorError(
            f"{len(named)} {kind}s are called {text}; name one by its id: {', '.join(map(id_of, named))}."
        )
    return named[0]


def unknown(kind: str, text: str) -> OperatorError:
    """What to say of a name that nothing of a kind has."""
    return OperatorError(f"There is no {kind} {text}; `moorage {kind} list` shows those that there are.")


def provider_of(client: PlacementClient, text: str) -> ProviderSummary:
    """The provider with this name or UUID."""
    found = client.provider(text) if is_uuid(text) else None
    found = found or client.provider_named(text)
    if found is None:
        raise unknown("provider", text)
    return found


def aggregate_of(cloud: OperatorsCloud, text: str) -> str:
    """The UUID of an aggregate, which may be told by the name of a host aggregate."""
    if is_uuid(text):
        return text
    found = [aggregate.uuid for aggregate in cloud.compute.aggregates() if aggregate.name == text]
    if not found:
        raise OperatorError(f"There is no aggregate {text}; name one by its UUID, or by a host aggregate's name.")
    return found[0]


def server_of(client: ComputeClient, text: str) -> Server:
    """The server with this id, or the only one of this name."""
    from moorage.client.compute import ServerFilter

    found = client.server(text) if is_uuid(text) else None
    # What stands for any character finds too many, if anything: names are looked at again. Some databases count bytes
    # where others count characters; there all servers are looked at.
    pattern = f"^{re.sub(r'[^A-Za-z0-9_-]', '.', text)}$" if text.isascii() else None
    return found or only_one("server", text, client.servers(ServerFilter(name=pattern)))


def flavor_of(client: ComputeClient, text: str) -> Flavor:
    """The flavor with this id or name."""
    return only_one("flavor", text, client.flavors())


def image_of(client: ImageClient, text: str) -> Image:
    """The image with this id, or the only one of this name."""
    found = client.image(text) if is_uuid(text) else None
    return found or only_one("image", text, client.all_images())


def consumer_of(cloud: OperatorsCloud, text: str) -> str:
    """The UUID of a consumer, which may be told by the name of a server."""
    from moorage.client.errors import NoEndpoint, NotFound

    if is_uuid(text):
        return text
    try:
        return server_of(cloud.compute, text).id
    except (NoEndpoint, NotFound) as error:
        raise Misuse(f"{text!r} is no UUID, and there is no compute service whose servers have names.") from error


def project_of(cloud: OperatorsCloud, text: str) -> str:
    """The id of a project, which may be told by its name."""
    return _known_to_identity("project", text, cloud, lambda identity: identity.projects_named(text))


def user_of(cloud: OperatorsCloud, text: str) -> str:
    """The id of a user, who may be told by the name."""
    return _known_to_identity("user", text, cloud, lambda identity: identity.users_named(text))


def _known_to_identity(
    kind: str, text: str, cloud: OperatorsCloud, named: Callable[[IdentityClient], Sequence[Named]]
) -> str:
    """The id of whoever is named so; what nobody is called is taken as an id.

    Placement keeps any text as a project or a user: of those who are no more, and in clouds without identity service.
    """
    from moorage.client.errors import ClientError, NoEndpoint, Unavailable

    if is_uuid(text) or _ID_OF_KEYSTONE.fullmatch(text):
        return text
    try:
        found = named(cloud.identity)
    except ClientError as error:
        if isinstance(error, Unavailable) and not isinstance(error, NoEndpoint):
            raise
        # There is no identity service here, or the caller may not ask it.
        return text
    return only_one(kind, text, found).id if found else text
