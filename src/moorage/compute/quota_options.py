"""The settings of quotas: how much a project may have unless something else was set for it.

This module only declares, like `moorage.service.options`, which lists this group with all others. The names and
meanings are Nova's where Nova has them.
"""

from oslo_config import cfg


def _quota(name: str, default: int, what: str) -> cfg.IntOpt:
    return cfg.IntOpt(
        name,
        default=default,
        min=-1,
        help=f"""
{what} -1 is for no limit.

It counts for every project for which nothing else was set (`openstack quota set`), at once and also for what is there
already: a project that has more keeps it, and gets no more.
""",
    )


QUOTA_OPTIONS = (
    _quota("instances", 10, "How many servers a project may have, those of flavors with a quota of their own aside."),
    _quota("cores", 20, "How many virtual processors all these servers of a project may have together."),
    _quota("ram", 50 * 1024, "How many MiB of memory all these servers of a project may have together."),
    _quota(
        "separate_instances",
        10,
        "How many servers a project may have of each flavor with the extra spec quota:separate=true, "
        "which count towards nothing else.",
    ),
    _quota("metadata_items", 128, "How many items of metadata a server may have."),
    _quota("server_groups", 10, "How many server groups a project may have."),
    _quota("server_group_members", 10, "How many servers a server group may have."),
)
