"""Other processes for tests: forked from a server that has the service loaded already, so that each starts at once."""

from __future__ import annotations

import multiprocessing

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["moorage.service.application", "moorage.db.upgrade", "pytest"])
