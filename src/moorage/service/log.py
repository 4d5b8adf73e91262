"""How the service logs: one line an event, to standard error or to a file, the same for every process.

The result is a configuration for the standard library's `logging.config`; whoever starts the process applies it.
"""

from typing import Any

from oslo_config import cfg

from moorage.service.request_log import RequestIdFilter

LINE = "%(asctime)s %(process)d %(levelname)s %(name)s [%(request_ids)s] %(message)s"


def logging_configuration(settings: cfg.ConfigOpts) -> dict[str, Any]:
    """A dictionary for `logging.config.dictConfig` that follows the settings `debug` and `log_file`."""
    if settings.log_file:
        # This handler notices when log rotation has moved the file away.
        handler = {"class": "logging.handlers.WatchedFileHandler", "filename": settings.log_file}
    else:
        handler = {"class": "logging.StreamHandler", "stream": "ext://sys.stderr"}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"format": LINE}},
        "filters": {"request": {"()": RequestIdFilter}},
        "handlers": {"main": {**handler, "formatter": "line", "filters": ["request"]}},
        "loggers": {"moorage": {"level": "DEBUG" if settings.debug else "INFO"}},
        # Libraries are less important, and some of them log what they are given when they are asked for details.
        "root": {"handlers": ["main"], "level": "INFO" if settings.debug else "WARNING"},
    }
