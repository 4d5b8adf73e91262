"""The files of the console, read once.

There is no build step; what is in `static/` is what browsers get.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import resources
from importlib.resources.abc import Traversable

from moorage.web.files import File, file_of

TYPES = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}


def read_files() -> Mapping[str, File]:
    """Every file that browsers may have, by path; the empty path is the page itself."""
    folder = resources.files(__package__) / "static"
    found = {path: file_of(TYPES[_ending(path)], item.read_bytes()) for path, item in _walk(folder)}
    return found | {"": found["index.html"]}


def _walk(folder: Traversable, prefix: str = "") -> Iterator[tuple[str, Traversable]]:
    for item in folder.iterdir():
        if item.is_dir():
            yield from _walk(item, f"{prefix}{item.name}/")
        elif _ending(item.name) in TYPES:
            yield f"{prefix}{item.name}", item


def _ending(name: str) -> str:
    return name.rpartition(".")[2]
