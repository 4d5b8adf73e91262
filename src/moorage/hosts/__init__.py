"""Hosts: what each has, natively and by provider configuration files, and the agent that keeps Placement in step."""
