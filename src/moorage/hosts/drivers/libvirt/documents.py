"""Reads libvirt's XML: a document that is none, or lacks what it should have, is an error with the part's name."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar
from xml.etree import ElementTree as ET

from moorage.hosts.drivers.driver import DriverError

Value = TypeVar("Value")


def parse(document: str, root: str) -> ET.Element:
    """The root element, which has this name."""
    try:
        element = ET.fromstring(document)  # noqa: S314  # written by the host's own libvirt
    except ET.ParseError as error:
        raise DriverError(f"What libvirt calls its {root} is no XML: {error}.") from error
    if element.tag != root:
        raise DriverError(f"What libvirt calls its {root} is a document called {element.tag}.")
    return element


def text_at(element: ET.Element, path: str) -> str:
    """The text of the element at a path, "" if there is none."""
    return (element.findtext(path) or "").strip()


def attribute(element: ET.Element, name: str, understand: Callable[[str], Value]) -> Value:
    """An attribute that has to be there, as a value."""
    return understood(f"{element.tag} {name}", element.get(name, ""), understand)


def understood(what: str, text: str, understand: Callable[[str], Value]) -> Value:
    """A text as a value; a ValueError becomes one that says which part of the document it is."""
    try:
        return understand(text)
    except ValueError as error:
        raise DriverError(f"libvirt's {what} = {text[:40]!r} cannot be understood: {error}.") from error


def hexadecimal(digits: int) -> Callable[[str], str]:
    """Understands 0x and any number of digits, as that many digits."""

    def understand(text: str) -> str:
        match = re.fullmatch(rf"0x([0-9a-fA-F]{{1,{digits}}})", text)
        if match is None:
            raise ValueError(f"it is not 0x and up to {digits} hexadecimal digits")
        return match[1].lower().zfill(digits)

    return understand
