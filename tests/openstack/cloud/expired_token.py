"""Prints a token of the cloud's Keystone that was good until a moment ago: made by Keystone's own code, with its keys.

It runs in the environment of OpenStack, with the folder of the keys, a user's id, a project's id and how many seconds
ago the token expired.
"""

from __future__ import annotations

import sys
from datetime import datetime, timedelta

import keystone.conf
from keystone.token import token_formatters


def main(keys: str, user_id: str, project_id: str, seconds: str) -> None:
    keystone.conf.configure()
    keystone.conf.CONF([], project="keystone", default_config_files=[])
    keystone.conf.CONF.set_override("key_repository", keys, "fernet_tokens")
    expired = datetime.utcnow() - timedelta(seconds=int(seconds))  # noqa: DTZ003 - as Keystone writes it
    token = token_formatters.TokenFormatter().create_token(
        user_id,
        f"{expired.isoformat(timespec='microseconds')}Z",
        ["3T2dc1CGQxyJsHdDu1xkcw"],
        token_formatters.ProjectScopedPayload,
        methods=["password"],
        project_id=project_id,
    )
    print(token)  # noqa: T201 - a command


if __name__ == "__main__":
    main(*sys.argv[1:])
