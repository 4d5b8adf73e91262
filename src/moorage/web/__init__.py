"""What the HTTP APIs of all rooms have in common: routes, versions, bodies, answers, errors."""
