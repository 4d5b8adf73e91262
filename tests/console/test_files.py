"""What browsers get: every file that the page refers to, with headers that keep others' scripts out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from wsgiref.types import WSGIApplication
from wsgiref.util import setup_testing_defaults

import pytest

from moorage.console.api.policies import rules
from moorage.console.api.routes import ROUTES
from moorage.console.files import read_files
from moorage.web.files import file_application
from tests.docs.documents import REPOSITORY

FILES = read_files()


@pytest.fixture(scope="module")
def application() -> WSGIApplication:
    return file_application(FILES.get)


def ask(application: WSGIApplication, path: str, **more: str) -> tuple[str, Mapping[str, str], bytes]:
    environ: dict[str, Any] = {"SCRIPT_NAME": "/cloud/console", "PATH_INFO": path, **more}
    setup_testing_defaults(environ)
    environ["PATH_INFO"] = path
    told: list[Any] = []

    def start_response(status: str, headers: list[tuple[str, str]], _error: object = None) -> Any:
        told.extend([status, dict(headers)])

    body = b"".join(application(environ, start_response))
    return told[0], told[1], body


def test_the_page_and_what_it_needs(application: WSGIApplication) -> None:
    status, headers, page = ask(application, "/")
    assert (status, headers["content-type"]) == ("200 OK", "text/html; charset=utf-8")
    for path in re.findall(r'(?:src|href)="([^"]+)"', page.decode()):
        assert ask(application, f"/{path}")[0] == "200 OK"


def test_every_module_that_is_imported_is_there() -> None:
    for path, file in FILES.items():
        if not path.endswith(".js"):
            continue
        for found in re.findall(r'from "(\.[^"]+)"', file.content.decode()):
            parts = path.split("/")[:-1]
            for step in found.split("/"):
                parts = parts[:-1] if step == ".." else parts if step == "." else [*parts, step]
            assert "/".join(parts) in FILES, f"{path} imports {found}"


def test_nothing_may_come_from_elsewhere(application: WSGIApplication) -> None:
    policy = ask(application, "/")[1]["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy


def test_no_script_builds_html_from_text_or_runs_texts() -> None:
    """The scripts have no way to turn data into markup or code."""
    for path, file in FILES.items():
        for forbidden in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "localStorage"):
            assert forbidden not in file.content.decode(), f"{path} has {forbidden}"


def test_an_unchanged_file_is_not_sent_again(application: WSGIApplication) -> None:
    _, headers, _ = ask(application, "/app.js")
    status, _, body = ask(application, "/app.js", HTTP_IF_NONE_MATCH=headers["etag"])
    assert (status, body) == ("304 Not Modified", b"")


def test_files_are_compressed_for_browsers_that_understand_it(application: WSGIApplication) -> None:
    _, headers, body = ask(application, "/style.css", HTTP_ACCEPT_ENCODING="gzip, br")
    assert headers["content-encoding"] == "gzip"
    assert len(body) < len(ask(application, "/style.css")[2]) / 2


def test_without_the_slash_the_browser_is_sent_to_the_folder_wherever_a_proxy_has_put_it(
    application: WSGIApplication,
) -> None:
    status, headers, _ = ask(application, "")
    assert (status, headers["location"]) == ("308 Permanent Redirect", "console/")


@pytest.mark.parametrize("path", ["/nothing.js", "/../files.py", "/static/app.js", "/pages"])
def test_nothing_else_is_to_be_had(application: WSGIApplication, path: str) -> None:
    assert ask(application, path)[0] == "404 Not Found"


def test_files_cannot_be_written(application: WSGIApplication) -> None:
    assert ask(application, "/app.js", REQUEST_METHOD="PUT")[0] == "405 Method Not Allowed"


def test_the_document_names_every_rule_and_path_of_the_api() -> None:
    text = (REPOSITORY / "docs" / "console.md").read_text(encoding="utf-8")
    assert [rule.name for rule in rules(ROUTES) if f"`{rule.name}`" not in text] == []
    assert [path for path in ROUTES if f"`{path}`" not in text] == []
