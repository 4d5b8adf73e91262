"""Who may do what to images by default: Glance's rule names and defaults, for oslo.policy."""

from __future__ import annotations

from oslo_policy import policy

from moorage.web.policies import ADMINISTRATORS, MEMBERS, READERS, RuledRoutes, beside_routes, guarding

_DEFAULTS = {
    "get_images": READERS,
    "get_image": READERS,
    "add_image": MEMBERS,
    "modify_image": MEMBERS,
    "delete_image": MEMBERS,
    "upload_image": MEMBERS,
    "download_image": READERS,
    "publicize_image": ADMINISTRATORS,
    "communitize_image": MEMBERS,
    "deactivate": ADMINISTRATORS,
    "reactivate": ADMINISTRATORS,
    "get_members": READERS,
    "get_member": READERS,
    "add_member": MEMBERS,
    "modify_member": MEMBERS,
    "delete_member": MEMBERS,
}
_BESIDE_ROUTES = {
    "publicize_image": "Make an image public.",
    "communitize_image": "Make an image open to everybody who knows its id.",
}


def rules(routes: RuledRoutes) -> list[policy.RuleDefault]:
    """All rules but the base, which is compute's, for the operations of the route table and for what is beside them."""
    return [*guarding(routes, _DEFAULTS.__getitem__), *beside_routes(_BESIDE_ROUTES, _DEFAULTS.__getitem__)]
