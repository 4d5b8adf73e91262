"""The usage report of a project, from reading to checking."""

from __future__ import annotations

from moorage.capacity.liquid import Liquid
from moorage.capacity.protocol.reports import UsageReport
from moorage.capacity.protocol.requests import UsageRequest
from moorage.capacity.protocol.validation import check_usage_report
from moorage.capacity.reading.project import read_limits, read_servers
from moorage.capacity.usage.report import ProjectUsage, usage_report


def report_usage(liquid: Liquid, project_id: str, request: UsageRequest) -> UsageReport:
    """What a project uses now."""
    declaration = liquid.declarations.current()
    compute, configuration = liquid.services.compute, liquid.configuration
    limits = read_limits(compute, project_id)
    servers = read_servers(compute, project_id)
    counted = [server for server in servers if server.flavor.name not in declaration.ironic_flavors]
    usage = ProjectUsage(
        limits=limits,
        servers=counted,
        # Whoever has no groups has no members.
        group_members=liquid.group_members.of_project(project_id) if limits.server_groups.used else 0,
        os_types=liquid.os_types.of_servers(counted) if configuration.with_subresources else None,
    )
    report = usage_report(declaration, usage, request.zones, with_hardware=configuration.with_hw_version_resources)
    check_usage_report(report, request.zones, declaration.info)
    return report
