"""Nova: the API, a conductor, a scheduler, and compute services with fake hypervisors."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from tests.openstack.cloud import gunicorn, mariadb, rabbitmq
from tests.openstack.cloud.configuration import Section, credential, text_of, token_checks
from tests.openstack.cloud.programs import Programs
from tests.openstack.cloud.site import ADDRESS, COMPUTES, OPENSTACK, Site

NAME = "nova"
MANAGE = OPENSTACK / "bin" / "nova-manage"

# The plain fake driver would give its nodes new identities in every process.
DRIVER = "fake.FakeDriverWithoutFakeNodes"

FILTERS = (
    "ComputeFilter", "ComputeCapabilitiesFilter", "ImagePropertiesFilter", "ServerGroupAntiAffinityFilter",
    "ServerGroupAffinityFilter", "AggregateMultiTenancyIsolation",
)  # fmt: skip
"""Those that are on by default, and the last, which docs/openstack.md adds."""

PROVIDER_CONFIGURATION = """\
meta:
  schema_version: '1.0'
providers:
  - identification:
      name: $COMPUTE_NODE
    inventories:
      additional:
        - CUSTOM_LLC:
            total: 22
            reserved: 2
            min_unit: 1
            max_unit: 11
            step_size: 1
            allocation_ratio: 1.0
    traits:
      additional:
        - CUSTOM_P_STATE_ENABLED
"""
"""Last-level cache, which no driver of Nova knows: the first compute service reads this file."""


def prepare(programs: Programs) -> None:
    """Make the configuration, the databases and the cells."""
    site = programs.site
    folder = site.settings / NAME
    folder.mkdir()
    # The API takes the first configuration file of its folder for this one.
    shutil.copy(OPENSTACK / "etc" / "nova" / "api-paste.ini", folder)
    # A compute service refuses to start when it sees how to reach a database.
    (folder / "compute.conf").write_text(text_of(_common(site)))
    (folder / "nova.conf").write_text(text_of(_control(site, "nova_cell0")))
    (folder / "cell1.conf").write_text(text_of(_control(site, "nova_cell1")))
    for compute in COMPUTES:
        (folder / f"{compute}.conf").write_text(text_of(_compute(site, compute)))
        provider_folder(site, compute).mkdir(parents=True)
    (provider_folder(site, COMPUTES[0]) / "cache.yaml").write_text(PROVIDER_CONFIGURATION)
    for database in ("nova_api", "nova_cell0", "nova_cell1"):
        mariadb.create_database(site, database)
    manage(programs, "api_db", "sync")
    manage(programs, "cell_v2", "map_cell0", "--database_connection", site.database("nova_cell0"))
    transport = ("--transport-url", rabbitmq.transport_url(site))
    manage(
        programs, "cell_v2", "create_cell", "--name", "cell1", "--database_connection", site.database("nova_cell1"),
        *transport,
    )  # fmt: skip
    manage(programs, "db", "sync")
    manage(programs, "db", "sync", "--local_cell", configuration="cell1.conf")


def provider_folder(site: Site, compute: str) -> Path:
    """Where a compute service looks for provider configuration."""
    return site.home / "provider-config" / compute


def manage(programs: Programs, *arguments: str, configuration: str = "nova.conf") -> None:
    """Run `nova-manage`."""
    programs.run("nova-manage", [MANAGE, "--config-file", programs.site.settings / NAME / configuration, *arguments])


def start_control(programs: Programs) -> None:
    """Serve the Compute API, and start who works for it."""
    folder = programs.site.settings / NAME
    gunicorn.serve(programs, NAME, "nova.wsgi.osapi_compute:application", {"OS_NOVA_CONFIG_DIR": str(folder)})
    binaries = OPENSTACK / "bin"
    programs.start("nova-conductor", [binaries / "nova-conductor", "--config-file", folder / "cell1.conf"])
    programs.start("nova-scheduler", [binaries / "nova-scheduler", "--config-file", folder / "nova.conf"])


def stop(programs: Programs) -> None:
    """Stop all of it."""
    programs.stop_together([NAME, "nova-scheduler", "nova-conductor", *COMPUTES])


def start_compute(programs: Programs, name: str) -> None:
    """Start the compute service of one host."""
    folder = programs.site.settings / NAME
    files = [f"--config-file={folder / file}" for file in ("compute.conf", f"{name}.conf")]
    programs.start(name, [OPENSTACK / "bin" / "nova-compute", *files])


def _common(site: Site) -> Mapping[str, Section]:
    asking = credential(site, NAME)
    return {
        "DEFAULT": {
            "use_stderr": True,
            "transport_url": rabbitmq.transport_url(site),
            "my_ip": ADDRESS,
            "host": "control",
            "state_path": site.home / "nova",
            "compute_driver": DRIVER,
            "enabled_apis": "osapi_compute",
            "cpu_allocation_ratio": 2.0,
            "ram_allocation_ratio": 1.0,
            "disk_allocation_ratio": 1.0,
            "reserved_host_memory_mb": 512,
            "allow_resize_to_same_host": False,
            "update_resources_interval": 10,
            "report_interval": 5,
            "sync_power_state_interval": -1,
            "heal_instance_info_cache_interval": -1,
        },
        "oslo_concurrency": {"lock_path": site.home / "lock"},
        "conductor": {"workers": 1},
        "scheduler": {"workers": 1, "enable_isolated_aggregate_filtering": True},
        "filter_scheduler": {"enabled_filters": ",".join(FILTERS)},
        "quota": {"instances": -1, "cores": -1, "ram": -1},
        "placement": asking,
        "glance": asking,
        "neutron": asking,
        "cinder": asking,
        "service_user": {"send_service_user_token": True, **asking},
        "keystone_authtoken": token_checks(site, NAME),
        "vnc": {"enabled": False},
        "cache": {"enabled": False},
        "oslo_messaging_notifications": {"driver": "noop"},
    }


def _control(site: Site, cell: str) -> Mapping[str, Section]:
    return {
        **_common(site),
        "api_database": {"connection": site.database("nova_api")},
        "database": {"connection": site.database(cell)},
        "wsgi": {"api_paste_config": site.settings / NAME / "api-paste.ini"},
    }


def _compute(site: Site, name: str) -> Mapping[str, Section]:
    state = site.home / "nova" / name
    (state / "lock").mkdir(parents=True)
    return {
        "DEFAULT": {"host": name, "state_path": state},
        "compute": {
            "provider_config_location": provider_folder(site, name),
            # What is below its own provider it looks at again soon: with leases, providers there come and go.
            "resource_provider_association_refresh": 1,
        },
        "oslo_concurrency": {"lock_path": state / "lock"},
    }
