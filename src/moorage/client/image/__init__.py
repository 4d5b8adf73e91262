"""The client for an image service, a Glance or a Moorage, over any transport.

The endpoint is the one of the version: `…/v2`. A method returns values or raises one of `moorage.client.errors`. It may
be used by several threads at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from moorage.client.at_once import ask_at_once
from moorage.client.calls import Calls, path_of
from moorage.client.errors import NotFound
from moorage.client.transport import Transport

__all__ = ["Image", "ImageClient"]

# So many are asked for at once: the address of a request must not grow beyond what servers and proxies take.
_AT_ONCE = 50


class Image(Struct, frozen=True):
    """An image; all its properties are texts, by their own names, such as vmware_ostype."""

    id: str
    name: str | None
    status: str
    properties: Mapping[str, str]
    # What servers need at least to be made from it.
    min_ram_mb: int = 0
    min_disk_gb: int = 0


class ImageClient:
    """What rooms of Moorage ask an image service for."""

    def __init__(self, transport: Transport) -> None:
        self._calls = Calls(transport)

    def image(self, image_id: str) -> Image | None:
        """The image with this id; None where there is none, or none that the caller may see."""
        try:
            return _image(self._calls.read(dict[str, Any], path_of("images", image_id)))
        except NotFound:
            return None

    def document(self, image_id: str) -> Mapping[str, Any] | None:
        """All that the service says of an image, in its own form; None where there is none."""
        try:
            return self._calls.read(dict[str, Any], path_of("images", image_id))
        except NotFound:
            return None

    def images(self, image_ids: Iterable[str]) -> Mapping[str, Image]:
        """Those of the images that there are, by id."""
        wanted = sorted(set(image_ids))
        chunks = [tuple(wanted[start : start + _AT_ONCE]) for start in range(0, len(wanted), _AT_ONCE)]
        listed = {image.id: image for some in ask_at_once(self._listed, chunks).values() for image in some}
        # Lists leave out images that are hidden or being deleted, and what others share without being asked.
        single = ask_at_once(self.image, [image_id for image_id in wanted if image_id not in listed])
        return listed | {image_id: image for image_id, image in single.items() if image is not None}

    def all_images(self) -> tuple[Image, ...]:
        """Every image that the caller may see, page by page."""
        found: list[Image] = []
        query = [("visibility", "all"), ("limit", "1000")]
        while True:
            page = self._calls.read(_Images, "/images", [*query, *([("marker", found[-1].id)] if found else [])])
            found += [_image(content) for content in page.images]
            if page.next is None or not page.images:
                return tuple(found)

    def create_image(self, name: str, properties: Mapping[str, str]) -> Image:
        """A new image without bytes."""
        content = {"name": name, "disk_format": "raw", "container_format": "bare", **properties}
        return _image(self._calls.ask(dict[str, Any], "POST", "/images", content=content))

    def delete_image(self, image_id: str) -> None:
        """Remove an image; NotFound if there is none."""
        self._calls.send("DELETE", path_of("images", image_id))

    def _listed(self, image_ids: tuple[str, ...]) -> list[Image]:
        query = [("id", f"in:{','.join(image_ids)}"), ("visibility", "all"), ("limit", str(_AT_ONCE))]
        return [_image(content) for content in self._calls.read(_Images, "/images", query).images]


# --- how the API words it


class _Images(Struct, frozen=True):
    images: tuple[dict[str, Any], ...]
    # The address of the next page.
    next: str | None = None


def _image(content: dict[str, Any]) -> Image:
    properties = {name: value for name, value in content.items() if isinstance(value, str)}
    return Image(
        id=content["id"],
        name=content.get("name"),
        status=content["status"],
        properties=properties,
        min_ram_mb=content.get("min_ram", 0),
        min_disk_gb=content.get("min_disk", 0),
    )
