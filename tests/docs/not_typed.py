"""What the documents show and no test here types, with the reason: everything else that looks like a command is typed.

A ```shell-session block is typed by a test of its own, on a machine that a reader's session is not.
"""

from __future__ import annotations

# Who types the shell-session blocks of a document.
SPECIAL_SESSIONS = {
    "docs/install.md": "test_databases.py, on each kind of database",
    "docs/openstack.md": "tests/openstack/test_guide.py, with a real Keystone and Nova",
}

# The first line of a block, by document, and why the block is not typed.
_MACHINE = "changes the machine as root: accounts, /etc, units of systemd"
_TESTS = "runs the tests, of which this is one"
NOT_TYPED = {
    ("README.md", "$ make run"): "shows the greeting of the service that each session has",
    (
        "README.md",
        "$ .venv/bin/pip install python-openstackclient osc-placement",
    ): "would change what the tests run with",
    ("docs/agent.md", "$ sudo install -d -m 755 /etc/moorage /etc/moorage/provider_config"): _MACHINE,
    ("docs/install.md", "$ sudo python3 -m venv /opt/moorage"): _MACHINE,
    ("docs/install.md", "$ sudo install -m 644 packaging/systemd/moorage.service /etc/systemd/system/"): _MACHINE,
    ("docs/openapi.md", "$ openapi-python-client generate --path ~/reservation.json"): "programs of others",
    ("docs/provider-config.md", "$ sudo install -d -m 755 /etc/moorage/provider_config"): _MACHINE,
    (
        "docs/provider-config.md",
        "$ new=$(mktemp -d) && cp /etc/moorage/provider_config/*.yaml $new && $EDITOR $new/10-cache.yaml",
    ): "opens an editor, and changes /etc as root",
    ("docs/testing.md", "$ make test"): _TESTS,
    ("docs/testing.md", "$ pytest --databases sqlite                                # no servers needed"): _TESTS,
    ("docs/testing.md", "$ tools/with-test-databases pytest -n 2 --databases all tests/compute"): _TESTS,
    (
        "docs/testing.md",
        "$ MOORAGE_TEST_EFFORT=20 pytest --databases sqlite tests/placement/test_bad_input.py",
    ): _TESTS,
    ("docs/testing.md", "$ MOORAGE_TEST_EFFORT=10 pytest tests/openapi"): _TESTS,
    ("docs/testing.md", "$ make test-openstack"): _TESTS,
    (
        "docs/testing.md",
        "$ python -m tests.openstack --keep -- -k servers      # what is after -- goes to pytest",
    ): _TESTS,
}
