"""The person at the keyboard, as any OpenStack client knows them: by a clouds.yaml, or by OS_… in the environment."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml
from keystoneauth1 import loading
from keystoneauth1.adapter import Adapter
from keystoneauth1.exceptions import AuthPluginException
from keystoneauth1.loading import BaseLoader
from keystoneauth1.plugin import BaseAuthPlugin

from moorage.client.http import HttpTransport, open_session
from moorage.client.identity import IdentityClient
from moorage.service.errors import OperatorError

CLOUDS_FILES = (Path("clouds.yaml"), Path.home() / ".config/openstack/clouds.yaml", Path("/etc/openstack/clouds.yaml"))


def operators_identity(cloud: str | None) -> IdentityClient:
    """The Keystone of the operator's cloud: the one of this name in clouds.yaml, or that of the environment."""
    named = cloud or os.environ.get("OS_CLOUD")
    auth, entry = _of_clouds_file(named) if named else (_of_environment(), {})
    verify = entry.get("cacert") or os.environ.get("OS_CACERT") or entry.get("verify", True)
    session = open_session(auth, verify=verify)
    region = entry.get("region_name") or os.environ.get("OS_REGION_NAME")
    interfaces = [entry.get("interface") or os.environ.get("OS_INTERFACE") or "public", "internal"]
    return IdentityClient(
        HttpTransport(Adapter(session, service_type="identity", interface=interfaces, region_name=region, version="3"))
    )


def operators_region(cloud: str | None) -> str | None:
    """The region that the operator works in, if they say so."""
    named = cloud or os.environ.get("OS_CLOUD")
    return (_entry(named).get("region_name") if named else None) or os.environ.get("OS_REGION_NAME")


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


def _of_clouds_file(name: str) -> tuple[BaseAuthPlugin | None, Mapping[str, Any]]:
    entry = _entry(name)
    try:
        loader: BaseLoader[BaseAuthPlugin] = loading.get_plugin_loader(entry.get("auth_type") or "password")
        return loader.load_from_options(**entry.get("auth", {})), entry
    except (AuthPluginException, TypeError) as error:
        raise OperatorError(f"The credential of the cloud {name} cannot be used: {str(error).rstrip('.')}.") from error


def _entry(name: str) -> Mapping[str, Any]:
    given = os.environ.get("OS_CLIENT_CONFIG_FILE")
    files = [Path(given)] if given else [file for file in CLOUDS_FILES if file.exists()]
    if not files:
        raise OperatorError(f"There is no clouds.yaml that could know the cloud {name}.")
    try:
        clouds = (yaml.safe_load(files[0].read_text()) or {}).get("clouds", {})
    except (OSError, yaml.YAMLError) as error:
        raise OperatorError(f"{files[0]} cannot be read: {error}") from error
    if name not in clouds:
        raise OperatorError(f"{files[0]} knows no cloud {name}; there are: {', '.join(clouds) or 'none'}.")
    entry: Mapping[str, Any] = clouds[name]
    return entry
