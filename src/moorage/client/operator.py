"""The person at the keyboard, as any OpenStack client knows them: by a clouds.yaml, or by OS_… in the environment.

Who names no cloud at all means the one of this machine, whose clouds.yaml `moorage serve` makes at its first start.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from keystoneauth1 import loading
from keystoneauth1.adapter import Adapter
from keystoneauth1.exceptions import AuthPluginException
from keystoneauth1.loading import BaseLoader
from keystoneauth1.plugin import BaseAuthPlugin
from keystoneauth1.session import Session

from moorage.client.compute import ComputeClient
from moorage.client.http import HttpTransport, open_session
from moorage.client.identity import IdentityClient
from moorage.client.image import ImageClient
from moorage.client.placement import PlacementClient
from moorage.client.reservation import ReservationClient
from moorage.service.errors import OperatorError

CLOUDS_FILES = (Path("clouds.yaml"), Path.home() / ".config/openstack/clouds.yaml", Path("/etc/openstack/clouds.yaml"))
NEWEST_PLACEMENT = (1, 39)


@dataclass(frozen=True)
class OperatorsCloud:
    """The services of a cloud, with the operator's credential."""

    session: Session
    region: str | None = None
    interfaces: tuple[str, ...] = ("public", "internal")
    # Addresses by type of service, for those that the service catalog does not name, or names wrongly.
    endpoints: Mapping[str, str] = field(default_factory=dict)

    def transport(self, service_type: str, version: str | None = None) -> HttpTransport:
        """The way to a service of this type."""
        return HttpTransport(
            Adapter(
                self.session,
                service_type=service_type,
                interface=list(self.interfaces),
                region_name=self.region,
                endpoint_override=self.endpoints.get(service_type),
                version=version,
            )
        )

    @property
    def placement(self) -> PlacementClient:
        """The Placement service, at the newest microversion that both sides speak."""
        client = PlacementClient(self.transport("placement"))
        newest = client.newest_version()
        return client if newest >= NEWEST_PLACEMENT else client.speaking(newest)

    @property
    def compute(self) -> ComputeClient:
        """The compute service."""
        return ComputeClient(self.transport("compute"))

    @property
    def image(self) -> ImageClient:
        """The image service; catalogs list its address without a version, which is found out by asking there."""
        return ImageClient(self.transport("image", version="2"))

    @property
    def reservation(self) -> ReservationClient:
        """The reservation service."""
        return ReservationClient(self.transport("reservation"))


def operators_cloud(cloud: str | None, endpoints: Mapping[str, str] | None = None) -> OperatorsCloud:
    """The cloud of this name in clouds.yaml, or that of the environment, or else the one of this machine."""
    named = cloud or os.environ.get("OS_CLOUD")
    if named:
        auth, entry = _of_clouds_file(named)
    elif any(os.environ.get(variable) for variable in ("OS_AUTH_URL", "OS_AUTH_TYPE", "OS_ENDPOINT")):
        auth, entry = _of_environment(), {}
    else:
        auth, entry = _of_this_machine()
    verify = entry.get("cacert") or os.environ.get("OS_CACERT") or entry.get("verify", True)
    interface = entry.get("interface") or os.environ.get("OS_INTERFACE") or "public"
    return OperatorsCloud(
        open_session(auth, verify=verify),
        entry.get("region_name") or os.environ.get("OS_REGION_NAME"),
        (interface, "internal"),
        {**_overrides(entry), **(endpoints or {})},
    )


def operators_identity(cloud: str | None) -> IdentityClient:
    """The Keystone of the operator's cloud: the one of this name in clouds.yaml, or that of the environment."""
    if not (cloud or os.environ.get("OS_CLOUD") or os.environ.get("OS_AUTH_URL")):
        raise OperatorError(
            "There is no credential. Set OS_AUTH_URL, OS_USERNAME and so on, or name a cloud of clouds.yaml with"
            " --os-cloud."
        )
    return IdentityClient(operators_cloud(cloud).transport("identity", version="3"))


