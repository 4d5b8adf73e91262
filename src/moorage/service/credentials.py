"""The admin credentials of the auth strategy "token": random secrets in files that only their owner can read.

The admin token and the password of the user `admin` are made at first start, with a clouds.yaml beside them for the
OpenStack clients. Comparing what a caller sends with them is the business of others; here nothing prints or logs it.
"""

import json
import os
import secrets
import stat
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from moorage.service.errors import OperatorError

CLOUD_NAME = "moorage"

# What `openstack --os-cloud moorage` reads. JSON's way to write a text is also one of YAML's, whatever is in it.
_CLOUDS_YAML = """\
# Made by `moorage serve`, and made again when the address or the password changes.
clouds:
  {cloud}:
    auth_type: password
    auth:
      auth_url: {address}/identity/v3
      username: admin
      password: {secret}
      project_name: admin
      user_domain_id: default
      project_domain_id: default
    region_name: {region}
    identity_api_version: "3"
    placement_api_version: "1.39"
"""

# The same where the service that knows passwords is not served.
_CLOUDS_YAML_WITHOUT_IDENTITY = """\
# Made by `moorage serve`, and made again when the address or the token changes.
clouds:
  {cloud}:
    auth_type: admin_token
    auth:
      endpoint: {address}/placement
      token: {secret}
    placement_endpoint_override: {address}/placement
    placement_api_version: "1.39"
"""


@dataclass(frozen=True, slots=True)
class PasswordLogin:
    """Logging in as the administrator, in a region."""

    password: str = field(repr=False)
    region: str


@dataclass(frozen=True, slots=True)
class TokenLogin:
    """Sending the admin token itself."""

    token: str = field(repr=False)


def ensure_token(file: Path) -> str:
    """The token in `file`, made now if there is none yet.

    When several processes start at the same time, one of them makes the file and all use what it holds.
    """
    _ensure_secret(file)
    return read_token(file)


def read_token(file: Path) -> str:
    """The token in `file`, refused when others could have read it too."""
    return _read_secret(file, "admin token", "ascii")


def ensure_password(file: Path) -> tuple[str, bool]:
    """The password of the user `admin` in `file`, and whether it was made just now because there was none."""
    is_new = _ensure_secret(file)
    return _read_secret(file, "password", "utf-8"), is_new


def password_file(token_file: Path) -> Path:
    """Where the password that goes with a token is kept."""
    return token_file.with_name("admin-password")


def _ensure_secret(file: Path) -> bool:
    make_private_directory(file.parent)
    if file.exists():
        return False
    return _place(file, secrets.token_urlsafe(32) + "\n", replace=False)


def _read_secret(file: Path, what: str, encoding: str) -> str:
    try:
        require_private(file)
        secret = file.read_text(encoding=encoding).strip()
    except FileNotFoundError as error:
        raise OperatorError(f"There is no {what} in {file}; `moorage serve` makes one.") from error
    except (OSError, UnicodeDecodeError) as error:
        raise OperatorError(f"The {what} in {file} cannot be read: {error}.") from error
    if not secret:
        raise OperatorError(f"The file {file} holds no {what}; delete it, and the next start makes a new one.")
    return secret


def require_private(file: Path) -> None:
    """Refuse a file with a secret that anybody but its owner can read or write."""
    mode = stat.S_IMODE(file.stat().st_mode)
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        message = (
            f"The file {file} holds a secret, but others than its owner have access (mode {mode:04o}); run"
            f" `chmod 600 {file}`, or delete it to get a new secret at the next start if somebody may have read it."
        )
        raise OperatorError(message)


def clouds_file(token_file: Path) -> Path:
    """Where the clouds.yaml that goes with a token is kept."""
    return token_file.with_name("clouds.yaml")


def write_clouds_file(file: Path, address: str, login: PasswordLogin | TokenLogin) -> None:
    """Write a clouds.yaml whose cloud "moorage" is what is served at `address`; leave one that is right alone."""
    if isinstance(login, PasswordLogin):
        secret, region = json.dumps(login.password), json.dumps(login.region)
        content = _CLOUDS_YAML.format(cloud=CLOUD_NAME, address=address, secret=secret, region=region)
    else:
        secret = json.dumps(login.token)
        content = _CLOUDS_YAML_WITHOUT_IDENTITY.format(cloud=CLOUD_NAME, address=address, secret=secret)
    if file.exists():
        require_private(file)
        if file.read_text(encoding="utf-8") == content:
            return
    _place(file, content, replace=True)


def make_private_directory(directory: Path) -> None:
    """Make a directory that only its owner can enter; one that exists is left as it is."""
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise OperatorError(
            f"The directory {directory} cannot be made: {error.strerror}; choose another one with [DEFAULT] state_path."
        ) from error


def _place(file: Path, content: str, *, replace: bool) -> bool:
    """Put a file there whole or not at all, readable by its owner only from the first moment; whether it was ours."""
    try:
        # mkstemp makes files of mode 0600.
        descriptor, temporary = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    except OSError as error:
        raise OperatorError(
            f"The file {file} cannot be written: {error.strerror}; see [DEFAULT] state_path and [token] file."
        ) from error
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        if replace:
            Path(temporary).replace(file)
        else:
            # A link, unlike a rename, fails when another process was faster; its file is as good as ours.
            try:
                os.link(temporary, file)
            except FileExistsError:
                return False
    finally:
        Path(temporary).unlink(missing_ok=True)
    return True
