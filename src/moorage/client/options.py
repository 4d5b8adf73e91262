"""The settings for reaching other services: `[placement_client]`, `[compute_client]` and so on, one group for each.

Names and meanings are those of keystoneauth, so that what stands in the configuration of any OpenStack service can be
taken over. Which further options there are depends on `auth_type`; those are declared by its plugin.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from oslo_config import cfg, types

from moorage.service.errors import OperatorError


@dataclass(frozen=True, slots=True)
class Reached:
    """A service that a client is for."""

    group: str
    # As people call it, and as the service catalog does.
    name: str
    service_type: str
    example: str
    # Where `moorage serve` offers it if nobody says otherwise; None for what Moorage does not offer.
    local_endpoint: str | None = None


LOCAL_ENDPOINT = "http://127.0.0.1:8778/placement"
"""Where `moorage serve` offers Placement if nobody says otherwise."""

GROUP = "placement_client"

PLACEMENT = Reached(GROUP, "Placement", "placement", "https://placement.example.org/placement", LOCAL_ENDPOINT)
COMPUTE = Reached(
    "compute_client", "compute", "compute", "https://nova.example.org/v2.1", "http://127.0.0.1:8778/compute/v2.1"
)
IMAGE = Reached("image_client", "image", "image", "https://glance.example.org/v2", "http://127.0.0.1:8778/image/v2")
VOLUME = Reached("volume_client", "volume", "block-storage", "https://cinder.example.org/v3")
RESERVATION = Reached(
    "reservation_client",
    "reservation",
    "reservation",
    "https://blazar.example.org/v1",
    "http://127.0.0.1:8778/reservation/v1",
)

REACHED = (PLACEMENT, COMPUTE, IMAGE, VOLUME, RESERVATION)


def client_options(service: Reached) -> tuple[cfg.Opt, ...]:
    """The settings for reaching a service."""
    return (_auth_type(service), _endpoint_override(service), *_further_options(service))


def _auth_type(service: Reached) -> cfg.Opt:
    otherwise = (
        "Without it the admin token of this machine's own Moorage is used ([token] file), which is sent to no other"
        " machine."
        if service is PLACEMENT
        else """
Without it everything but endpoint_override and service_type is as in [placement_client], so that one credential serves
for all; what else stands in this group then has no effect.
""".strip()
    )
    return cfg.StrOpt(
        "auth_type",
        help=f"""
How to authenticate at the {service.name} service, as the name of a plugin of keystoneauth: password,
v3applicationcredential, admin_token, none and others. The plugin's own options, such as auth_url, username and
password, stand in this group as well; [authentication](authentication.md#as-a-client) has examples.

{otherwise}
""",
    )


def _endpoint_override(service: Reached) -> cfg.Opt:
    local = service.local_endpoint
    otherwise = f"it is the Moorage of this machine at\n{local}." if local else "there is no such service."
    return cfg.StrOpt(
        "endpoint_override",
        help=f"""
The address of the {service.name} service, such as {service.example}.

Without it the address comes from the service catalog; with no auth_type either, {otherwise}
Set it when there is no catalog, or when its address cannot be reached from here.
""",
    )


def _further_options(service: Reached) -> tuple[cfg.Opt, ...]:
    return (
        cfg.StrOpt(
            "service_type",
            default=service.service_type,
            help=f"""
The type under which the service catalog lists the {service.name} service. Change it only for a catalog with other
names.
""",
        ),
        cfg.ListOpt(
            "valid_interfaces",
            default=["internal", "public"],
            item_type=types.String(choices=["internal", "public", "admin"]),
            help="""
Which of the addresses in the service catalog to use, the first choice first. By default the internal one, and the
public one where there is none. Set it to public on a machine that cannot reach the cloud's internal network.
""",
        ),
        cfg.StrOpt(
            "region_name",
            help=f"""
The region whose {service.name} service to use. Needed when the service catalog lists several regions: without it, the
first entry is taken.
""",
        ),
        cfg.FloatOpt(
            "timeout",
            default=60,
            min=1,
            help="""
How many seconds to wait for a connection, and for each part of an answer, before the service counts as away.

Raise it where large answers take longer to be made. Lower it to notice a dead service sooner.
""",
        ),
        cfg.StrOpt(
            "cafile",
            help="""
A file with the certificate authorities to trust for https addresses, in PEM format. Set it when the cloud has its own
authority. Without it the authorities that come with Python's certifi, or $REQUESTS_CA_BUNDLE, are trusted.
""",
        ),
        cfg.StrOpt(
            "certfile",
            help="""
The client's own certificate in PEM format, where a service asks for one; it may contain the key, too.
""",
        ),
        cfg.StrOpt("keyfile", help="The key of certfile in PEM format, if it is in a file of its own."),
        cfg.BoolOpt(
            "insecure",
            default=False,
            help="""
Whether to accept any certificate. Then anybody in between can read the credential: use it for tests alone, and cafile
for everything else.
""",
        ),
    )


def plugin_options(group: str, auth_type: str | None) -> Sequence[cfg.Opt]:
    """The options of an authentication plugin; none without one, and without loading keystoneauth."""
    if not auth_type:
        return ()
    from keystoneauth1 import loading
    from keystoneauth1.exceptions import NoMatchingPlugin

    from moorage.client.login import login_loader

    try:
        return tuple(loading.get_auth_plugin_conf_options(login_loader(auth_type)))
    except NoMatchingPlugin as error:
        known = ", ".join(sorted(loading.get_available_plugin_names()))
        raise OperatorError(f"[{group}] auth_type cannot be {auth_type!r}; there are: {known}.") from error
