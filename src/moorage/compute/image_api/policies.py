"""Who may do what to images by default: Glance's rule names and defaults, for oslo.policy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from oslo_policy import policy

_SCOPES = ["project"]
_ADMIN = "rule:context_is_admin"
_MEMBER = "rule:project_member_or_admin"
_READER = "rule:project_reader_or_admin"

_DEFAULTS = {
    "get_images": _READER,
    "get_image": _READER,
    "add_image": _MEMBER,
    "modify_image": _MEMBER,
    "delete_image": _MEMBER,
    "upload_image": _MEMBER,
    "download_image": _READER,
    "publicize_image": _ADMIN,
    "communitize_image": _MEMBER,
    "deactivate": _ADMIN,
    "reactivate": _ADMIN,
    "get_members": _READER,
    "get_member": _READER,
    "add_member": _MEMBER,
    "modify_member": _MEMBER,
    "delete_member": _MEMBER,
}
_BESIDE_ROUTES = {
    "publicize_image": "Make an image public.",
    "communitize_image": "Make an image open to everybody who knows its id.",
}


def rules(operations: Mapping[str, Iterable[tuple[str, str]]]) -> list[policy.RuleDefault]:
    """All rules, for operations given as rule name and the methods and paths that it guards."""
    return [
        *(
            policy.DocumentedRuleDefault(
                name=name,
                check_str=_DEFAULTS[name],
                description=f"Guards {', '.join(f'{method} {path}' for method, path in guarded)}.",
                operations=[{"method": method, "path": path} for method, path in guarded],
                scope_types=_SCOPES,
            )
            for name, guarded in operations.items()
        ),
        *(
            policy.RuleDefault(name, _DEFAULTS[name], description, scope_types=_SCOPES)
            for name, description in _BESIDE_ROUTES.items()
        ),
    ]
