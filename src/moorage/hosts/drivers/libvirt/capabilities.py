"""The capabilities of a host: its processors, its NUMA cells, and what the processors can do."""

from __future__ import annotations

from dataclasses import dataclass
from xml.etree import ElementTree as ET

from moorage.hosts.drivers.driver import DriverError
from moorage.hosts.drivers.libvirt.documents import attribute, parse, text_at, understood
from moorage.hosts.drivers.machine.cpu_list import parse_cpu_list
from moorage.hosts.drivers.machine.cpu_traits import HYPERTHREADING, processor_traits
from moorage.hosts.drivers.machine.facts import NumaNode

_KB_PER_MB = 1024


@dataclass(frozen=True, slots=True)
class Cpu:
    """A processor model; `features` are those beyond the model, unless it has been expanded."""

    architecture: str
    vendor: str
    features: frozenset[str]
    # The description itself, if it names a model that can be expanded.
    expandable: str | None


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What the document says of the host."""

    cpu: Cpu
    # Empty if libvirt does not say.
    cells: tuple[NumaNode, ...]
    has_threads: bool


def parse_capabilities(document: str) -> Capabilities:
    """Read the document that describes the capabilities of a host."""
    root = parse(document, "capabilities")
    cpu = root.find("host/cpu")
    if cpu is None:
        raise DriverError("What libvirt calls its capabilities says nothing about the host's processor.")
    cells = root.findall("host/topology/cells/cell")
    return Capabilities(
        _cpu(cpu),
        tuple(sorted((_cell(cell) for cell in cells), key=lambda node: node.number)),
        any(len(_siblings(cpu)) > 1 for cell in cells for cpu in _online(cell)),
    )


def features_of(document: str) -> frozenset[str]:
    """The features in a description of a CPU."""
    return _features(parse(document, "cpu"))


def traits_of(found: Capabilities, expanded: str | None) -> frozenset[str]:
    """The traits of the host's processors; `expanded` is the CPU with the features of its model, if that is known."""
    cpu = found.cpu
    features = cpu.features | (features_of(expanded) if expanded else frozenset())
    traits = processor_traits(cpu.architecture, cpu.vendor, features)
    return traits | {HYPERTHREADING} if found.has_threads else traits


def _cpu(element: ET.Element) -> Cpu:
    has_model = bool(text_at(element, "model"))
    return Cpu(
        architecture=text_at(element, "arch"),
        vendor=text_at(element, "vendor"),
        features=_features(element),
        expandable=ET.tostring(element, encoding="unicode") if has_model else None,
    )


def _features(element: ET.Element) -> frozenset[str]:
    """Those that are not said to be switched off."""
    return frozenset(
        feature.get("name", "")
        for feature in element.findall("feature")
        if feature.get("policy", "require") in {"require", "force", "optional"}
    )


def _cell(element: ET.Element) -> NumaNode:
    memory = element.find("memory")
    unit = None if memory is None else memory.get("unit", "KiB")
    if unit not in {None, "KiB"}:
        raise DriverError(f"libvirt gives the memory of a NUMA cell in {unit} instead of KiB.")
    kilobytes = understood("memory of a NUMA cell", text_at(element, "memory") or "0", int)
    cpus = frozenset(attribute(cpu, "id", int) for cpu in _online(element))
    return NumaNode(attribute(element, "id", int), cpus, kilobytes // _KB_PER_MB)


def _online(cell: ET.Element) -> list[ET.Element]:
    """The processors of a cell; libvirt says nothing but the number of those that are offline."""
    return [cpu for cpu in cell.findall("cpus/cpu") if cpu.get("siblings") is not None]


def _siblings(cpu: ET.Element) -> frozenset[int]:
    return attribute(cpu, "siblings", parse_cpu_list)
