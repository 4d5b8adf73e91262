"""The image API described: what the route table does not say of it."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from moorage.compute.image_api.answers import ERROR, IMAGE, IMAGES, MEMBER, MEMBERS, SCHEMA_DOCUMENT, VERSIONS
from moorage.compute.image_api.fields import CREATE, DISK_FORMATS, LONGEST_NAME, VISIBILITIES, WRITABLE
from moorage.compute.image_api.members import STATUSES
from moorage.compute.image_api.query import LARGEST_NUMBER
from moorage.compute.image_api.routes import ROUTES
from moorage.compute.store.image_listing import COMPARISONS, FIELDS, SORTABLE
from moorage.web.description import Described, Description, Operations, newest_routes, reference
from moorage.web.schema import Definition
from moorage.web.shapes import TEXT, TEXTS, TRUTH

_NUMBER: Definition = {"type": "integer", "minimum": 0, "maximum": LARGEST_NUMBER}
_TIME: Definition = {
    **TEXT,
    "description": f"A time, such as gte:2030-01-31T12:00:00Z; compared by {', '.join(COMPARISONS)}.",
    "pattern": "^[a-z]{0,3}:?[0-9]{4}",
}
_ONE_OF = 'One value, or any of several: in:a,b or in:"a,b",c.'
_SORT_KEY = f"({'|'.join(SORTABLE)})"

_LIST: Mapping[str, Definition] = {
    **{name: {**TEXT, "description": _ONE_OF} for name in sorted(FIELDS)},
    "limit": {**_NUMBER, "description": "How many images a page has; 25 unless told, and never more than 1000."},
    "marker": {**TEXT, "description": "The id of the image after which the page begins."},
    "sort": {
        **TEXT,
        "description": "What to sort by, such as name:asc,size; not together with sort_key or sort_dir.",
        "pattern": f"^{_SORT_KEY}(:(asc|desc)?)?(,{_SORT_KEY}(:(asc|desc)?)?)*$",
    },
    "sort_key": {"type": "array", "items": {"enum": list(SORTABLE)}, "description": "What to sort by, one each."},
    "sort_dir": {
        "type": "array",
        "items": {"enum": ["asc", "desc"]},
        "description": "One for all keys, or one for each of them.",
    },
    "visibility": {"enum": ["all", *VISIBILITIES]},
    "member_status": {
        "enum": ["all", *STATUSES],
        "description": "What the caller's project has said to images that are shared with it.",
    },
    "tag": {**TEXTS, "description": "An image must have each of them."},
    "os_hidden": {**TRUTH, "description": "Only hidden images, or (as usual) only those that are not."},
    "protected": TRUTH,
    "size_min": _NUMBER,
    "size_max": _NUMBER,
    "created_at": _TIME,
    "updated_at": _TIME,
}

_FOUND = HTTPStatus.OK
_NOTHING: Mapping[HTTPStatus, Definition | None] = {HTTPStatus.NO_CONTENT: None}
_IMAGE_PATH = "/v2/images/{image_id}"
_MEMBER_PATH = f"{_IMAGE_PATH}/members/{{member_id}}"

_OF_IMAGES: Operations = {
    ("GET", "/v2/images"): Described(
        summary="List images; any other parameter names a property and its value.",
        query=_LIST,
        answers={_FOUND: reference("Images")},
    ),
    ("POST", "/v2/images"): Described(
        summary="Register an image.",
        body={**CREATE.definition, "propertyNames": {"minLength": 1, "maxLength": LONGEST_NAME}},
        answers={HTTPStatus.CREATED: reference("Image")},
        refusals=(HTTPStatus.CONFLICT,),
    ),
    ("GET", _IMAGE_PATH): Described(summary="Show an image.", answers={_FOUND: reference("Image")}),
    ("PATCH", _IMAGE_PATH): Described(
        summary="Change fields and properties of an image.",
        takes="application/openstack-images-v2.1-json-patch",
        answers={_FOUND: reference("Image")},
        refusals=(HTTPStatus.CONFLICT,),
    ),
    ("DELETE", _IMAGE_PATH): Described(summary="Forget an image that is not protected.", answers=_NOTHING),
    ("GET", f"{_IMAGE_PATH}/file"): Described(
        summary="The data of an image, which are none: what is kept is what is known about it.", answers=_NOTHING
    ),
    ("PUT", f"{_IMAGE_PATH}/file"): Described(
        summary="Accept an upload of nothing; data are refused, since they are not kept.",
        answers=_NOTHING,
        refusals=(HTTPStatus.NOT_IMPLEMENTED,),
    ),
    ("POST", f"{_IMAGE_PATH}/actions/deactivate"): Described(
        summary="Let nobody make servers from an image.", answers=_NOTHING
    ),
    ("POST", f"{_IMAGE_PATH}/actions/reactivate"): Described(
        summary="Let servers be made from an image again.", answers=_NOTHING
    ),
    ("PUT", f"{_IMAGE_PATH}/tags/{{tag}}"): Described(
        summary="Give an image a tag.", answers=_NOTHING, refusals=(HTTPStatus.REQUEST_ENTITY_TOO_LARGE,)
    ),
    ("DELETE", f"{_IMAGE_PATH}/tags/{{tag}}"): Described(summary="Take a tag from an image.", answers=_NOTHING),
}

_OF_MEMBERS: Operations = {
    ("GET", f"{_IMAGE_PATH}/members"): Described(
        summary="List the projects that an image is shared with.", answers={_FOUND: MEMBERS}
    ),
    ("POST", f"{_IMAGE_PATH}/members"): Described(
        summary="Share an image with a project.",
        answers={_FOUND: reference("Member")},
        refusals=(HTTPStatus.CONFLICT,),
    ),
    ("GET", _MEMBER_PATH): Described(summary="Show what a project says.", answers={_FOUND: reference("Member")}),
    ("PUT", _MEMBER_PATH): Described(
        summary="Accept a shared image, or reject it.", answers={_FOUND: reference("Member")}
    ),
    ("DELETE", _MEMBER_PATH): Described(summary="Share an image with a project no longer.", answers=_NOTHING),
}

_OF_THE_API: Operations = {
    ("GET", "/"): Described(
        summary="Which versions of the API there are.", answers={HTTPStatus.MULTIPLE_CHOICES: VERSIONS}
    ),
    ("GET", "/versions"): Described(summary="Which versions of the API there are.", answers={_FOUND: VERSIONS}),
    **{
        ("GET", f"/v2/schemas/{name}"): Described(
            summary=f"What {of} like, as a JSON schema.", answers={_FOUND: SCHEMA_DOCUMENT}
        )
        for name, of in (
            ("image", "an image is"),
            ("images", "a list of images is"),
            ("member", "a member is"),
            ("members", "a list of members is"),
        )
    },
}

DESCRIPTION = Description(
    title="Image API",
    about=(
        "Glance's API, version 2, for what is known about images: names, formats"
        f" ({', '.join(DISK_FORMATS)}), properties, tags, and who may use them. The data of images are not kept."
    ),
    routes=newest_routes(ROUTES, None),
    operations={**_OF_THE_API, **_OF_IMAGES, **_OF_MEMBERS},
    path_parameters={
        "image_id": {"type": "string", "pattern": WRITABLE["id"]["pattern"]},
        "tag": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[^/]+$"},
        "member_id": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[^/]+$"},
    },
    error=ERROR,
    schemas={"Image": IMAGE, "Images": IMAGES, "Member": MEMBER},
)
