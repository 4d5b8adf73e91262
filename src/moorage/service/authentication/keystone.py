"""The strategy `keystone`: asks the cloud's identity service, through keystonemiddleware."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from keystonemiddleware import auth_token
from oslo_config import cfg

from moorage.service.authentication.refusals import unauthorized
from moorage.web.caller import CALLER, Caller

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


def asking_keystone(settings: cfg.ConfigOpts) -> Callable[[WSGIApplication], WSGIApplication]:
    """A layer that validates tokens with Keystone, as `[keystone_authtoken]` says."""

    def layer(application: WSGIApplication) -> WSGIApplication:
        def with_caller(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
            # The middleware has removed what the client itself may have sent under these names.
            user_id = environ.get("HTTP_X_USER_ID")
            if user_id is None:
                return unauthorized(environ, start_response, "The token belongs to nobody.")
            environ[CALLER] = Caller(
                user_id=user_id,
                project_id=environ.get("HTTP_X_PROJECT_ID"),
                roles=tuple(role for role in environ.get("HTTP_X_ROLES", "").split(",") if role),
                system_scope=environ.get("HTTP_OPENSTACK_SYSTEM_SCOPE"),
                domain_id=environ.get("HTTP_X_DOMAIN_ID"),
            )
            return application(environ, start_response)

        middleware: WSGIApplication = auth_token.AuthProtocol(with_caller, {"oslo_config_config": settings})
        return middleware

    return layer
