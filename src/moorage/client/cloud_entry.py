"""What an entry of a clouds.yaml means, or what stands in OS_… of the environment, which is an entry of its own.

openstacksdk says what that is, and takes longer to load than a command to answer; so the part of it that is about
logging in and finding services is told again here, old spellings included. Tests compare both.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from moorage.client.clouds_files import Entry, profile_named
from moorage.service.errors import OperatorError

# How things were called once; what stands under the newer name counts.
_OLD_NAMES = {"token": "auth_token", "project_id": "tenant_id", "project_name": "tenant_name"}
_OLD_NAMES_OF_V2 = {"token": "auth_token", "tenant_id": "project_id", "tenant_name": "project_name"}
_DOMAINS = {
    "domain_id": ("user_domain_id", "project_domain_id"),
    "domain_name": ("user_domain_name", "project_domain_name"),
}
# Who wrote these outside of `auth` meant them, whatever is inside.
_WINNING_OUTSIDE = (*_DOMAINS, *_DOMAINS["domain_id"], *_DOMAINS["domain_name"], "passcode")
_LEFT_TO_THE_ENVIRONMENT = ("region_name", "interface", "cacert")
_OLD_AUTH_TYPES = {"": "none", "None": "none", "token_endpoint": "admin_token"}


@dataclass(frozen=True, slots=True)
class CloudEntry:
    """A cloud: how to log in there, and all else that is said about it."""

    auth_type: str
    auth: Mapping[str, Any]
    settings: Mapping[str, Any]

    def of_service(self, setting: str, service_type: str) -> Any:
        """A setting for one service, such as placement_endpoint_override; None if it has none of its own."""
        return self.settings.get(f"{service_type.replace('-', '_')}_{setting}")

    def endpoint(self, service_type: str) -> str | None:
        """The address that the entry gives a service; None to look into the service catalog."""
        own = self.of_service("endpoint_override", service_type) or self.of_service("endpoint", service_type)
        everywhere = self.auth.get("endpoint") if self.auth_type == "none" else None
        return own or everywhere or None

    def interfaces(self, service_type: str) -> list[str]:
        """Which of the addresses in the service catalog to use, the first choice first."""
        named = self.of_service("interface", service_type) or self.settings["interface"]
        return [named] if isinstance(named, str) else list(named)

    @property
    def region(self) -> str | None:
        """Where in the cloud."""
        return self.settings.get("region_name") or None

    @property
    def verify(self) -> bool | str:
        """Whether to check certificates, or the file with the authorities to trust."""
        cacert = self.settings.get("cacert")
        if self.settings.get("insecure") or not self.settings.get("verify", True):
            return False
        return str(Path(cacert).expanduser()) if cacert else True

    @property
    def certificate(self) -> str | tuple[str, str] | None:
        """The client's own certificate, alone or with its key."""
        cert, key = (self.settings.get(name) for name in ("cert", "key"))
        if not cert:
            return None
        return (str(Path(cert).expanduser()), str(Path(key).expanduser())) if key else str(Path(cert).expanduser())

    def login_options(self, names: Iterable[tuple[str, Iterable[str]]]) -> dict[str, Any]:
        """What a way to log in is told: for each of its options, by its name and older ones, the value that was given.

        Options may stand outside of `auth`; the environment has no inside. What no option is called goes along, so that
        whoever logs in can complain about it.
        """
        options = dict(self.auth)
        for name, older in names:
            spellings = (name, *older)
            values = [place[each] for place in (self.auth, self.settings) for each in spellings if each in place]
            for each in spellings:
                options.pop(each, None)
            if value := next((value for value in values if value), None):
                options[name] = value
        return options


def entry_of_environment() -> Entry:
    """The settings in OS_…, by their names in a clouds.yaml; those of Moorage itself have two underscores."""
    return {
        name.removeprefix("OS_").lower(): value
        for name, value in os.environ.items()
        if name.startswith("OS_") and "__" not in name
    }


