"""Which behaviour of the API a request asks for.

A client names a microversion in the header `OpenStack-API-Version: placement 1.14`, or says `latest`; without the
header it gets 1.0. Handlers compare `request.version` with the version that brought a behaviour.
"""

from __future__ import annotations

from typing import TypeVar

from moorage.web.versions import Version, last_item

SERVICE_TYPE = "placement"
Choice = TypeVar("Choice")

OLDEST: Version = (1, 0)
NEWEST: Version = (1, 39)
ALL: tuple[Version, ...] = tuple((1, minor) for minor in range(NEWEST[1] + 1))


class UnparsableVersion(Exception):
    """The header does not hold a version."""


class UnavailableVersion(Exception):
    """The header asks for a version that there is not."""


def requested_version(header: str | None) -> Version:
    """The version that a header asks for."""
    text = last_item(header or "", SERVICE_TYPE)
    if text is None:
        return OLDEST
    if text == "latest":
        return NEWEST
    major, _, minor = text.partition(".")
    # More digits than any version has are not worth converting.
    if not all(number.strip().isdecimal() and len(number) <= 9 for number in (major, minor)):  # noqa: PLR2004 - said above
        raise UnparsableVersion(f"invalid version string: {text}")
    version = (int(major), int(minor))
    if not OLDEST <= version <= NEWEST:
        raise UnavailableVersion(f"Unacceptable version header: {text}")
    return version


def for_version(choices: tuple[tuple[Version, Choice], ...], version: Version) -> Choice:
    """What holds at a version, of choices with the version that brought each, newest first."""
    return next(choice for since, choice in choices if version >= since)
