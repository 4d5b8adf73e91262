"""The guide for operators, typed on a real cloud: each command works, and shows what the guide says it shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.documents import REPOSITORY, blocks, matches, steps
from tests.docs.session import Reader
from tests.openstack.cloud import nova
from tests.openstack.cloud.moorage import documented_names
from tests.openstack.cloud.site import PASSWORD
from tests.openstack.operator import Operator

GUIDE = REPOSITORY / "docs" / "openstack.md"
GUIDE_SECONDS = 900


def test_what_the_guide_says(operator: Operator, tmp_path: Path) -> None:
    (tmp_path / "moorage-password").write_text(PASSWORD)
    settings = operator.site.settings / nova.NAME / "nova.conf"
    beginning = f'nova-manage() {{ "{nova.MANAGE}" --config-file "{settings}" "$@"; }}'
    environment = {**operator.environment(), "HOME": str(tmp_path), "LC_ALL": "C.UTF-8", "COLUMNS": "120"}
    administrator = Reader(
        environment,
        documented_names(operator.site),
        tmp_path / "greeting",
        beginning,
        record=operator.site.logs / "guide.log",
        patience=GUIDE_SECONDS,
    )
    typed = [step for block in blocks(GUIDE, "shell-session") for step in steps(block)]
    wrong = [
        f"{GUIDE.name}:{step.line}: $ {step.command}\n--- written\n{step.expected}\n--- shown\n{output}"
        for step, output in zip(typed, administrator.type(typed), strict=True)
        if not matches(step.expected, output)
    ]
    if wrong:
        pytest.fail("\n\n".join(wrong), pytrace=False)
