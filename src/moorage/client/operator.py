"""The person at the keyboard, as any OpenStack client knows them: by a clouds.yaml, or by OS_… in the environment.

Who names no cloud at all means the one of this machine, whose clouds.yaml `moorage serve` makes at its first start.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from keystoneauth1.adapter import Adapter
from keystoneauth1.exceptions import AuthPluginException
from keystoneauth1.plugin import BaseAuthPlugin
from keystoneauth1.session import Session

from moorage.client.cloud_entry import CloudEntry, entry_of_environment, understood
from moorage.client.clouds_files import CloudsFile, read_clouds, usual_clouds
from moorage.client.early_login import begin_login
from moorage.client.http import HttpTransport, open_session
from moorage.client.login import login_loader
from moorage.service.errors import OperatorError

if TYPE_CHECKING:
    from moorage.client.compute import ComputeClient
    from moorage.client.identity import IdentityClient
    from moorage.client.image import ImageClient
    from moorage.client.placement import PlacementClient
    from moorage.client.reservation import ReservationClient

NEWEST_PLACEMENT = (1, 39)
_SECONDS = 60.0


@dataclass(frozen=True)
class OperatorsCloud:
    """The services of a cloud, with the operator's credential."""

    session: Session
    login: Future[object]
    entry: CloudEntry
    # Addresses by type of service that count more than those of the entry and of the service catalog.
    endpoints: Mapping[str, str] = field(default_factory=dict)

    def transport(self, service_type: str, version: str | None = None) -> HttpTransport:
        """The way to a service of this type."""
        entry = self.entry
        return HttpTransport(
            Adapter(
                self.session,
                service_type=entry.of_service("service_type", service_type) or service_type,
                service_name=entry.of_service("service_name", service_type),
                interface=[*entry.interfaces(service_type), "internal"],
                region_name=entry.of_service("region_name", service_type) or entry.region,
                endpoint_override=self.endpoints.get(service_type) or entry.endpoint(service_type),
                version=version,
            ),
            self.login,
        )

    def offers(self, service_type: str) -> bool:
        """Whether there is a service of this type."""
        return self.transport(service_type).is_offered()

    @cached_property
    def placement(self) -> PlacementClient:
        """The Placement service, at the newest microversion that both sides speak."""
        from moorage.client.placement import PlacementClient

        client = PlacementClient(self.transport("placement"))
        newest = client.newest_version()
        return client if newest >= NEWEST_PLACEMENT else client.speaking(newest)

    @cached_property
    def compute(self) -> ComputeClient:
        """The compute service."""
        from moorage.client.compute import ComputeClient

        return ComputeClient(self.transport("compute"))

    @cached_property
    def identity(self) -> IdentityClient:
        """The identity service."""
        from moorage.client.identity import IdentityClient

        return IdentityClient(self.transport("identity", version="3"))

    @cached_property
    def image(self) -> ImageClient:
        """The image service; catalogs list its address without a version, which is found out by asking there."""
        from moorage.client.image import ImageClient

        return ImageClient(self.transport("image", version="2"))

    @cached_property
    def reservation(self) -> ReservationClient:
        """The reservation service."""
        from moorage.client.reservation import ReservationClient

        return ReservationClient(self.transport("reservation"))


def operators_cloud(cloud: str | None, endpoints: Mapping[str, str] | None = None) -> OperatorsCloud:
    """The cloud of this name in clouds.yaml, or that of the environment, or else the one of this machine."""
    name, entry = _meant(cloud)
    timeout = entry.settings.get("api_timeout")
    session = open_session(
        login_of(name, entry),
        timeout=float(timeout) if timeout else _SECONDS,
        verify=entry.verify,
        cert=entry.certificate,
    )
    return OperatorsCloud(session, begin_login(session), entry, endpoints or {})


def operators_identity(cloud: str | None) -> IdentityClient:
    """The Keystone of the operator's cloud: the one of this name in clouds.yaml, or that of the environment."""
    if not (cloud or os.environ.get("OS_CLOUD") or os.environ.get("OS_AUTH_URL")):
        raise OperatorError(
            "There is no credential. Set OS_AUTH_URL, OS_USERNAME and so on, or name a cloud of clouds.yaml with"
            " --os-cloud."
        )
    return operators_cloud(cloud).identity


def operators_region(cloud: str | None) -> str | None:
    """The region that the operator works in, if they say so."""
    named = cloud or os.environ.get("OS_CLOUD")
    return _named(named).region if named else os.environ.get("OS_REGION_NAME")


def login_of(name: str | None, entry: CloudEntry) -> BaseAuthPlugin:
    """The operator's credential; `name` is what the cloud is called, None for the one of the environment."""
    try:
        loader = login_loader(entry.auth_type)
        options = entry.login_options(
            (option.dest, [old.name.replace("-", "_") for old in (option, *option.deprecated)])
            for option in loader.get_options()
        )
        return loader.load_from_options(**options)
    except (AuthPluginException, TypeError) as error:
        reason = str(error).rstrip(".")
        if name is not None:
            raise OperatorError(f"The credential of the cloud {name} cannot be used: {reason}.") from error
        raise OperatorError(
            f"There is no credential: {reason}. Set OS_AUTH_URL, OS_USERNAME and so on, or name a cloud of clouds.yaml"
            " with --os-cloud."
        ) from error


def _meant(cloud: str | None) -> tuple[str | None, CloudEntry]:
    """The name of the cloud in its clouds.yaml, None if it is in none, and what is said about it."""
    named = cloud or os.environ.get("OS_CLOUD")
    if named:
        return named, _named(named)
    environment = entry_of_environment()
    if any(environment.get(name) for name in ("auth_url", "auth_type", "endpoint")):
        return None, understood(environment)
    own = _of_this_machine()
    if own is None:
        raise OperatorError(
            "No cloud is named (--os-cloud, OS_CLOUD, or OS_AUTH_URL and so on), and no Moorage was started here yet:"
            " `moorage serve` makes one."
        )
    [(name, entry)] = own.clouds.items()
    return name, understood(entry, environment)


def _named(name: str) -> CloudEntry:
    files = [file] if (file := usual_clouds()) else []
    if not any(name in file.clouds for file in files) and not os.environ.get("OS_CLIENT_CONFIG_FILE"):
        files += [own] if (own := _of_this_machine()) else []
    if not files:
        raise OperatorError(f"There is no clouds.yaml that could know the cloud {name}.")
    for file in files:
        if name in file.clouds:
            return understood(file.clouds[name], entry_of_environment())
    known = [known for file in files for known in file.clouds]
    raise OperatorError(f"{files[0].path} knows no cloud {name}; there are: {', '.join(known) or 'none'}.")


def _of_this_machine() -> CloudsFile | None:
    from moorage.service.credentials import clouds_file
    from moorage.service.settings import load_groups, token_file

    file = clouds_file(token_file(load_groups("token")))
    return read_clouds(file) if file.exists() else None
