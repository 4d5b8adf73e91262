"""The settings for reaching a Placement service: `[placement_client]`.

Names and meanings are those of keystoneauth, so that what stands in the configuration of any OpenStack service can be
taken over. Which further options there are depends on `auth_type`; those are declared by its plugin.
"""

from __future__ import annotations

from collections.abc import Sequence

from oslo_config import cfg, types

from moorage.service.errors import OperatorError

GROUP = "placement_client"

LOCAL_ENDPOINT = "http://127.0.0.1:8778/placement"
"""Where `moorage serve` offers Placement if nobody says otherwise."""

PLACEMENT_CLIENT_OPTIONS: tuple[cfg.Opt, ...] = (
    cfg.StrOpt(
        "auth_type",
        help="""
How to authenticate at the Placement service, as the name of a plugin of keystoneauth: password,
v3applicationcredential, admin_token, none and others. The plugin's own options, such as auth_url, username and
password, stand in this group as well; [authentication](authentication.md#as-a-client) has examples.

Without it the admin token of this machine's own Moorage is used ([token] file), which is sent to no other machine.
""",
    ),
    cfg.StrOpt(
        "endpoint_override",
        help=f"""
The address of the Placement service, such as https://placement.example.org/placement.

Without it the address comes from the service catalog; with no auth_type either, it is the Moorage of this machine at
{LOCAL_ENDPOINT}. Set it when there is no catalog, or when its address cannot be reached from here.
""",
    ),
    cfg.StrOpt(
        "service_type",
        default="placement",
        help="The type under which the service catalog lists Placement. Change it only for a catalog with other names.",
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
        help="""
The region whose Placement service to use. Needed when the service catalog lists several regions: without it, the
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
        help="The client's own certificate in PEM format, where a service asks for one; it may contain the key, too.",
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


def plugin_options(auth_type: str | None) -> Sequence[cfg.Opt]:
    """The options of an authentication plugin; none without one, and without loading keystoneauth."""
    if not auth_type:
        return ()
    from keystoneauth1 import loading
    from keystoneauth1.exceptions import NoMatchingPlugin

    try:
        return tuple(loading.get_auth_plugin_conf_options(auth_type))
    except NoMatchingPlugin as error:
        known = ", ".join(sorted(loading.get_available_plugin_names()))
        raise OperatorError(f"[{GROUP}] auth_type cannot be {auth_type!r}; there are: {known}.") from error