def understood(entry: Entry, environment: Entry | None = None) -> CloudEntry:
    """What an entry comes to with its profile; some of what it leaves open the environment may say."""
    open_to = {name: value for name, value in (environment or {}).items() if name in _LEFT_TO_THE_ENVIRONMENT and value}
    entry = _plain(entry)
    profile = _profile(entry)
    settings: dict[str, Any] = {"auth_type": "password", "interface": "public", **open_to, **profile, **entry}
    auth: dict[str, Any] = {**(profile.get("auth") or {}), **(entry.get("auth") or {})}
    region, values = _region(entry, profile, open_to.get("region_name", ""))
    auth |= values.pop("auth", {})
    settings |= {**values, "region_name": region}
    for name in ("auth", "regions"):
        settings.pop(name, None)
    given_type = settings.pop("auth_plugin", None), settings.pop("auth_type")
    auth_type = str(given_type[1] or given_type[0] or "")
    _take_inside(auth, settings, _OLD_NAMES_OF_V2 if auth_type == "v2password" else _OLD_NAMES)
    _spread_domains(auth, settings)
    settings = {key.replace("endpoint_type", "interface"): value for key, value in settings.items()}
    settings["insecure"] = str(settings.get("insecure")).lower() == "true"
    if "auth_url" in auth:
        auth["auth_url"] = _filled_in(auth["auth_url"], settings)
    filled = {key: _filled_in(value, settings) for key, value in settings.items()}
    return CloudEntry(_OLD_AUTH_TYPES.get(auth_type, auth_type), auth, filled)


def _plain(settings: Entry) -> dict[str, Any]:
    """With underscores in all names, and texts in place of numbers: a password may consist of digits."""
    return {key.replace("-", "_"): _plain_value(value) for key, value in settings.items()}


def _plain_value(value: Any) -> Any:
    if isinstance(value, Mapping):
        return _plain(value)
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _profile(entry: Entry) -> Entry:
    name = entry.get("profile") or entry.get("cloud")
    if not name:
        return {}
    found = profile_named(str(name))
    if found is None:
        raise OperatorError(
            f"There is no profile {name}: neither a clouds-public.yaml nor openstacksdk, if it is installed, knows it."
        )
    if found.get("status") == "shutdown":
        raise OperatorError(f"The profile {name} is of a cloud that is no more: {found.get('message', '')}")
    return _plain(found)


def _region(entry: Entry, profile: Entry, wanted: str) -> tuple[str, dict[str, Any]]:
    """The name of the region, the wanted one if there are several, and what is different there."""
    named = (place.get(key) for place in (entry, profile) for key in ("regions", "region_name"))
    listed = next((each for each in named if each), wanted)
    regions = [
        (str(each["name"]), _plain(each.get("values") or {})) if isinstance(each, Mapping) else (str(each), {})
        for each in (listed if isinstance(listed, list) else str(listed).split(","))
    ]
    return next((region for region in regions if region[0] == wanted), regions[0])


def _take_inside(auth: dict[str, Any], settings: dict[str, Any], old_names: Mapping[str, str]) -> None:
    """Put what is about logging in under its newest name into `auth`; what stands outside of it counts more."""
    for name in (*_WINNING_OUTSIDE, *old_names):
        spellings = (old_names[name], name) if name in old_names else (name,)
        given = [place.pop(each) for each in spellings for place in (auth, settings) if each in place]
        if given and given[-1]:
            auth[name] = str(given[-1])


def _spread_domains(auth: dict[str, Any], settings: Entry) -> None:
    """Who names a project and one domain means the domain of both, project and user."""
    if not {"project_id", "project_name"} & {*auth, *settings}:
        return
    for domain, domains in _DOMAINS.items():
        value = auth.pop(domain, None)
        if value is not None:
            auth.update({each: value for each in domains if each not in auth})


def _filled_in(value: Any, settings: Entry) -> Any:
    """A text with settings in place of their names in braces, as in https://{region_name}.example.org."""
    if not isinstance(value, str) or "{" not in value:
        return value
    try:
        return value.format(**settings)
    except (KeyError, IndexError, ValueError) as error:
        raise OperatorError(f"{value!r} cannot be filled in with the other settings of its cloud: {error}.") from error
