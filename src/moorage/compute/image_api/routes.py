"""The whole image API on one screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from moorage.compute.context import Compute
from moorage.compute.image_api import data, fields, images, members, patch, schema_documents, tags, versions
from moorage.web.application import Operation, Routes

if TYPE_CHECKING:
    Op = Operation[Compute]
else:
    Op = Operation  # a parametrised class would note itself down on what it makes, which is frozen

# fmt: off
ROUTES: Routes[Compute] = {
    "/": {"GET": (Op(handler=versions.root, rule=None),)},
    "/versions": {"GET": (Op(handler=versions.versions, rule=None),)},
    "/v2/images": {
        "GET": (Op(handler=images.index, rule="get_images"),),
        "POST": (Op(handler=images.create, rule="add_image", schema=fields.CREATE),),
    },
    "/v2/images/{image_id}": {
        "GET": (Op(handler=images.show, rule="get_image"),),
        "PATCH": (Op(handler=images.update, rule="modify_image", schema=patch.PATCH),),
        "DELETE": (Op(handler=images.delete, rule="delete_image"),),
    },
    "/v2/images/{image_id}/file": {
        "GET": (Op(handler=data.download, rule="download_image"),),
        "PUT": (Op(handler=data.upload, rule="upload_image"),),
    },
    "/v2/images/{image_id}/actions/deactivate": {"POST": (Op(handler=data.deactivate, rule="deactivate"),)},
    "/v2/images/{image_id}/actions/reactivate": {"POST": (Op(handler=data.reactivate, rule="reactivate"),)},
    "/v2/images/{image_id}/tags/{tag}": {
        "PUT": (Op(handler=tags.add, rule="modify_image"),),
        "DELETE": (Op(handler=tags.remove, rule="modify_image"),),
    },
    "/v2/images/{image_id}/members": {
        "GET": (Op(handler=members.index, rule="get_members"),),
        "POST": (Op(handler=members.create, rule="add_member", schema=members.CREATE),),
    },
    "/v2/images/{image_id}/members/{member_id}": {
        "GET": (Op(handler=members.show, rule="get_member"),),
        "PUT": (Op(handler=members.update, rule="modify_member", schema=members.UPDATE),),
        "DELETE": (Op(handler=members.delete, rule="delete_member"),),
    },
    "/v2/schemas/image": {"GET": (Op(handler=schema_documents.image, rule="get_image"),)},
    "/v2/schemas/images": {"GET": (Op(handler=schema_documents.images, rule="get_images"),)},
    "/v2/schemas/member": {"GET": (Op(handler=schema_documents.member, rule="get_member"),)},
    "/v2/schemas/members": {"GET": (Op(handler=schema_documents.members, rule="get_members"),)},
}
# fmt: on
