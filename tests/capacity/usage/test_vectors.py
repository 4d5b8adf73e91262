"""What the existing service says of projects, and what Moorage says of the same, through the whole API."""

from __future__ import annotations

from moorage.db.database import Database
from tests.capacity.fake_cloud import FakeCloud
from tests.capacity.liquids import speaker
from tests.capacity.usage.rules import expected_here
from tests.capacity.vector_files import Vector


def test_info_usage_and_quotas_are_the_existing_services(usage_vector: Vector, database: Database) -> None:
    given, expected = usage_vector["input"], expected_here(usage_vector)
    cloud = FakeCloud(given)
    asker = speaker(database, cloud.services(), given["config"])
    info = asker.info()
    report = asker.usage(given["request"], given["project_id"])
    assert report.pop("infoVersion") == info["version"]
    if "quota_request" in given:
        response = asker.put(f"/v1/projects/{given['project_id']}/quota", given["quota_request"])
        assert (response.status, response.body) == (204, b"")
        assert cloud.quotas == [expected["nova_quota_put"]]
    if "error" in expected:
        assert "PANIC" in expected["error"], "what the existing service refuses is not known to be usable"
        return
    assert expected["report"].pop("infoVersion") == 1
    assert {**info, "version": 1} == expected["info"]
    assert report == expected["report"]
