"""A real OpenStack on Moorage: Keystone, Glance and Nova as released, with fake hypervisors, and Moorage for Placement.

`make test-openstack` starts such a cloud and runs these tests on it; the usual run leaves them out.
"""
