"""Which traits an image requires of the host of its servers.

An image says `trait:NAME=required`, and nothing else about traits: what it forbids, or asks of single providers, would
have to be reconciled with the groups of every flavor. Whatever else it says is refused, since it would not be met.
"""

from __future__ import annotations

import re

from moorage.compute.model.image import BootImage
from moorage.compute.placing.refusals import MalformedImageTrait

_PREFIX = "trait:"
_OF_A_GROUP = re.compile(r"trait[a-zA-Z0-9_-]{1,64}:.*", re.DOTALL)
_TRAIT = re.compile(r"[A-Z0-9_]{1,255}")


def required_traits(image: BootImage) -> frozenset[str]:
    """The traits that an image requires; MalformedImageTrait for the first property that cannot be met."""
    for key, value in sorted(image.properties.items()):
        if (reason := _complaint(key, value)) is not None:
            raise MalformedImageTrait(image.label, key, value, reason)
    return frozenset(key.removeprefix(_PREFIX) for key in image.properties if key.startswith(_PREFIX))


def _complaint(key: str, value: str) -> str | None:
    if _OF_A_GROUP.fullmatch(key):
        return "numbered groups are made by flavors only, an image uses trait:NAME"
    if not key.startswith(_PREFIX):
        return None
    if _TRAIT.fullmatch(key.removeprefix(_PREFIX)) is None:
        return "a trait is made of 1 to 255 of the characters A-Z, 0-9 and _"
    if value != "required":
        return 'the only value for images is "required"'
    return None
