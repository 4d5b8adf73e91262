"""`moorage image`: what servers are made from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from moorage.cli import completion
from moorage.cli.cloud import AsCsv, AsJson, OsCloud, cloud_of
from moorage.cli.names import image_of
from moorage.cli.output import Output

if TYPE_CHECKING:
    from moorage.client.image import Image

app = typer.Typer(help="Images: what servers are made from.", no_args_is_help=True)

ImageArgument = Annotated[
    str, typer.Argument(metavar="IMAGE", autocompletion=completion.images, help="Name or id of an image.")
]


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
def delete(image: ImageArgument, *, os_cloud: OsCloud = None, as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    """Remove an image."""
    output = Output(as_json, as_csv)
    with cloud_of(os_cloud) as cloud:
        client = cloud.image
        found = image_of(client, image)
        client.delete_image(found.id)
    output.done(f"Removed {found.name or 'an image'} ({found.id}).", {"id": found.id, "name": found.name})


def _traits(image: Image) -> list[str]:
    return sorted(
        name.removeprefix("trait:")
        for name, value in image.properties.items()
        if name.startswith("trait:") and value == "required"
    )
