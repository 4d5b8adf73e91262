"""How much may be known about one image, so that no image, and no list of images, grows without end.

Numbers are Glance's defaults. That all properties together have a bound, and not only each of them, is ours.
"""

from __future__ import annotations

from moorage.compute.model.image import Image

MOST_PROPERTIES = 128
MOST_TAGS = 128
MOST_MEMBERS = 128
MOST_PROPERTY_BYTES = 65_535
"""For the names and values of all properties together, in UTF-8."""


def excess(image: Image, before: Image | None = None) -> str | None:
    """What an image has too much of, or None. One that had too much before may have less, or as much."""
    figures = _figures(image)
    earlier = _figures(before) if before is not None else dict.fromkeys(figures, 0)
    for what, most in _MOST.items():
        if figures[what] > max(most, earlier[what]):
            return f"An image may have {most} {what}; this one would have {figures[what]}."
    return None


_MOST = {
    "properties": MOST_PROPERTIES,
    "bytes in all its properties": MOST_PROPERTY_BYTES,
    "tags": MOST_TAGS,
    "members": MOST_MEMBERS,
}


def _figures(image: Image) -> dict[str, int]:
    size = sum(len(text.encode("utf-8", "surrogatepass")) for pair in image.properties.items() for text in pair)
    return {
        "properties": len(image.properties),
        "bytes in all its properties": size,
        "tags": len(image.tags),
        "members": len(image.members),
    }
