"""Logging is one for the whole process: what a test makes of it, the next one shall not find."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def logging_as_it_was() -> Iterator[None]:
    """Afterwards every logger has the level and the root has the handlers that they had before."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    before = {logger: (logger.level, logger.disabled, logger.propagate) for logger in _loggers()}
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    for logger in _loggers():
        found = (logger.level, logger.disabled, logger.propagate)
        was = before.get(logger, (logging.NOTSET, False, True))
        if found != was:
            logger.setLevel(was[0])
            logger.disabled, logger.propagate = was[1:]


def _loggers() -> list[logging.Logger]:
    return [logger for logger in logging.Logger.manager.loggerDict.values() if isinstance(logger, logging.Logger)]
