"""The clients that the settings ask for: the Moorage of this machine, or any services with any credential."""

from __future__ import annotations

import os
from ipaddress import ip_address
from urllib.parse import urlsplit

from keystoneauth1.adapter import Adapter
from keystoneauth1.exceptions import AuthPluginException
from keystoneauth1.plugin import BaseAuthPlugin
from keystoneauth1.session import Session
from oslo_config import cfg

from moorage.client.compute import ComputeClient
from moorage.client.http import HttpTransport, open_session
from moorage.client.image import ImageClient
from moorage.client.local_token import LocalToken
from moorage.client.login import login_loader
from moorage.client.options import COMPUTE, GROUP, IMAGE, PLACEMENT, RESERVATION, VOLUME, Reached
from moorage.client.placement import PlacementClient
from moorage.client.reservation import ReservationClient
from moorage.client.volume import VolumeClient
from moorage.service.errors import OperatorError
from moorage.service.settings import token_file


def client_from_settings(settings: cfg.ConfigOpts) -> PlacementClient:
    """A client for the Placement service of `[placement_client]`; asks nobody yet."""
    return PlacementClient(placement_transport(settings))


def placement_transport(settings: cfg.ConfigOpts) -> HttpTransport:
    """The way to the Placement service of `[placement_client]`, for those who want to stand in it."""
    return _transport(settings, PLACEMENT)


def compute_client_from_settings(settings: cfg.ConfigOpts) -> ComputeClient:
    """A client for the compute service of `[compute_client]`; asks nobody yet."""
    return ComputeClient(_transport(settings, COMPUTE))


def image_client_from_settings(settings: cfg.ConfigOpts) -> ImageClient:
    """A client for the image service of `[image_client]`; asks nobody yet."""
    # Catalogs list its address without a version, which is found out by asking there.
    return ImageClient(_transport(settings, IMAGE, version="2"))


def volume_client_from_settings(settings: cfg.ConfigOpts) -> VolumeClient:
    """A client for the volume service of `[volume_client]`; asks nobody yet."""
    return VolumeClient(_transport(settings, VOLUME))


def reservation_client_from_settings(settings: cfg.ConfigOpts) -> ReservationClient:
    """A client for the reservation service of `[reservation_client]`; asks nobody yet."""
    return ReservationClient(_transport(settings, RESERVATION))


def _transport(settings: cfg.ConfigOpts, service: Reached, version: str | None = None) -> HttpTransport:
    own = settings[service.group]
    # The way to all services is that of Placement, unless a service has one of its own.
    group = service.group if own.auth_type else GROUP
    endpoint = _endpoint(service, own.endpoint_override, has_credential=bool(settings[group].auth_type))
    session = _session(settings, group, endpoint, service)
    return HttpTransport(
        Adapter(
            session,
            service_type=own.service_type,
            interface=settings[group].valid_interfaces,
            region_name=settings[group].region_name,
            endpoint_override=endpoint,
            version=version,
        )
    )


def _session(settings: cfg.ConfigOpts, group: str, endpoint: str | None, service: Reached) -> Session:
    wanted = settings[group]
    auth = _plugin(wanted, group) if wanted.auth_type else _local_token(settings, endpoint or "", service)
    session = open_session(
        auth, timeout=wanted.timeout, verify=_verify(wanted, group), cert=_certificate(wanted, group)
    )
    if not wanted.auth_type:
        # The token of this machine goes nowhere else: to no proxy, and not where a redirection leads.
        session.session.trust_env = False
        session.redirect = False
    return session


def _endpoint(service: Reached, given: str | None, *, has_credential: bool) -> str | None:
    """The address that was given; None to look into the service catalog."""
    if given is None:
        if not has_credential and not service.local_endpoint:
            raise OperatorError(
                f"[{service.group}] auth_type is not set, and Moorage itself is no {service.name} service."
            )
        return None if has_credential else service.local_endpoint
    if not given.startswith(("http://", "https://")):
        raise OperatorError(f"[{service.group}] endpoint_override must begin with http:// or https://.")
    return given


def _plugin(wanted: cfg.ConfigOpts.GroupAttr, group: str) -> BaseAuthPlugin:
    try:
        return login_loader(wanted.auth_type).load_from_options_getter(lambda option: wanted[option.dest])
    except AuthPluginException as error:
        reason = str(error).rstrip(".")
        raise OperatorError(f"[{group}] auth_type = {wanted.auth_type} cannot be used: {reason}.") from error


def _local_token(settings: cfg.ConfigOpts, endpoint: str, service: Reached) -> LocalToken:
    host = urlsplit(endpoint).hostname or ""
    if not _is_this_machine(host):
        raise OperatorError(
            f"[{service.group}] auth_type is not set, and the admin token of this machine is not sent to {host}; choose"
            " how to authenticate there."
        )
    return LocalToken(token_file(settings))


def _is_this_machine(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _verify(wanted: cfg.ConfigOpts.GroupAttr, group: str) -> bool | str:
    if wanted.insecure:
        return False
    return _readable(group, "cafile", wanted.cafile) if wanted.cafile else True


def _certificate(wanted: cfg.ConfigOpts.GroupAttr, group: str) -> str | tuple[str, str] | None:
    if not wanted.certfile:
        return None
    certificate = _readable(group, "certfile", wanted.certfile)
    return (certificate, _readable(group, "keyfile", wanted.keyfile)) if wanted.keyfile else certificate


def _readable(group: str, option: str, file: str) -> str:
    if not os.access(file, os.R_OK):
        raise OperatorError(f"The file {file} of [{group}] {option} is not there, or cannot be read.")
    return file
