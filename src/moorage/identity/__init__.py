"""Who is calling: local projects, users, roles and tokens, with a service catalog, in Keystone's terms."""
