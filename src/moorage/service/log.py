"""How the service logs: one line an event, to standard error or to a file, the same for every process.

The result is a configuration for the standard library's `logging.config`; whoever starts the process applies it.
"""

import json
import logging
from datetime import UTC, datetime
from typing import Any

from oslo_config import cfg

from moorage.service.request_log import RequestIdFilter
from moorage.web.request_ids import request_ids

LINE = "%(asctime)s %(process)d %(levelname)s %(name)s [%(request_ids)s] %(message)s"


class JsonFormatter(logging.Formatter):
    """An event as a JSON object on one line."""

    def format(self, record: logging.LogRecord) -> str:
        """All that is known of the event; what is not is left out."""
        ids = request_ids.get()
        event = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "process": record.process,
            "message": record.getMessage(),
            "request_id": ids.own if ids else None,
            "global_request_id": ids.callers if ids else None,
            "request": getattr(record, "request", None),
            "exception": self.formatException(record.exc_info) if record.exc_info else None,
        }
        return json.dumps({name: value for name, value in event.items() if value is not None}, ensure_ascii=False)


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
        "formatters": {"line": {"format": LINE}, "json": {"()": JsonFormatter}},
        "filters": {"request": {"()": RequestIdFilter}},
        "handlers": {"main": {**handler, "formatter": settings.log_format, "filters": ["request"]}},
        "loggers": {"moorage": {"level": "DEBUG" if settings.debug else "INFO"}},
        # Libraries are less important, and some of them log what they are given when they are asked for details.
        "root": {"handlers": ["main"], "level": "INFO" if settings.debug else "WARNING"},
    }
