"""Traits and resource classes, as a user of the `openstack` command sees them."""

from __future__ import annotations

import os_resource_classes
import os_traits

from tests.clients.openstack_command import OpenStack


def test_the_standard_traits_are_there(openstack: OpenStack) -> None:
    assert {row["name"] for row in openstack.shows("trait list")} == set(os_traits.get_traits())
    assert openstack.shows("trait show HW_CPU_X86_AVX2", "1.6") == {"name": "HW_CPU_X86_AVX2"}


def test_a_trait_is_made_once_and_for_all(openstack: OpenStack) -> None:
    openstack.does("trait create CUSTOM_GOLD", "1.6")
    openstack.does("trait create CUSTOM_GOLD", "1.39")
    assert openstack.shows("trait show CUSTOM_GOLD") == {"name": "CUSTOM_GOLD"}
    openstack.does("trait delete CUSTOM_GOLD")
    assert openstack.refuses("trait show CUSTOM_GOLD") == "No such trait(s): CUSTOM_GOLD. (HTTP 404)"


def test_traits_are_found_by_name(openstack: OpenStack) -> None:
    openstack.does("trait create CUSTOM_GOLD")
    openstack.does("trait create CUSTOM_GOLD_PLATED")
    assert openstack.shows("trait list --name startswith:CUSTOM_GOLD_") == [{"name": "CUSTOM_GOLD_PLATED"}]
    assert openstack.shows("trait list --name in:CUSTOM_GOLD,CUSTOM_SILVER") == [{"name": "CUSTOM_GOLD"}]


def test_traits_are_found_by_being_in_use(openstack: OpenStack) -> None:
    openstack.does("trait create CUSTOM_GOLD")
    host = openstack.shows("resource provider create az1-compute-01")["uuid"]
    assert openstack.shows("trait list --associated") == []
    openstack.shows(f"resource provider trait set {host} --trait CUSTOM_GOLD")
    assert openstack.shows("trait list --associated") == [{"name": "CUSTOM_GOLD"}]
    error = openstack.refuses("trait delete CUSTOM_GOLD")
    assert error == "The trait CUSTOM_GOLD is in use by a resource provider. (HTTP 409)"


def test_standard_traits_are_neither_made_nor_deleted(openstack: OpenStack) -> None:
    assert (
        openstack.refuses("trait delete HW_CPU_X86_AVX2") == "Cannot delete standard trait HW_CPU_X86_AVX2. (HTTP 400)"
    )
    assert openstack.refuses("trait create HW_CPU_X86_IMAGINARY").endswith("(HTTP 400)")


def test_the_standard_resource_classes_are_there(openstack: OpenStack) -> None:
    assert {row["name"] for row in openstack.shows("resource class list")} == set(os_resource_classes.STANDARDS)
    assert openstack.shows("resource class show VCPU", "1.2") == {"name": "VCPU"}


def test_a_resource_class_is_created_once(openstack: OpenStack) -> None:
    openstack.does("resource class create CUSTOM_FPGA", "1.2")
    assert openstack.shows("resource class show CUSTOM_FPGA") == {"name": "CUSTOM_FPGA"}
    error = openstack.refuses("resource class create CUSTOM_FPGA")
    assert error == "Conflicting resource class already exists: CUSTOM_FPGA (HTTP 409)"


def test_a_resource_class_is_set_any_number_of_times(openstack: OpenStack) -> None:
    openstack.does("resource class set CUSTOM_FPGA", "1.7")
    openstack.does("resource class set CUSTOM_FPGA", "1.39")
    assert {"name": "CUSTOM_FPGA"} in openstack.shows("resource class list", "1.14")


def test_a_resource_class_is_deleted(openstack: OpenStack) -> None:
    openstack.does("resource class create CUSTOM_FPGA")
    openstack.does("resource class delete CUSTOM_FPGA")
    assert openstack.refuses("resource class delete CUSTOM_FPGA").endswith("(HTTP 404)")


def test_a_resource_class_in_use_is_not_deleted(openstack: OpenStack) -> None:
    openstack.does("resource class create CUSTOM_FPGA")
    host = openstack.shows("resource provider create az1-compute-01")["uuid"]
    openstack.shows(f"resource provider inventory set {host} --resource CUSTOM_FPGA=2")
    error = openstack.refuses("resource class delete CUSTOM_FPGA")
    assert "in use in inventory" in error
    assert error.endswith("(HTTP 409)")


def test_standard_resource_classes_are_neither_made_nor_deleted(openstack: OpenStack) -> None:
    error = openstack.refuses("resource class delete VCPU")
    assert error.endswith("Cannot delete standard resource class VCPU. (HTTP 400)")
    assert openstack.refuses("resource class create FPGA_IMAGINARY").endswith("(HTTP 400)")
