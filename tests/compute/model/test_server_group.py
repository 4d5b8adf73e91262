from __future__ import annotations

import pytest

from moorage.compute.model.server_group import POLICIES, Policy, ServerGroup


@pytest.mark.parametrize(
    ("policy", "rule", "most"),
    [
        ("anti-affinity", None, 1),
        ("anti-affinity", 3, 3),
        ("affinity", None, None),
        ("soft-affinity", None, None),
        ("soft-anti-affinity", None, None),
    ],
)
def test_only_anti_affinity_limits_the_servers_of_a_host(policy: Policy, rule: int | None, most: int | None) -> None:
    assert policy in POLICIES
    group = ServerGroup(
        uuid="1", name="quay", project_id="harbour", user_id="me", policy=policy, max_server_per_host=rule
    )
    assert group.most_per_host == most
