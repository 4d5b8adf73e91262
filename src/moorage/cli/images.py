"""`moorage image`: what servers are made from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from moorage.cli.cloud import AsCsv, AsJson, OsCloud, cloud_of, is_uuid
from moorage.cli.output import Output
from moorage.service.errors import OperatorError

if TYPE_CHECKING:
    from moorage.client.image import Image, ImageClient

app = typer.Typer(help="Images: what servers are made from.", no_args_is_help=True)

ImageArgument = Annotated[str, typer.Argument(metavar="IMAGE", help="Name or id of an image.")]


@app.command("list")
def list_(*, os_cloud: OsCloud = None, as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    """All images that the caller may see."""
    output = Output(as_json, as_csv)
    with cloud_of(os_cloud) as cloud:
        found = cloud.image.all_images()
    rows = [(each.name, each.id, each.status, _traits(each)) for each in found]
    output.rows(("name", "id", "status", "required traits"), rows)


@app.command("show")
def show(image: ImageArgument, *, os_cloud: OsCloud = None, as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    """An image with its properties."""
    output = Output(as_json, as_csv)
    with cloud_of(os_cloud) as cloud:
        client = cloud.image
        found = client.document(image_of(client, image).id) or {}
    output.fields(dict(found))


@app.command("create")
def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the new image.")],
    *,
    property_: Annotated[
        list[str] | None,
        typer.Option(
            "--property", metavar="KEY=VALUE", help="A property, such as trait:CUSTOM_X=required; repeatable."
        ),
    ] = None,
    os_cloud: OsCloud = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """A new image without bytes; a Moorage keeps none, and a Glance waits for them."""
    output = Output(as_json, as_csv)
    from moorage.cli.servers import properties_of

    with cloud_of(os_cloud) as cloud:
        made = cloud.image.create_image(name, properties_of(property_ or []))
    output.done(f"Made {name} ({made.id}).", {"id": made.id, "name": name})


@app.command("delete")
def delete(image: ImageArgument, *, os_cloud: OsCloud = None) -> None:
    """Remove an image."""
    with cloud_of(os_cloud) as cloud:
        client = cloud.image
        client.delete_image(image_of(client, image).id)


def image_of(client: ImageClient, text: str) -> Image:
    """The image with this id, or the only one of this name."""
    found = client.image(text) if is_uuid(text) else None
    if found is not None:
        return found
    named = [each for each in client.all_images() if each.name == text]
    if len(named) != 1:
        raise OperatorError(
            f"{len(named)} images are called {text}; tell the one by its id." if named else f"There is no image {text}."
        )
    return named[0]


def _traits(image: Image) -> list[str]:
    return sorted(
        name.removeprefix("trait:")
        for name, value in image.properties.items()
        if name.startswith("trait:") and value == "required"
    )
