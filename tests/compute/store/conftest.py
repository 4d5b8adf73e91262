"""An empty database of each kind."""

from __future__ import annotations

from tests.compute.api.conftest import database

__all__ = ["database"]
