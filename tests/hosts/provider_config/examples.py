"""Files to try things on, and what comes of reading them."""

from __future__ import annotations

from pathlib import Path

from moorage.hosts.provider_config.reading import Reading, read_directory

HEAD = "meta: {schema_version: '1.0'}\nproviders:\n"

# As the document that defines the format shows it.
EXAMPLE_OF_THE_DOCUMENT = """\
meta:
  schema_version: 1.0

providers:
  # List of dicts
  - identification:
        uuid: $COMPUTE_NODE
    inventories:
        additional:
            CUSTOM_LLC:
                # Describing LLC on this compute node
                # max_unit indicates maximum size of single LLC
                # total indicates sum of sizes of all LLC
                total: 22
                reserved: 2
                min_unit: 1
                max_unit: 11
                step_size: 1
                allocation_ratio: 1
    traits:
        additional:
            # Describing that this compute node enables support for
            # P-state control
            - CUSTOM_P_STATE_ENABLED
"""


def write(directory: Path, name: str, content: str | bytes) -> Path:
    """A file that only its owner can write, whatever the umask."""
    file = directory / name
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    file.chmod(0o644)
    return file


def read(directory: Path, *contents: str | bytes) -> Reading:
    """What the files a.yaml, b.yaml and so on with these contents say."""
    directory.chmod(0o755)
    for letter, content in zip("abcdefgh", contents, strict=False):
        write(directory, f"{letter}.yaml", content)
    return read_directory(directory)


def entry(identification: str = "uuid: $COMPUTE_NODE", rest: str = "traits: {additional: [CUSTOM_A]}") -> str:
    """One entry of the list of providers, on two lines."""
    return f"  - identification: {{{identification}}}\n    {rest}\n"


def problems(reading: Reading) -> list[str]:
    return [str(problem) for problem in reading.problems]


def warnings(reading: Reading) -> list[str]:
    return [str(warning) for warning in reading.warnings]
