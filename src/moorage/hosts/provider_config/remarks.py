"""Collects what is found in one file while it is read."""

from __future__ import annotations

from moorage.hosts.provider_config.findings import Finding, Path, shortened, spelled_out
from moorage.hosts.provider_config.nodes import Mapping, Node, Place, Sequence


class Remarks:
    """The findings about one file so far."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Finding] = []
        self.warnings: list[Finding] = []

    def problem(self, place: Place, path: Path, message: str, value: str = "", allowed: str = "") -> None:
        """Note why the file cannot be used."""
        self.problems.append(self._finding(place, path, message, value, allowed))

    def warning(self, place: Place, path: Path, message: str, value: str = "") -> None:
        """Note what the operator may not have meant."""
        self.warnings.append(self._finding(place, path, message, value, ""))

    def _finding(self, place: Place, path: Path, message: str, value: str, allowed: str) -> Finding:
        return Finding(self.file, message, place.line, place.column, spelled_out(path), value, allowed)


def shown(node: Node) -> str:
    """A value as the file writes it, shortened."""
    if isinstance(node, Mapping):
        return "a mapping"
    if isinstance(node, Sequence):
        return "a list"
    # The text of a number, as the number may be too long to be written again.
    return shortened(repr(node.value) if isinstance(node.value, str) else node.text or "null")
