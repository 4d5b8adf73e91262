"""Where servers go: from flavor and image to a Placement query, and from its candidates to one of them.

Everything here is pure: values in, values out, and a `Refusal` where a request cannot be met by any host.
"""
