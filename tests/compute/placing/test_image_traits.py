from __future__ import annotations

import pytest

from moorage.compute.model.image import NO_IMAGE
from moorage.compute.placing.image_traits import required_traits
from moorage.compute.placing.refusals import MalformedImageTrait
from tests.compute.placing.examples import image


@pytest.mark.parametrize(
    ("properties", "traits"),
    [
        ({}, set()),
        ({"os_distro": "debian", "hw_machine_type": "q35"}, set()),
        # The examples of the document that brought traits to images.
        (
            {"trait:HW_CPU_X86_AVX2": "required", "trait:CUSTOM_TRUSTED_HOST": "required"},
            {"HW_CPU_X86_AVX2", "CUSTOM_TRUSTED_HOST"},
        ),
        ({"traitor": "required", "portrait:CUSTOM_A": "required"}, set()),
    ],
)
def test_an_image_requires_traits(properties: dict[str, str], traits: set[str]) -> None:
    assert required_traits(image(properties)) == traits


def test_a_server_without_an_image_requires_none() -> None:
    assert required_traits(NO_IMAGE) == frozenset()


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("trait:CUSTOM_A", "forbidden", 'the only value for images is "required"'),
        ("trait:CUSTOM_A", "Required", 'the only value for images is "required"'),
        ("trait:CUSTOM_A", "", 'the only value for images is "required"'),
        ("trait1:CUSTOM_A", "required", "numbered groups are made by flavors only"),
        ("traits:CUSTOM_A", "required", "numbered groups are made by flavors only"),
        ("trait_GPU:CUSTOM_A", "forbidden", "numbered groups are made by flavors only"),
        ("trait:custom_a", "required", "A-Z, 0-9 and _"),
        ("trait:", "required", "A-Z, 0-9 and _"),
    ],
)
def test_what_else_an_image_says_about_traits_is_refused(key: str, value: str, reason: str) -> None:
    with pytest.raises(MalformedImageTrait) as refusal:
        required_traits(image({"os_distro": "debian", key: value}))
    assert f'The property "{key}" = "{value}" of the image "debian"' in str(refusal.value)
    assert reason in str(refusal.value)
