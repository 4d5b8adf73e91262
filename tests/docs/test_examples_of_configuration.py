"""What the documents tell an operator to write into files is right, and so are the units that are installed."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from configparser import ConfigParser
from pathlib import Path
from typing import Any

import pytest
import yaml
from oslo_policy import policy

from moorage.capacity.api import policies as capacity_policies
from moorage.capacity.api.routes import ROUTES as CAPACITY_ROUTES
from moorage.capacity.configuration_file import parse_configuration
from moorage.capacity.model.configuration import Configuration
from moorage.hosts.provider_config.documents import read_document
from moorage.placement.api import policies
from moorage.placement.api.routes import ROUTES
from moorage.service.settings import load_settings, unknown_options
from tests.docs.documents import DOCUMENTS, REPOSITORY, Block, blocks, name_of

CONFIGURATIONS = [
    pytest.param(block, id=f"{name_of(document)}:{block.line}")
    for document in DOCUMENTS
    for block in blocks(document, "ini")
]


@pytest.mark.usefixtures("installation")
@pytest.mark.parametrize("block", CONFIGURATIONS)
def test_settings_are_known_and_can_be_used(block: Block, tmp_path: Path) -> None:
    file = tmp_path / "documented.conf"
    file.write_text("\n".join(block.lines))
    assert unknown_options(load_settings(config_files=[str(file)])) == []


YAML = [(name_of(document), block) for document in DOCUMENTS for block in blocks(document, "yaml")]


def content(block: Block) -> Any:
    return yaml.safe_load("\n".join(block.lines))


def is_policy(block: Block) -> bool:
    """Whether these are rules by the names of operations."""
    return all(":" in name for name in content(block))


@pytest.mark.parametrize(
    "block", [pytest.param(block, id=f"{document}:{block.line}") for document, block in YAML if is_policy(block)]
)
def test_policies_name_rules_that_there_are(block: Block) -> None:
    known = {rule.name for rule in (*policies.rules(ROUTES), *capacity_policies.rules(CAPACITY_ROUTES))}
    rules = policy.Rules.load("\n".join(block.lines))
    assert set(rules) <= known
    named = re.findall(r"rule:(\w+)", " ".join(content(block).values()))
    assert set(named) <= known


def test_a_provider_configuration_file_can_be_read() -> None:
    (block,) = blocks(REPOSITORY / "docs" / "provider-config.md", "yaml")
    document = read_document("documented.yaml", "\n".join(block.lines).encode())
    assert (len(document.records), document.problems, document.warnings) == (2, (), ())


def test_other_yaml_is_looked_at_too() -> None:
    """The nodes in agent.md are written by tools/generate-docs, from a sample that has tests of its own."""
    others = {document for document, block in YAML if not is_policy(block)}
    assert others == {"docs/agent.md", "docs/provider-config.md"}


def test_a_configuration_of_the_liquid_service_can_be_read() -> None:
    (block,) = blocks(REPOSITORY / "docs" / "capacity.md", "json")
    assert parse_configuration("\n".join(block.lines).encode(), "documented.json") != Configuration()


def test_prometheus_is_led_to_the_metrics() -> None:
    """Which fields there are is Prometheus' own matter; a token may come from a file since its release 3."""
    (block,) = (b for b in blocks(REPOSITORY / "docs" / "watching.md") if b.lines[0] == "scrape_configs:")
    (job,) = content(block)["scrape_configs"]
    assert job["static_configs"] == [{"targets": ["moorage.example.org:8778"]}]
    assert list(job["http_headers"]) == ["X-Auth-Token"]


@pytest.mark.usefixtures("installation")
def test_a_proxy_lets_through_what_the_service_takes(tmp_path: Path) -> None:
    (block,) = blocks(REPOSITORY / "docs" / "install.md", "nginx")
    written = "\n".join(block.lines)
    (most,) = re.findall(r"client_max_body_size (\d+)m;", written)
    assert int(most) * 1024 * 1024 == load_settings().api.max_request_body_bytes
    assert "proxy_pass http://127.0.0.1:8778;" in written
    assert written.count("{") == written.count("}") == 2
    assert [line for line in block.lines if line.strip() and line.strip()[-1] not in "{};"] == []


UNITS = sorted((REPOSITORY / "packaging" / "systemd").glob("*.service"))


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_starts_what_there_is_as_documented(unit: Path, tmp_path: Path) -> None:
    assert any(f"packaging/systemd/{unit.name} /etc/systemd/system/" in path.read_text() for path in DOCUMENTS)
    service = sections(unit)["Service"]
    program, *arguments = service["ExecStart"].split()
    assert program == "/opt/moorage/bin/moorage"  # where the documents install it
    own = Path(sys.executable).with_name("moorage")
    subprocess.run([own, *arguments, "--help"], check=True, capture_output=True)
    if (verifier := shutil.which("systemd-analyze")) is None:
        return
    here = tmp_path / unit.name
    here.write_text(unit.read_text().replace(program, str(own)))
    judged = subprocess.run([verifier, "verify", "--man=no", here], capture_output=True, text=True, check=False)
    assert (judged.returncode, judged.stderr) == (0, "")


def sections(unit: Path) -> Mapping[str, Any]:
    """What a unit says; of what it says more than once, the last."""
    parser = ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(unit)
    return parser


def test_the_account_of_the_service_is_the_one_that_is_made() -> None:
    installing = (REPOSITORY / "docs" / "install.md").read_text(encoding="utf-8")
    (service,) = (sections(unit)["Service"] for unit in UNITS if unit.name == "moorage.service")
    assert (
        f"--home-dir /var/lib/{service['StateDirectory']} --shell /usr/sbin/nologin {service['User']}\n" in installing
    )
    assert f"state_path = /var/lib/{service['StateDirectory']}\n" in installing
