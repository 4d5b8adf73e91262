"""The client that the settings ask for: the Moorage of this machine, or any Placement service with any credential."""

from __future__ import annotations

import os
from ipaddress import ip_address
from urllib.parse import urlsplit

from keystoneauth1 import loading
from keystoneauth1.adapter import Adapter
from keystoneauth1.exceptions import AuthPluginException
from keystoneauth1.loading import BaseLoader
from keystoneauth1.plugin import BaseAuthPlugin
from oslo_config import cfg

from moorage.client.http import HttpTransport, open_session
from moorage.client.local_token import LocalToken
from moorage.client.options import GROUP, LOCAL_ENDPOINT
from moorage.client.placement import PlacementClient
from moorage.service.errors import OperatorError
from moorage.service.settings import token_file


def client_from_settings(settings: cfg.ConfigOpts) -> PlacementClient:
    """A client for the Placement service of `[placement_client]`; asks nobody yet."""
    wanted = settings[GROUP]
    endpoint = _endpoint(wanted)
    auth = _plugin(wanted) if wanted.auth_type else _local_token(settings, endpoint or "")
    session = open_session(auth, timeout=wanted.timeout, verify=_verify(wanted), cert=_certificate(wanted))
    if not wanted.auth_type:
        # The token of this machine goes nowhere else: to no proxy, and not where a redirection leads.
        session.session.trust_env = False
        session.redirect = False
    adapter = Adapter(
        session,
        service_type=wanted.service_type,
        interface=wanted.valid_interfaces,
        region_name=wanted.region_name,
        endpoint_override=endpoint,
    )
    return PlacementClient(HttpTransport(adapter))


def _endpoint(wanted: cfg.ConfigOpts.GroupAttr) -> str | None:
    """The address that was given; None to look into the service catalog."""
    endpoint: str | None = wanted.endpoint_override
    if endpoint is None:
        return None if wanted.auth_type else LOCAL_ENDPOINT
    if not endpoint.startswith(("http://", "https://")):
        raise OperatorError(f"[{GROUP}] endpoint_override must begin with http:// or https://.")
    return endpoint


def _plugin(wanted: cfg.ConfigOpts.GroupAttr) -> BaseAuthPlugin:
    try:
        loader: BaseLoader[BaseAuthPlugin] = loading.get_plugin_loader(wanted.auth_type)
        return loader.load_from_options_getter(lambda option: wanted[option.dest])
    except AuthPluginException as error:
        reason = str(error).rstrip(".")
        raise OperatorError(f"[{GROUP}] auth_type = {wanted.auth_type} cannot be used: {reason}.") from error


def _local_token(settings: cfg.ConfigOpts, endpoint: str) -> LocalToken:
    host = urlsplit(endpoint).hostname or ""
    if not _is_this_machine(host):
        raise OperatorError(
            f"[{GROUP}] auth_type is not set, and the admin token of this machine is not sent to {host}; choose how to"
            " authenticate there."
        )
    return LocalToken(token_file(settings))


def _is_this_machine(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _verify(wanted: cfg.ConfigOpts.GroupAttr) -> bool | str:
    if wanted.insecure:
        return False
    return _readable("cafile", wanted.cafile) if wanted.cafile else True


def _certificate(wanted: cfg.ConfigOpts.GroupAttr) -> str | tuple[str, str] | None:
    if not wanted.certfile:
        return None
    certificate = _readable("certfile", wanted.certfile)
    return (certificate, _readable("keyfile", wanted.keyfile)) if wanted.keyfile else certificate


def _readable(option: str, file: str) -> str:
    if not os.access(file, os.R_OK):
        raise OperatorError(f"The file {file} of [{GROUP}] {option} is not there, or cannot be read.")
    return file
