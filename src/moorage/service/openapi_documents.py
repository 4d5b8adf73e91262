"""`/openapi/`: the APIs that are served, and a document about each, for whoever wants to read it.

They tell nothing that the documentation does not tell, so nobody is asked who they are. Each document is made when it
is asked for the first time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cache, partial
from typing import TYPE_CHECKING

import msgspec

from moorage.service.api_descriptions import DESCRIBED_APIS, DescribedApi
from moorage.web.files import File, file_application, file_of

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

# The services from here: whatever stands before both, behind a proxy, is the reader's to know.
_ROOT = ".."


def openapi_application(mounts: Collection[str]) -> WSGIApplication:
    """The documents of the APIs below these paths."""
    served = {name: api for name, api in DESCRIBED_APIS.items() if f"/{api.mount.split('/')[1]}" in mounts}
    makers: dict[str, Callable[[], File]] = {"": partial(_list, served)}
    makers |= {_file_name(name): partial(_document, api) for name, api in served.items()}
    made = cache(lambda path: makers[path]())
    return file_application(lambda path: made(path) if path in makers else None)


def _file_name(name: str) -> str:
    return f"{name}.json"


def _list(served: Mapping[str, DescribedApi]) -> File:
    return _json(
        [
            {"name": name, "title": api.title, "mount": api.mount, "document": _file_name(name)}
            for name, api in served.items()
        ]
    )


def _document(api: DescribedApi) -> File:
    return _json(api.document(_ROOT))


def _json(content: object) -> File:
    return file_of("application/json", msgspec.json.encode(content))
