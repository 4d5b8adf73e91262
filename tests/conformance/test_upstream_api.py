"""Upstream's own API tests, run from the files of the openstack-placement package against this implementation.

Each file is a sequence of requests and expected answers (see https://gabbi.readthedocs.io) that starts from an empty
database and one of the clouds in `clouds`. No code of upstream runs: only its YAML files are read.
"""

from __future__ import annotations

import importlib.util
import unittest
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import httpx
import pytest
import yaml
from gabbi.handlers import RESPONSE_HANDLERS
from gabbi.suite import GabbiSuite
from gabbi.suitemaker import test_suite_from_dict as make_suite

from moorage.db.database import Database
from moorage.service.application import placement_application
from moorage.service.settings import load_settings
from tests.conformance import clouds
from tests.conformance.clouds import CloudBuilder
from tests.conformance.fixtures import FIXTURES, Configuration, settings_of

HOST, PORT = "placement.example.com", 8778

Service = Callable[[Configuration], WSGIApplication]


def upstream_files() -> list[Path]:
    """The YAML files of the installed package, found without importing it."""
    package = importlib.util.find_spec("placement")
    if package is None or package.origin is None:
        raise FileNotFoundError("openstack-placement, which brings the API tests, is not installed")
    return sorted(Path(package.origin).parent.glob("tests/functional/gabbits/*.yaml"))


def read(file: Path) -> dict[str, Any]:
    document: dict[str, Any] = yaml.safe_load(file.read_text(encoding="utf-8"))
    return document


FILES = upstream_files()


def test_there_are_1316_tests_in_79_files() -> None:
    assert (len(FILES), sum(len(read(file)["tests"]) for file in FILES)) == (79, 1316)


@pytest.mark.every_database
@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_upstream_file(file: Path, service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    document = read(file)
    (fixture_name,) = document["fixtures"]
    fixture = FIXTURES[fixture_name]
    application = service(fixture.configuration)
    with httpx.Client(transport=httpx.WSGITransport(application), base_url=f"http://{HOST}:{PORT}") as client:
        builder = CloudBuilder(client)
        builder.build(clouds.EMPTY)
        builder.build(fixture.cloud)
    for name, value in builder.variables.items():
        monkeypatch.setenv(name, value)
    failures = Failures()
    suite_of(document, file, application).run(failures)
    assert (failures.testsRun, failures.skipped) == (len(document["tests"]), [])
    if failures.texts:
        heading = f"{len(failures.texts)} of {failures.testsRun} tests in {file.name} failed"
        pytest.fail("\n\n".join([heading, *failures.texts]), pytrace=False)


@pytest.fixture
def service(empty_database: str, database: Database, tmp_path: Path) -> Service:
    """The service on an empty database, in the configuration that is asked for."""

    def start(configuration: Configuration) -> WSGIApplication:
        settings = load_settings(settings_of(configuration, empty_database, tmp_path))
        return placement_application(settings, database)

    return start


def with_wsgi_paths(application: WSGIApplication) -> WSGIApplication:
    """The application, called as PEP 3333 says: the bytes of the path as latin-1, where gabbi sends Unicode."""

    def call(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        environ["PATH_INFO"] = environ["PATH_INFO"].encode().decode("latin-1")
        return application(environ, start_response)

    return call


def suite_of(document: Mapping[str, Any], file: Path, application: WSGIApplication) -> GabbiSuite:
    # Without certificates to check there is no need to read the system's list of them for each of the tests.
    defaults = {"cert_validate": False, **document.get("defaults", {})}
    return make_suite(
        unittest.TestLoader(),
        test_base_name=file.stem,
        suite_dict={**document, "defaults": defaults},
        test_directory=str(file.parent),
        host=HOST,
        port=PORT,
        fixture_module=None,  # CloudBuilder has done their work
        intercept=lambda: with_wsgi_paths(application),
        handlers=[handler() for handler in RESPONSE_HANDLERS],
    )


class Failures(unittest.TestResult):
    """What went wrong, test by test: the expectation that was not met, without the way through gabbi's code."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def addFailure(self, test: unittest.TestCase, err: Any) -> None:  # noqa: N802 - unittest's name
        self._describe(test, str(err[1]))

    def addError(self, test: unittest.TestCase, err: Any) -> None:  # noqa: N802 - unittest's name
        self._describe(test, self._exc_info_to_string(err, test))  # type: ignore[attr-defined]

    def _describe(self, test: Any, reason: str) -> None:
        request = f"{test.test_data['method']} {test.test_data['url']}"
        self.texts.append(f"{test.shortDescription()}\n{request}\n{reason}")
