"""The zones that are no zones, which the protocol has names for."""

ANY = "any"
"""Where a resource is reported that has nothing to do with zones."""

UNKNOWN = "unknown"
"""Where is reported what is in none of the zones that a request names."""

TOTAL = "total"
"""What others call the sum over all zones; nobody may name a zone so."""

RESERVED = frozenset({ANY, UNKNOWN, TOTAL})
