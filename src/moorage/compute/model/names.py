"""What may be a name: of flavors, images, aggregates, server groups and servers, as Nova has it."""

from __future__ import annotations

import unicodedata

LONGEST = 255


def complaint_about_name(name: str) -> str | None:
    """What is wrong with a name, or None."""
    if not name.strip():
        return "A name needs at least one character that is not a space."
    if len(name) > LONGEST:
        return f"A name may have {LONGEST} characters; this one has {len(name)}."
    if name != name.strip():
        return "A name may not begin or end with a space."
    if unprintable := [character for character in name if not _is_printable(character)]:
        return f"A name may not have characters that cannot be printed; this one has {unprintable[0]!a}."
    return None


def _is_printable(character: str) -> bool:
    category = unicodedata.category(character)
    # Of all separators only the space; of what is no character at all, only what is left to private agreement.
    return category in {"Co", "Zs"} or category[0] not in "CZ"
