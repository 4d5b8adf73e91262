"""The sample file that ships with the package."""

from importlib import resources


def sample_text() -> str:
    """A file that explains itself, and is right as it stands."""
    return (resources.files(__package__) / "sample.yaml").read_text("utf-8")
