"""The JSON schemas of bodies and query strings, one module per resource; a newer version extends an older one."""
