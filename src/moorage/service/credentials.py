"""The admin credential of the auth strategy "token": a random secret in a file that only its owner can read.

It is made at first start, with a clouds.yaml beside it for the OpenStack clients. Comparing a caller's token with the
secret is the business of `authentication`; here nothing prints or logs it.
"""

import os
import secrets
import stat
import tempfile
from pathlib import Path

from moorage.service.errors import OperatorError

CLOUD_NAME = "moorage"

_CLOUDS_YAML = """\
# Made by `moorage serve`, and made again when the address or the token changes.
clouds:
  {cloud}:
    auth_type: admin_token
    auth:
      endpoint: {endpoint}
      token: {token}
    placement_endpoint_override: {endpoint}
    placement_api_version: "1.39"
"""


def ensure_token(file: Path) -> str:
    """The token in `file`, made now if there is none yet.

    When several processes start at the same time, one of them makes the file and all use what it holds.
    """
    make_private_directory(file.parent)
    if not file.exists():
        _place(file, secrets.token_urlsafe(32) + "\n", replace=False)
    return read_token(file)


def read_token(file: Path) -> str:
    """The token in `file`, refused when others could have read it too."""
    try:
        require_private(file)
        token = file.read_text(encoding="ascii").strip()
    except FileNotFoundError as error:
        raise OperatorError(f"There is no admin token in {file}; `moorage serve` makes one.") from error
    except (OSError, UnicodeDecodeError) as error:
        raise OperatorError(f"The admin token in {file} cannot be read: {error}.") from error
    if not token:
        raise OperatorError(f"The file {file} holds no admin token; delete it, and the next start makes a new one.")
    return token


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


def write_clouds_file(file: Path, endpoint: str, token: str) -> None:
    """Write a clouds.yaml whose cloud "moorage" is the Placement API at `endpoint`; leave one that is right alone."""
    content = _CLOUDS_YAML.format(cloud=CLOUD_NAME, endpoint=endpoint, token=token)
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


def _place(file: Path, content: str, *, replace: bool) -> None:
    """Put a file there whole or not at all, readable by its owner only from the first moment."""
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
                return
    finally:
        Path(temporary).unlink(missing_ok=True)
