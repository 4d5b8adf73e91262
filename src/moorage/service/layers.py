"""What stands around every API, whichever it is.

From the outside in: proxy headers (if configured), the request's id and log line, CORS (if configured), and then the
API behind its authentication. CORS stands before authentication because browsers ask without a token; the log stands
before both so that refusals are logged, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oslo_config import cfg
from oslo_middleware import cors, http_proxy_to_wsgi

from moorage.service.request_log import logged

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication


def layered(application: WSGIApplication, settings: cfg.ConfigOpts) -> WSGIApplication:
    """The application, which knows its callers by itself, behind the layers that the settings ask for."""
    if settings.cors.allowed_origin:
        application = cors.CORS(application, settings)
    application = logged(application)
    if settings.oslo_middleware.enable_proxy_headers_parsing:
        application = http_proxy_to_wsgi.HTTPProxyToWSGI(application, settings)
    return application
