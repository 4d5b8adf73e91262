"""The driver static: nodes and nested providers as a YAML file describes them."""
