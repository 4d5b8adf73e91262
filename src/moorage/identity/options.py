"""The settings of the room: `[identity]`."""

from __future__ import annotations

from oslo_config import cfg

IDENTITY_OPTIONS: tuple[cfg.Opt, ...] = (
    cfg.IntOpt(
        "token_expiration",
        default=8 * 60 * 60,
        min=60,
        help="""
How many seconds a token is good for after it was given out. A token that was got by another one ends with that one.

Shorten it where tokens may leak; lengthen it for jobs that take longer and cannot log in again. Tokens that are out
keep the end that they were given.
""",
    ),
    cfg.StrOpt(
        "public_endpoint",
        help="""
The address of the cloud as callers reach it, such as https://cloud.example.org: what the service catalog's addresses
begin with.

Without it they begin with the address to which the request was sent (its Host header, or what a proxy says in headers
where [oslo_middleware] enable_proxy_headers_parsing is on). Set it when services run on other machines than this one,
or when a proxy hides the address.
""",
    ),
    cfg.StrOpt(
        "region",
        default="RegionOne",
        help="The name of the one region in the service catalog. Change it to the name that clients are set up with.",
    ),
)
