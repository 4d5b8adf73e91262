"""The agent: examines its host, merges the provider configuration, and brings Placement in step."""
