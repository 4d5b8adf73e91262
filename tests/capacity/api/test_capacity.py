"""Capacity reports through the API: what was read is what the report is made from."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from moorage.capacity.errors import CapacityError
from moorage.capacity.protocol.reports import capacity_report
from moorage.capacity.report import report_capacity
from moorage.db.database import Database
from tests.capacity.fake_cloud import FakeCloud
from tests.capacity.liquids import speaker
from tests.capacity.vector_files import cloud_of, configuration_of, request_of

VECTORS = json.loads(gzip.decompress((Path(__file__).parent.parent / "vectors" / "capacity_edge.json.gz").read_bytes()))
# A request may not speak of zones that it does not name.
SENSIBLE = [vector for vector in VECTORS if vector["name"] != "edge-no-known-azs"]


@pytest.mark.parametrize("vector", SENSIBLE, ids=[vector["name"] for vector in SENSIBLE])
def test_the_report_is_that_of_the_cloud_that_was_read(vector: Any, database: Database) -> None:
    given = vector["input"]
    asker = speaker(database, FakeCloud({**given, "limits": {}}).services(), given["config"])
    response = asker.post("/v1/report-capacity", given["request"])
    if "error" in vector["expected"]:
        with pytest.raises(CapacityError) as refused:
            report_capacity(cloud_of(given), request_of(given), configuration_of(given))
        assert response.status in (400, 500)
        assert response.body.decode() == f"{refused.value}\n"
        return
    found = report_capacity(cloud_of(given), request_of(given), configuration_of(given))
    report = response.json()
    assert report["infoVersion"] == asker.info()["version"]
    expected = msgspec.to_builtins(capacity_report(found.report, report["infoVersion"]))
    assert report == json.loads(json.dumps(expected))


def test_figures_of_the_last_report_are_there_for_prometheus(database: Database) -> None:
    given = next(vector["input"] for vector in VECTORS if vector["name"] == "edge-split-flavor-without-host")
    asker = speaker(database, FakeCloud({**given, "limits": {}}).services(), given["config"])
    before = asker.get("/metrics").body.decode()
    assert "# TYPE moorage_capacity gauge" in before
    assert "\nmoorage_capacity{" not in before
    report = asker.capacity(given["request"])
    response = asker.get("/metrics")
    assert response.headers["content-type"].startswith("text/plain; version=")
    lines = response.body.decode().splitlines()
    for resource, found in report["resources"].items():
        for zone, at in found["perAZ"].items():
            line = f'moorage_capacity{{resource="{resource}",zone="{zone}"}} {float(at["capacity"])}'
            assert line in lines
    assert "moorage_capacity_hypervisors_skipped 0.0" in lines
    assert any(line.startswith("moorage_capacity_unplaced{") and not line.endswith(" 0.0") for line in lines)
    assert any(line.startswith("moorage_capacity_report_seconds ") for line in lines)
    # Nobody could place what no hypervisor takes, so nothing can be won.
    assert any(line.startswith('moorage_capacity_bound{zone="az-a"} ') for line in lines)
    assert 'moorage_capacity_gap{zone="az-a"} 0.0' in lines
