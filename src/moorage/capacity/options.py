"""The settings of the LIQUID service. This module only declares, like `moorage.service.options`, which lists them."""

from oslo_config import cfg

LIQUID_OPTIONS = (
    cfg.StrOpt(
        "config_file",
        help="""
The file with what to count and how, in JSON: which flavors and hypervisors, whether to list them one by one, and so on;
[capacity](capacity.md#settings) has every field. $LIQUID_CONFIG_PATH is understood as well, where this is not set.

Without it all flavors and hypervisors count, and nothing is listed. It is read at start.
""",
    ),
    cfg.IntOpt(
        "max_parallel_requests",
        default=5,
        min=1,
        help="""
How many reports each worker process makes at the same time; further requests wait their turn.

Reports read much from other services. Raise it where those are strong and many projects are asked for.
""",
    ),
    cfg.BoolOpt(
        "open_metrics",
        default=False,
        help="""
Whether everybody may read /metrics, the figures of the last capacity report for Prometheus, without a credential.

By default it takes a token like everything else, which Prometheus sends with `http_headers`. Turn it on where only
those can reach this service who may know how full the cloud is.
""",
    ),
)
