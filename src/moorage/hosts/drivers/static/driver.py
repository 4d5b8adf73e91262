"""The driver that believes a file: for appliances, for hosts that manage many nodes, for tests and simulations."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from moorage.hosts.drivers.driver import DriverError, NativeProviders
from moorage.hosts.drivers.static.expansion import expand
from moorage.hosts.drivers.static.reading import read
from moorage.hosts.provider_config.findings import Finding

MAX_BYTES = 16 * 1024 * 1024

_SHOWN_FINDINGS = 20


class StaticDriver:
    """Reports the providers that a YAML file describes; the file is read again when it has changed."""

    name = "static"

    def __init__(self, file: Path) -> None:
        self._file = file
        self._last: tuple[bytes, NativeProviders] | None = None

    def read(self) -> NativeProviders:
        """The providers of the file as it is now."""
        try:
            with self._file.open("rb") as stream:
                content = stream.read(MAX_BYTES + 1)
        except OSError as error:
            raise DriverError(f"The file {self._file} ([static] file) cannot be read: {error.strerror}.") from error
        if len(content) > MAX_BYTES:
            raise DriverError(f"The file {self._file} ([static] file) has more than {MAX_BYTES} bytes.")
        # Comparing contents is quick, and unlike times of change it misses nothing.
        if self._last is None or self._last[0] != content:
            self._last = content, described_by(str(self._file), content)
        return self._last[1]


def described_by(file: str, content: bytes) -> NativeProviders:
    """The providers that the content of a file describes; DriverError lists everything that is wrong."""
    descriptions, findings = read(file, content)
    if not findings:
        described, findings = expand(file, descriptions)
    if findings:
        raise DriverError(f"The description of nodes cannot be used: {_listed(findings)}")
    return described


def sample() -> str:
    """A file that shows everything a description may have, with comments."""
    return resources.files(__package__).joinpath("sample.yaml").read_text("utf-8")


def _listed(findings: list[Finding]) -> str:
    """All findings in one line, in the order of the file."""
    ordered = sorted(findings, key=lambda finding: (finding.line or 0, finding.column or 0))
    if len(ordered) == 1:
        return str(ordered[0])
    shown = [f"({number}) {finding}" for number, finding in enumerate(ordered[:_SHOWN_FINDINGS], start=1)]
    more = f" and {len(ordered) - _SHOWN_FINDINGS} more" if len(ordered) > _SHOWN_FINDINGS else ""
    return " ".join(shown) + more
