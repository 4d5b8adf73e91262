"""Which behaviour of an API a request asks for.

A client names a microversion in the header `OpenStack-API-Version: compute 2.87`, in an older header that belongs to
the service alone, or says `latest`. Handlers compare `request.version` with the version that brought a behaviour.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus

from moorage.web.errors import HttpError, bad_request

Version = tuple[int, int]

HEADER = "openstack-api-version"
# More digits than any version has are not worth converting.
_MOST_DIGITS = 9

GetHeader = Callable[[str], str | None]


def as_text(version: Version) -> str:
    """2.87"""
    return f"{version[0]}.{version[1]}"


def last_item(header: str, service_type: str) -> str | None:
    """What the header of all services says of one. Several may be named; the last word on it counts."""
    for item in reversed(header.split(",")):
        words = item.split(None, 1)
        if len(words) == 2 and words[0].lower() == service_type:  # noqa: PLR2004 - a name and a version
            return words[1].strip()
    return None


@dataclass(frozen=True, slots=True)
class Versions:
    """The microversions of a service."""

    service_type: str
    oldest: Version
    newest: Version
    # The service's own header, which holds the number alone.
    own_header: str | None = None

    def requested(self, header: GetHeader) -> Version:
        """The version that the headers ask for; the oldest if they do not."""
        text = last_item(header(HEADER) or "", self.service_type)
        if text is None and self.own_header is not None:
            text = (header(self.own_header) or "").strip() or None
        if text is None:
            return self.oldest
        if text == "latest":
            return self.newest
        major, dot, minor = text.partition(".")
        if not dot or not all(number.isdecimal() and len(number) <= _MOST_DIGITS for number in (major, minor)):
            raise bad_request(f"API Version String {text} is of invalid format. Must be of format MajorNum.MinorNum.")
        version = (int(major), int(minor))
        if not self.oldest <= version <= self.newest:
            raise HttpError(
                HTTPStatus.NOT_ACCEPTABLE,
                f"Version {text} is not supported by the API. "
                f"Minimum is {as_text(self.oldest)} and maximum is {as_text(self.newest)}.",
            )
        return version

    def headers(self, version: Version) -> dict[str, str]:
        """What an answer says about its version."""
        said = {HEADER: f"{self.service_type} {as_text(version)}", "vary": HEADER}
        if self.own_header is not None:
            said |= {self.own_header: as_text(version), "vary": f"{HEADER}, {self.own_header}"}
        return said
