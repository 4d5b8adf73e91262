"""The settings of compute: how servers find their hosts.

This module only declares, like `moorage.service.options`, which lists this group with all others. The names and
meanings are Nova's where Nova has them.
"""

from oslo_config import cfg, types

SCHEDULER_OPTIONS = (
    cfg.StrOpt(
        "weigher",
        default="spread",
        choices=[
            ("spread", "the emptiest hosts first, so that servers disturb each other least"),
            ("pack", "the fullest hosts first, so that large servers still find room on the others"),
        ],
        help="""
Which of the hosts that come into question a server goes to.

How full a host is, is the mean over the resources that the server asks for; among hosts about as full chance decides.
Choose pack where flavors differ much in size, or to be able to switch hosts off.
""",
    ),
    cfg.IntOpt(
        "max_placement_results",
        default=1000,
        min=1,
        help="""
How many candidates Placement is asked for when a server is placed. A server in a server group looks at all of them.

The default is Nova's. More of them make a better choice in a cloud of more hosts, and take longer.
""",
    ),
    cfg.StrOpt(
        "placement_req_required_member_prefix",
        help="""
Keys of flavors and images that begin so require aggregates: with "reservation:", a server whose flavor has the extra
spec reservation:abc goes to hosts in an aggregate that has the metadata key reservation:abc, and nowhere else. What the
values are does not matter. Of several such keys each must be met. A key that no aggregate has is refused.

A key of an image counts only where the aggregate is open to the project, that is, has no metadata filter_tenant_id, or
one that names the project, because users write their images themselves.

Without it no key requires aggregates. It does not keep other servers away from those hosts: see
placement_req_default_forbidden_member_prefix, which is independent of it. While either is set, flavors need a resource
that is in no numbered group.
""",
    ),
    cfg.ListOpt(
        "placement_req_default_forbidden_member_prefix",
        default=[],
        item_type=types.String(regex=r"^[^,]+$"),
        help="""
Aggregates with a metadata key that begins with one of these are closed to servers that have no such key: with
"reservation:", hosts in such aggregates are only for servers whose flavor or image has a key that begins with
"reservation:". A key of an image opens only aggregates that are open to the project.

Set it to keep hosts for reservations, or hosts that a licence is paid for, free of everybody else. Without it no
aggregate is closed. Which of the aggregates such a server goes to is a matter of placement_req_required_member_prefix.
""",
    ),
    cfg.BoolOpt(
        "enable_isolated_aggregate_filtering",
        default=False,
        help="""
Whether aggregates with metadata such as trait:CUSTOM_WINDOWS=required are closed to servers whose flavor and image do
not require that trait; of several traits, all.

The hosts need the traits themselves too, for servers that do require them. The default is Nova's.
""",
    ),
    cfg.BoolOpt(
        "limit_tenants_to_placement_aggregate",
        default=False,
        help="""
Whether projects are kept to the aggregates that are set aside for them by metadata whose key begins with
filter_tenant_id and whose value is the project's id, or several with commas between.

A project that has such aggregates uses them and no other hosts; one that has none uses hosts that are not set aside for
anybody, which in Nova takes the filter AggregateMultiTenancyIsolation in addition. The default is Nova's.
""",
    ),
    cfg.BoolOpt(
        "placement_aggregate_required_for_tenants",
        default=False,
        help="""
Whether a project that no aggregate is set aside for may use no hosts at all, while
limit_tenants_to_placement_aggregate is on. Without that it has no effect.
""",
    ),
)
