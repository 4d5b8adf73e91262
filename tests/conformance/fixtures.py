"""The fixtures that upstream's API tests name: with which settings the service runs, and which cloud it starts with."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import yaml

from tests.conformance import clouds
from tests.conformance.clouds import Cloud


class Configuration(Enum):
    """How the service is set up; nearly every test runs with the first."""

    OLD_POLICY_DEFAULTS = "role:admin may do everything, beside what the new defaults allow"
    NEW_POLICY_DEFAULTS = "only the new defaults count"
    OPEN_POLICY = "everybody may do everything"
    CROSS_ORIGIN = "browsers may call from another site"


@dataclass(frozen=True)
class Fixture:
    configuration: Configuration = Configuration.OLD_POLICY_DEFAULTS
    cloud: Cloud = clouds.EMPTY


FIXTURES = {
    "APIFixture": Fixture(),
    "LegacyRBACPolicyFixture": Fixture(Configuration.OLD_POLICY_DEFAULTS),
    "SecureRBACPolicyFixture": Fixture(Configuration.NEW_POLICY_DEFAULTS),
    "OpenPolicyFixture": Fixture(Configuration.OPEN_POLICY),
    "CORSFixture": Fixture(Configuration.CROSS_ORIGIN),
    "AllocationFixture": Fixture(cloud=clouds.ALLOCATED),
    "SharedStorageFixture": Fixture(cloud=clouds.SHARED_STORAGE),
    "NonSharedStorageFixture": Fixture(cloud=clouds.LOCAL_STORAGE),
    "NUMAAggregateFixture": Fixture(cloud=clouds.NUMA_AGGREGATES),
    "NUMANetworkFixture": Fixture(cloud=clouds.NUMA_NETWORK),
    "DeepNUMANetworkFixture": Fixture(cloud=clouds.DEEP_NUMA_NETWORK),
    "GranularFixture": Fixture(cloud=clouds.GRANULAR),
    "NeutronQoSMultiSegmentFixture": Fixture(cloud=clouds.MULTI_SEGMENT_NETWORK),
}

_ACTIONS = {
    "resource_providers": "list create show update delete",
    "resource_providers:inventories": "list create show update delete",
    "resource_providers:aggregates": "list update",
    "resource_providers:traits": "list update delete",
    "resource_providers:allocations": "list",
    "resource_classes": "list create show update delete",
    "traits": "list show update delete",
    "allocations": "list manage update delete",
    "allocation_candidates": "list",
    "reshaper": "reshape",
}

# Every rule but admin_api, on which the tests of who is an administrator rest.
POLICY_RULES = (
    *("service_api", "admin_or_service_api", "project_reader_api", "admin_or_project_reader_or_service_api"),
    *("placement:usages", "placement:resource_providers:usages"),
    *(f"placement:{noun}:{verb}" for noun, verbs in _ACTIONS.items() for verb in verbs.split()),
)


def settings_of(configuration: Configuration, database_url: str, directory: Path) -> dict[str, object]:
    """The settings of the service, keyed "group.option"; a policy file is written into the directory."""
    policy_file = directory / "policy.yaml"
    rules = dict.fromkeys(POLICY_RULES, "@") if configuration is Configuration.OPEN_POLICY else {}
    policy_file.write_text(yaml.safe_dump(rules))
    settings: dict[str, object] = {
        "database.connection": database_url,
        "api.auth_strategy": "noauth2",
        "oslo_policy.enforce_new_defaults": configuration is Configuration.NEW_POLICY_DEFAULTS,
        "oslo_policy.policy_file": str(policy_file),
    }
    if configuration is Configuration.CROSS_ORIGIN:
        settings["cors.allowed_origin"] = ["http://valid.example.com"]
        settings["cors.allow_headers"] = ["openstack-api-version"]
    return settings
