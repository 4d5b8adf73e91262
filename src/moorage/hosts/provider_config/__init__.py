"""Provider configuration files: YAML by which an operator adds inventories and traits to a host's providers."""