def operators_region(cloud: str | None) -> str | None:
    """The region that the operator works in, if they say so."""
    named = cloud or os.environ.get("OS_CLOUD")
    return (_entry(named).get("region_name") if named else None) or os.environ.get("OS_REGION_NAME")


def _overrides(entry: Mapping[str, Any]) -> dict[str, str]:
    """Addresses that a cloud of clouds.yaml gives services, as openstacksdk names them: placement_endpoint_override."""
    suffix = "_endpoint_override"
    return {key.removesuffix(suffix): value for key, value in entry.items() if key.endswith(suffix)}


def _of_environment() -> BaseAuthPlugin | None:
    parser = argparse.ArgumentParser()
    loading.register_auth_argparse_arguments(parser, [], default="password")
    try:
        return loading.load_auth_from_argparse_arguments(parser.parse_args([]))
    except AuthPluginException as error:
        raise OperatorError(
            f"There is no credential: {str(error).rstrip('.')}. Set OS_AUTH_URL, OS_USERNAME and so on, or name a cloud"
            " of clouds.yaml with --os-cloud."
        ) from error


def _of_this_machine() -> tuple[BaseAuthPlugin | None, Mapping[str, Any]]:
    file = _file_of_this_machine()
    if not file.exists():
        raise OperatorError(
            "No cloud is named (--os-cloud, OS_CLOUD, or OS_AUTH_URL and so on), and no Moorage was started here yet:"
            " `moorage serve` makes one."
        )
    [(name, entry)] = _clouds(file).items()
    return _plugin(name, entry), entry


def _file_of_this_machine() -> Path:
    from moorage.service.credentials import clouds_file
    from moorage.service.settings import load_settings, token_file

    return clouds_file(token_file(load_settings()))


def _of_clouds_file(name: str) -> tuple[BaseAuthPlugin | None, Mapping[str, Any]]:
    entry = _entry(name)
    return _plugin(name, entry), entry


def _plugin(name: str, entry: Mapping[str, Any]) -> BaseAuthPlugin | None:
    try:
        loader: BaseLoader[BaseAuthPlugin] = loading.get_plugin_loader(entry.get("auth_type") or "password")
        return loader.load_from_options(**entry.get("auth", {}))
    except (AuthPluginException, TypeError) as error:
        raise OperatorError(f"The credential of the cloud {name} cannot be used: {str(error).rstrip('.')}.") from error


def _entry(name: str) -> Mapping[str, Any]:
    given = os.environ.get("OS_CLIENT_CONFIG_FILE")
    files = [Path(given)] if given else [file for file in CLOUDS_FILES if file.exists()][:1]
    own = _file_of_this_machine()
    files += [own] if own.exists() and not given else []
    if not files:
        raise OperatorError(f"There is no clouds.yaml that could know the cloud {name}.")
    for file in files:
        clouds = _clouds(file)
        if name in clouds:
            entry: Mapping[str, Any] = clouds[name]
            return entry
    known = [known for file in files for known in _clouds(file)]
    raise OperatorError(f"{files[0]} knows no cloud {name}; there are: {', '.join(known) or 'none'}.")


def _clouds(file: Path) -> dict[str, Any]:
    """The clouds of a file, with what a secure.yaml beside it adds."""
    clouds: dict[str, Any] = {}
    for each in (file, file.with_name("secure.yaml")):
        try:
            found = (yaml.safe_load(each.read_text()) or {}).get("clouds", {}) if each.exists() or each == file else {}
        except (OSError, yaml.YAMLError) as error:
            raise OperatorError(f"{each} cannot be read: {error}") from error
        for name, entry in found.items():
            known = clouds.get(name, {})
            clouds[name] = {**known, **entry, "auth": {**known.get("auth", {}), **entry.get("auth", {})}}
    return clouds
